import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from results.models import ImportBatch, Submission
from results.models.choices import State
from tests import pastes
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_away")]


@pytest.fixture
def publish():
    moderator = make_member(is_staff=True)
    return lambda *paths, **options: call_command(
        "import_texts", *map(str, paths), publish=True, moderator=moderator.email, **options
    )


@pytest.fixture
def folder(tmp_path):
    """Two runs, one of them deeper, and a file without one."""
    (tmp_path / "texts" / "deep").mkdir(parents=True)
    (tmp_path / "texts" / "one.txt").write_text(pastes.diskinfo(ident="TEXTFILE0001"))
    (tmp_path / "texts" / "deep" / "two.txt").write_text(pastes.diskinfo(ident="TEXTFILE0002"))
    (tmp_path / "texts" / "note").write_text("nothing")
    return tmp_path / "texts"


def ndjson(path, *lines):
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n\n" for line in lines))
    return path


def test_without_publish_it_only_counts(folder, capsys):
    call_command("import_texts", str(folder))
    out = capsys.readouterr().out
    assert "texts: 3 of 3" in out
    assert "2 of 3 texts contain a run." in out
    assert not Submission.objects.exists()


def test_a_folder_is_stored_once(folder, publish, capsys):
    publish(folder)
    assert "2 of 3 texts stored" in capsys.readouterr().out
    (folder / "three.txt").write_text(pastes.diskinfo(ident="TEXTFILE0003"))
    publish(folder, title="Again")
    assert "1 of 4 texts stored" in capsys.readouterr().out
    assert list(ImportBatch.objects.order_by("pk").values_list("title", flat=True)) == ["texts", "Again"]
    assert Submission.objects.filter(state=State.PUBLISHED).count() == 3
    assert "TEXTFILE" not in "".join(Submission.objects.values_list("text", flat=True))


def test_ndjson_lines_have_author_date_and_permalink(tmp_path, publish):
    metadata = {"author": "ann", "date": "2024-05-17", "permalink": "https://forum.example/post-1"}
    texts = [pastes.diskinfo(ident=f"TEXTLINE000{number}") for number in range(3)]
    publish(
        ndjson(
            tmp_path / "a.ndjson",
            {"text": texts[0], **metadata},
            {"text": texts[1], **metadata},
            {"text": texts[2]},
        )
    )
    first, second, bare = Submission.objects.order_by("pk")
    assert (first.forum_handle, first.posted_on, first.source_url) == (
        "ann",
        date(2024, 5, 17),
        metadata["permalink"],
    )
    assert first.sender_digest == second.sender_digest != ""
    assert (bare.forum_handle, bare.posted_on, bare.source_url, bare.sender_digest) == ("", None, "", "")


def test_an_invalid_line_is_reported_before_anything_is_stored(tmp_path, publish, subtests):
    for line, fault in [
        ("{", "line 3: not JSON"),
        ("[" * 100_000, "line 3: not JSON"),
        (["text"], "line 3: not an object with text values"),
        ({"text": 5}, "line 3: not an object with text values"),
        ({"author": "ann"}, "line 3: no text"),
        ({"text": "x", "name": "ann"}, "line 3: unknown field name"),
        ({"text": "x", "author": "a" * 61}, "line 3: the author is longer than 60"),
        ({"text": "x", "author": "a\0"}, "line 3: the author is longer than 60"),
        ({"text": "x", "date": "17.5.2024"}, "line 3: '17.5.2024' is not a date"),
        ({"text": "x", "permalink": "javascript:alert(1)"}, "line 3: .* is not a web URL"),
        ({"text": "x", "permalink": "http://[1"}, "line 3: .* is not a URL"),
    ]:
        with subtests.test(line=line):
            path = ndjson(tmp_path / "a.ndjson", {"text": pastes.diskinfo()}, line)
            with pytest.raises(CommandError, match=fault):
                publish(path)
            assert not Submission.objects.exists()


def test_a_missing_path_is_reported(tmp_path):
    with pytest.raises(CommandError, match="no such file or folder"):
        call_command("import_texts", str(tmp_path / "none"))


def test_publishing_requires_a_moderator(folder):
    with pytest.raises(CommandError, match="moderator"):
        call_command("import_texts", str(folder), publish=True)
