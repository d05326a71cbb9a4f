"""What the documents that the project began with show has its place: every address is followed on shipped data."""

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "source-documents.md"
ROW = re.compile(r"\| (?P<what>[^|]+) \| `(?P<path>/[^`]*)` \|")


@pytest.mark.usefixtures("shipped")
@pytest.mark.django_db
def test_every_address_of_the_table_shows_something(client, subtests):
    rows = [
        match for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if (match := ROW.fullmatch(line))
    ]
    assert len(rows) > 40
    pages: dict[str, str] = {}
    for row in rows:
        with subtests.test(row["what"]):
            path, _, anchor = row["path"].partition("#")
            if path not in pages:
                response = client.get(path, follow=True)
                assert response.status_code == 200, row["path"]
                pages[path] = response.content.decode()
            assert not anchor or f'id="{anchor}"' in pages[path], row["path"]
