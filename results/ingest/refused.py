"""Runs of a paste that can't be stored, each with its reason."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from parsers.kinds import DiskinfoReading, FioReading, LeftOut, Notice
from parsers.slog_fio import Refusal, slog_points

NO_DEVICE = "no_device"


class Refused(NamedTuple):
    """A run that can't be stored: why, a notice where the parsers have none, and the sizes that fio wrote."""

    left_out: LeftOut
    notice: Notice | None = None
    block_sizes: frozenset[int] = frozenset()


def refuse(measured: DiskinfoReading | FioReading, why: Notice | Refusal) -> Refused:
    """The run as one that is left out; of a refusal of fio's figures the parsers have a notice."""
    left_out = LeftOut(why.code, why.message, measured.first_line, measured.last_line)
    points = slog_points(measured) if isinstance(measured, FioReading) else ()
    sizes = frozenset(point.block_size for point in points)
    return Refused(left_out, why if isinstance(why, Notice) else None, sizes)


def join_refused(refused: Iterable[Refused]) -> Iterator[Refused]:
    """The same with what a shell loop ran once a block size as one run, which it would have been."""
    held: Refused | None = None
    for one in refused:
        if held is not None and _goes_on(held, one):
            left_out = replace(held.left_out, last_line=one.left_out.last_line)
            held = held._replace(left_out=left_out, block_sizes=held.block_sizes | one.block_sizes)
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _goes_on(refused: Refused, following: Refused) -> bool:
    is_alike = refused.left_out.code == following.left_out.code == NO_DEVICE
    is_by_fio = bool(refused.block_sizes and following.block_sizes)
    return is_alike and is_by_fio and refused.block_sizes.isdisjoint(following.block_sizes)
