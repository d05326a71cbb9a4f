"""What `bin/test --fast` leaves out."""

from types import SimpleNamespace

import pytest

from tests.plugins.fast import ROOT, SLOW, pytest_ignore_collect


@pytest.mark.parametrize(("is_fast", "answer"), [(True, True), (False, None)])
def test_slow_tests_are_left_out_when_that_is_asked_for(is_fast, answer):
    config = SimpleNamespace(getoption=lambda _: is_fast)
    assert pytest_ignore_collect(ROOT / SLOW[0], config) is answer


def test_all_other_tests_run():
    config = SimpleNamespace(getoption=lambda _: True)
    assert pytest_ignore_collect(ROOT / "tests" / "parsers", config) is None


def test_each_of_the_slow_ones_is_there():
    assert [path for path in SLOW if not (ROOT / path).exists()] == []
