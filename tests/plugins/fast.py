"""`bin/test --fast`: pure and database tests, without what starts a browser, real servers or takes minutes."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLOW = (
    # browsers
    "tests/browser",
    "tests/js",
    "tests/test_screenshots.py",
    # servers, workers and other programs as real processes
    "tests/deploy",
    "tests/faults",
    "tests/submitter",
    "tests/test_serve.py",
    "tests/docs",
    "tests/results/operations/test_backups.py",
    "tests/results/operations/test_tls.py",
    "tests/results/core/test_public.py",
    "tests/results/test_worker.py",
    "tests/slogdb/local",
    "tests/slogdb/test_telemetry.py",
    # requests and texts by the thousand
    "tests/security",
    "tests/results/api/test_against_schema.py",
    "tests/results/api/test_generated_client.py",
    "tests/parsers/test_growth.py",
    "tests/results/submissions/test_forgery.py",
    "tests/results/submissions/test_hostile.py",
    "tests/results/test_growth.py",
    "tests/results/ranking/test_shipped_choices.py",
    # migrations, forwards and back
    "tests/results/models/test_fewer_bytes.py",
    "tests/results/models/test_known_class.py",
    "tests/results/models/test_order_by_device.py",
    "tests/results/models/test_standard_queue.py",
    "tests/results/models/test_taken_batch.py",
    # the checkers, each a program of its own
    "tests/test_audit.py",
    "tests/test_checks.py",
)
_LEFT_OUT = frozenset(ROOT / path for path in SLOW)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="leave out what tests/plugins/fast.py calls slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the path out, or leave the decision to others."""
    return True if config.getoption("--fast") and collection_path in _LEFT_OUT else None
