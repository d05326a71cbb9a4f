import sys
import threading

import pytest

from slogdb.kept import Figures, Kept, Room, bytes_of, keeps

ENTRY = 1000 + 500  # bytes of a value below with what stands around it, at most


@pytest.fixture
def room():
    """For three values of a thousand letters, each less than LARGEST_SHARE of it."""
    return Room(3 * ENTRY)


@pytest.fixture(autouse=True)
def any_size(monkeypatch):
    monkeypatch.setattr("slogdb.kept.LARGEST_SHARE", 1)


def filled(room, keys):
    kept = Kept("letters", room)
    for key in keys:
        kept[key] = key * 1000
    return kept


def test_the_first_that_came_are_forgotten(room):
    kept = filled(room, "abcd")
    assert [kept.get(key) is not None for key in "abcd"] == [False, True, True, True]


def test_what_was_asked_for_stays_before_what_was_not(room):
    kept = filled(room, "abc")
    assert kept.get("a") == "a" * 1000
    kept["d"] = "d" * 1000
    assert [kept.get(key) is not None for key in "abcd"] == [True, False, True, True]


def test_what_was_asked_for_once_does_not_stay_for_good(room):
    kept = filled(room, "abc")
    kept.get("a")
    for key in "defg":
        kept[key] = key * 1000
    assert kept.get("a") is None


def test_the_room_never_holds_more_bytes_than_it_may(room):
    kept = Kept("lengths", room)
    for length in (10, 2000, 500, 1, 1500, 3000, 40):
        kept[length] = "x" * length
        assert 0 < sum(one.bytes for one in room.figures().values()) <= room.most_bytes
    assert kept.get(40) == "x" * 40


def test_another_value_takes_the_place_of_the_one_before(room):
    kept = filled(room, "abc")
    for _ in range(20):
        kept["a"] = "A" * 1000
    assert [kept.get(key)[0] for key in "abc"] == ["A", "b", "c"]
    assert room.figures() == {"letters": Figures(3, pytest.approx(3 * ENTRY, abs=300))}


def test_what_is_too_large_is_not_kept_and_puts_nobody_out(room, monkeypatch):
    monkeypatch.setattr("slogdb.kept.LARGEST_SHARE", 1 / 3)
    kept = filled(room, "abc")
    kept["a"] = "x" * 2000  # nor does what was there before stay in its name
    assert [kept.get(key) is not None for key in "abc"] == [False, True, True]


def test_kinds_share_the_room_and_not_their_keys(room):
    one, other = Kept("one", room), Kept("other", room)
    one["a"], other["a"] = "1" * 1000, "2" * 2000
    assert (one.get("a")[0], other.get("a")[0]) == ("1", "2")
    assert [(kind, figures.number) for kind, figures in room.figures().items()] == [("other", 1), ("one", 1)]
    other["b"] = "3" * 1000
    assert one.get("a") is None


def test_a_function_is_asked_once_for_the_same_values(room):
    asked = []

    @keeps("sums", room)
    def add(one, *, other):
        asked.append((one, other))
        return one + other

    assert [add(1, other=2), add(1, other=2), add(2, other=1)] == [3, 3, 3]
    assert asked == [(1, 2), (2, 1)]


def test_the_bytes_are_those_that_a_function_is_told_to_tell(room):
    @keeps("names", room, size=lambda _, made: len(made) * 100)
    def name(one):
        return one

    name("abc")
    name("abcdefgh")
    few, more = (entry.bytes for entry in room._entries.values())
    assert more - few == 500


def test_what_a_value_holds_is_counted_once():
    inner = ["x" * 5000]
    held = bytes_of({"one": inner, "other": inner})
    assert 5000 + sys.getsizeof({}) < held < 6000
    assert bytes_of(str, pytest, test_what_a_value_holds_is_counted_once) == 0


def test_threads_may_use_it_beside_each_other(room):
    kept = Kept("numbers", room)

    def work(first):
        for number in range(first, 3000, 3):
            kept[number % 50] = "x" * (number % 700)
            kept.get((number + 1) % 50)

    threads = [threading.Thread(target=work, args=[first]) for first in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    held = sum(one.bytes for one in room.figures().values())
    assert held == room._held_bytes <= room.most_bytes
