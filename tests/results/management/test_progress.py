from io import StringIO
from typing import NamedTuple

from django.core.management.base import OutputWrapper

from results.management.console import show_progress


class Done(NamedTuple):
    text: str
    done: int
    total: int


class Terminal(StringIO):
    def isatty(self):
        return True


def shown(steps, out, **options):
    assert list(show_progress(iter(steps), OutputWrapper(out), **options)) == steps
    return out.getvalue()


MEDIANS = [Done("medians", 100_000, 150_000), Done("medians", 150_000, 150_000)]
PLACES = [Done("places of hdd", 1, 2), Done("places of nvme", 2, 2)]


def test_each_step_has_a_line_without_a_terminal():
    assert shown([*MEDIANS, *PLACES], StringIO()).splitlines() == [
        "medians: 100,000 of 150,000",
        "medians: 150,000 of 150,000",
        "places of hdd: 1 of 2",
        "places of nvme: 2 of 2",
    ]


def test_of_many_steps_some_have_a_line_and_the_last_one():
    steps = [Done("texts", number, 7) for number in range(1, 8)]
    assert shown(steps, StringIO(), steps_a_line=3).splitlines() == [
        "texts: 3 of 7",
        "texts: 6 of 7",
        "texts: 7 of 7",
    ]


def test_a_terminal_shows_a_bar_for_each_part_that_ends_full():
    printed = shown([*MEDIANS, *PLACES], Terminal())
    bars = [line.rsplit("\r", 1)[-1] for line in printed.strip().split("\n")]
    assert len(bars) == 2
    assert bars[0].startswith("medians: 100%|")
    assert "150k/150k" in bars[0]
    assert bars[1].startswith("places of nvme: 100%|")
    assert "2/2" in bars[1]


def test_a_command_that_is_stopped_leaves_its_bar_where_it_was():
    out = Terminal()
    steps = show_progress(iter(MEDIANS), OutputWrapper(out))
    next(steps)
    steps.close()
    assert out.getvalue().endswith("\n")


def test_no_steps_print_nothing():
    assert shown([], Terminal()) == shown([], StringIO()) == ""
