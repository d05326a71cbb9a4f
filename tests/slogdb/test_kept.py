from slogdb.kept import Kept


def test_the_first_that_came_are_forgotten():
    kept = Kept[str, int](2)
    for number, name in enumerate(["one", "two", "one", "three"]):
        kept[name] = number
    assert kept == {"two": 1, "three": 3}
