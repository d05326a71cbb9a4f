"""What `bin/test --fast` leaves out."""

from types import SimpleNamespace

import pytest

from tests.plugins.fast import ROOT, SLOW, pytest_collection_modifyitems, pytest_ignore_collect


@pytest.mark.parametrize(("is_fast", "answer"), [(True, True), (False, None)])
def test_the_fast_option_skips_slow_tests(is_fast, answer):
    config = SimpleNamespace(getoption=lambda _: is_fast)
    assert pytest_ignore_collect(ROOT / SLOW[0], config) is answer


def test_all_other_tests_run():
    config = SimpleNamespace(getoption=lambda _: True)
    assert pytest_ignore_collect(ROOT / "tests" / "parsers", config) is None


def test_slow_tests_of_other_files_are_left_out():
    (slow, *_) = (name for name in SLOW if "::" in name)
    tests = [SimpleNamespace(nodeid=name) for name in (slow, f"{slow}[a case]", f"{slow}_too")]
    left_out = []
    config = SimpleNamespace(
        getoption=lambda _: True, hook=SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    )
    slow_ones = tests[:2]
    pytest_collection_modifyitems(config, tests)
    assert ([test.nodeid for test in tests], left_out) == ([f"{slow}_too"], slow_ones)


def test_every_listed_slow_test_exists():
    for name in SLOW:
        path, _, test = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not test or f"def {test}(" in (ROOT / path).read_text(), name
