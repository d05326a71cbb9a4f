"""Sentences that compare grids: only claims a repeated run couldn't reverse."""

from results.compare.grids.query import ComparedGrid, compare_operations, layout_words
from results.models import Pool, Result

SIZES = (64, 128, 256, 512)


def grid(letter, rates, layout=()):
    rows = [
        {"file_bytes": 1 << 30, "record_bytes": size << 10, "processes": None, "mib_s": {"read": rate}}
        for size, rate in zip(SIZES, rates, strict=False)
    ]
    conditions = {"arc_bytes": None, "memory_bytes": None, "doubted": [], "record_size": None}
    result = Result(pool=Pool(layout=list(layout)))
    return ComparedGrid(letter, result, {**conditions, "rows": rows}, letter == "A", {})


def mirror(members, count=1):
    return [{"role": "data", "type": "mirror", "members": members}] * count


def test_repeats_narrow_or_widen_the_band():
    wide = grid("B", (150, 150), mirror(3))
    for row in wide.payload["rows"]:
        row |= {"low": {"read": 90}, "high": {"read": 210}}
    (found,) = compare_operations([grid("A", (100, 100), mirror(2)), wide])
    assert found.sentences == ["A 3-way mirror reads about as fast as a 2-way mirror."]


def test_layouts_that_are_alike_or_unknown_are_called_by_their_letters():
    for layouts in ((mirror(2), mirror(2)), ((), ())):
        (found,) = compare_operations([grid("A", (100,) * 4, layouts[0]), grid("B", (200,) * 4, layouts[1])])
        assert found.sentences == ["Grid B reads 2× as fast as grid A."]
    assert layout_words(mirror(2, 3)) == "3 2-way mirrors"
    assert layout_words([*mirror(2), {"role": "log", "type": "disk", "members": 1}]) == "a 2-way mirror"
    assert layout_words([*mirror(2), {"role": "data", "type": "raidz2", "members": 6}]) == ""


def test_nothing_is_said_without_common_sizes_or_a_baseline():
    (found,) = compare_operations([grid("A", ()), grid("B", (100, 100))])
    assert found.sentences == []
    assert [cell.ratio for row in found.rows for cell in row.cells] == [None] * 4
