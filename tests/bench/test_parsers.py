"""The texts that are read fill a paste and are not refused, and the worst of them is the one that is shown."""

from bench.parsers import DOCUMENTS, WORST, Reading, largest_paste, rows
from parsers.paste import parse_paste
from parsers.text.decode import MAX_SIZE

PIECES = WORST | {path.stem: path.read_text() for path in DOCUMENTS.iterdir()}


def test_the_largest_paste_is_large_and_read(subtests):
    for name in PIECES:
        with subtests.test(name=name):
            raw = largest_paste(PIECES[name])
            assert MAX_SIZE / 2 < len(raw) <= MAX_SIZE
            assert parse_paste(raw, unit_key=b"key").text


def test_the_slowest_and_the_steepest_are_judged():
    slowest, steepest = rows({"a": Reading(2.5, 4.0), "b": Reading(0.5, 5.5), "c": Reading(1.0, 1.0)})
    assert (slowest.what, slowest.measured, slowest.passes) == ("reading a MiB of a, the slowest", 2.5, False)
    assert (steepest.measured, steepest.passes) == (5.5, False)
