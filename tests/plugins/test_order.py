from tests.plugins.order import LONGEST, ROOT


def test_every_listed_test_exists():
    assert [one for one in LONGEST if not (ROOT / one).exists()] == []
