"""Runs of a paste that can't be stored, each with its reason."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from parsers.base.readings import DiskinfoReading, FioReading, LeftOut, Notice
from parsers.fio.slog import Refusal, slog_points

NO_DEVICE = "no_device"


class Refused(NamedTuple):
    """A run that can't be stored: the reason, a notice unless the parsers have one, and the sizes fio wrote."""

    left_out: LeftOut
    notice: Notice | None = None
    block_sizes: frozenset[int] = frozenset()


def refuse(measured: DiskinfoReading | FioReading, why: Notice | Refusal) -> Refused:
    """Record the run as left out. For a refused fio run the parsers already have a notice."""
    left_out = LeftOut(why.code, why.message, measured.first_line, measured.last_line)
    points = slog_points(measured) if isinstance(measured, FioReading) else ()
    sizes = frozenset(point.block_size for point in points)
    return Refused(left_out, why if isinstance(why, Notice) else None, sizes)


def join_refused(refused: Iterable[Refused]) -> Iterator[Refused]:
    """Merge runs of a shell loop, one per block size, into the one run they would have been."""
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
