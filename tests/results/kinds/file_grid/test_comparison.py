"""What a comparison says in words: only what no repeat could turn around."""

from results.kinds.file_grid.comparison import Compared, compare_grids, differences
from results.kinds.file_grid.words import layout_words

SIZES = (64, 128, 256, 512)


def grid(letter, rates, layout=(), **values):
    rows = [
        {"file_bytes": 1 << 30, "record_bytes": size << 10, "processes": None, "mib_s": {"read": rate}}
        for size, rate in zip(SIZES, rates, strict=False)
    ]
    conditions = {"arc_bytes": None, "memory_bytes": None, "doubted": [], "record_size": None}
    return Compared(letter, {**conditions, "rows": rows, **values}, layout)


def mirror(members, count=1):
    return [{"role": "data", "type": "mirror", "members": members}] * count


def sentence(rates, baseline=(100, 100, 100, 100)):
    (found,) = compare_grids([grid("A", baseline, mirror(2)), grid("B", rates, mirror(3))])
    return found.sentences


def test_a_ratio_is_stated_only_where_bands_are_apart():
    for rates, expected in (
        ((150, 150, 150, 150), "1.5× as fast as a 2-way mirror."),
        ((150, 200, 150, 150), "1.6× as fast as a 2-way mirror (1.5× to 2×)."),
        ((50, 50, 50, 50), "2× slower than a 2-way mirror."),
        ((115, 110, 95, 100), "about as fast as a 2-way mirror."),
        ((100, 100, 100, 300), "3× as fast as a 2-way mirror at 512 KiB, and about as fast otherwise."),
        (
            (100, 100, 200, 300),
            "up to 3× as fast as a 2-way mirror from 256 KiB on, and about as fast otherwise.",
        ),
        ((10, 100, 100, 100), "10× slower than a 2-way mirror at 64 KiB, and about as fast otherwise."),
        ((200,), "2× as fast as a 2-way mirror at 64 KiB."),
        (
            (50, 100, 200, 200),
            "faster than a 2-way mirror from 256 KiB on, and slower at 64 KiB: which is faster depends on the record "
            "size.",
        ),
    ):
        assert sentence(rates) == (f"A 3-way mirror reads {expected}",), rates


def test_repeats_narrow_or_widen_the_band():
    wide = grid("B", (150, 150), mirror(3))
    for row in wide.payload["rows"]:
        row |= {"low": {"read": 90}, "high": {"read": 210}}
    (found,) = compare_grids([grid("A", (100, 100), mirror(2)), wide])
    assert found.sentences == ("A 3-way mirror reads about as fast as a 2-way mirror.",)


def test_layouts_that_are_alike_or_unknown_are_called_by_their_letters():
    for layouts in ((mirror(2), mirror(2)), ((), ())):
        (found,) = compare_grids([grid("A", (100,) * 4, layouts[0]), grid("B", (200,) * 4, layouts[1])])
        assert found.sentences == ("Grid B reads 2× as fast as grid A.",)
    assert layout_words(mirror(2, 3)) == "3 2-way mirrors"
    assert layout_words([*mirror(2), {"role": "log", "type": "disk", "members": 1}]) == "a 2-way mirror"
    assert layout_words([*mirror(2), {"role": "data", "type": "raidz2", "members": 6}]) == ""


def test_nothing_is_said_without_common_sizes_or_a_baseline():
    (found,) = compare_grids([grid("A", ()), grid("B", (100, 100))])
    assert found.sentences == ()
    assert [row.ratios for row in found.rows] == [(None, None), (None, None)]


def test_what_nobody_states_is_never_alike():
    rows = differences([{"sync": "always", "Memory": ""}, {"sync": "Always", "Memory": "16 GiB"}])
    assert [(one["label"], one["differs"], one["is_unknown"]) for one in rows] == [
        ("sync", False, False),
        ("Memory", False, True),
    ]
