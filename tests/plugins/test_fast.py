"""What `bin/test --fast` leaves out."""

from types import SimpleNamespace

import pytest

from tests.plugins.fast import ROOT, SLOW, pytest_ignore_collect


@pytest.mark.parametrize(("is_fast", "answer"), [(True, True), (False, None)])
def test_the_fast_option_skips_slow_tests(is_fast, answer):
    config = SimpleNamespace(getoption=lambda _: is_fast)
    assert pytest_ignore_collect(ROOT / SLOW[0], config) is answer


def test_all_other_tests_run():
    config = SimpleNamespace(getoption=lambda _: True)
    assert pytest_ignore_collect(ROOT / "tests" / "parsers", config) is None


def test_every_listed_slow_test_exists():
    assert [path for path in SLOW if not (ROOT / path).exists()] == []
