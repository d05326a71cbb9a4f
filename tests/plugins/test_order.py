from types import SimpleNamespace

from tests.plugins.order import LONGEST, ROOT, pytest_collection_modifyitems


def test_the_longest_tests_come_first_and_the_others_keep_their_order():
    names = [
        "tests/z/test_a.py::one",
        "tests/a/test_b.py::two",
        f"{LONGEST[1]}::three",
        f"{LONGEST[0]}x.py::four",
    ]
    items = [SimpleNamespace(nodeid=name) for name in names]
    pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [names[3], names[2], names[0], names[1]]


def test_every_listed_test_exists():
    assert [one for one in LONGEST if not (ROOT / one).exists()] == []
