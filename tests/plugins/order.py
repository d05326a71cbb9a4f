"""What takes longest begins first: no worker of xdist is left with one of these alone at the end."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = (
    # those that wait begin beside those that compute
    "tests/faults/test_outages.py",
    "tests/results/api/test_against_schema.py",
    "tests/security/test_hostile_requests.py",
    "tests/browser/test_every_page.py",
    "tests/test_serve.py",
    "tests/browser/",
    "tests/js/",
    "tests/deploy/",
    "tests/security/",
    "tests/test_checks.py",
    "tests/results/test_growth.py",
    "tests/parsers/test_growth.py",
    "tests/results/operations/",
    "tests/results/submissions/test_forgery.py",
    "tests/results/core/test_public_pages.py",
    "tests/results/test_snapshots.py",
    "tests/results/test_queries.py",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files keep the order they were drawn in, but for these."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    begins = (place for place, start in enumerate(LONGEST) if item.nodeid.startswith(start))
    return next(begins, len(LONGEST))
