"""Runs that can't be stored."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from parsers.base.readings import (
    DiskinfoReading,
    FileSyncReading,
    FioReading,
    LeftOut,
    Notice,
    SlogprobeReading,
)
from parsers.fio.slog import SlogRefusal, rungs_of

NO_DEVICE = "no_device"


class Refused(NamedTuple):
    """A run that can't be stored: the reason, a notice if needed, and what fio wrote."""

    left_out: LeftOut
    notice: Notice | None = None
    block_sizes: frozenset[int] = frozenset()
    writers: frozenset[int] = frozenset()  # the numbers of concurrent writers


def refused(code: str, message: str, first_line: int, last_line: int) -> Refused:
    """The refusal of a run on these lines, with a notice."""
    return Refused(LeftOut(code, message, first_line, last_line), Notice(code, message, first_line))


def refuse(
    measured: DiskinfoReading | FioReading | SlogprobeReading | FileSyncReading, why: Notice | SlogRefusal
) -> Refused:
    """Record the run as left out; refused fio runs already have a parsers' notice."""
    left_out = LeftOut(why.code, why.message, measured.first_line, measured.last_line)
    rungs = rungs_of(measured) if isinstance(measured, FioReading) else ()
    sizes = frozenset(point.block_size for rung in rungs for point in rung.points())
    writers = frozenset(rung.writers for rung in rungs)
    return Refused(left_out, why if isinstance(why, Notice) else None, sizes, writers)


def join_refused(refused: Iterable[Refused]) -> list[Refused]:
    """Merge runs of a shell loop, one per block size, into a single run."""
    joined: list[Refused] = []
    for refusal in refused:
        if joined and _continues(joined[-1], refusal):
            before = joined.pop()
            left_out = replace(before.left_out, last_line=refusal.left_out.last_line)
            joined.append(
                before._replace(left_out=left_out, block_sizes=before.block_sizes | refusal.block_sizes)
            )
        else:
            joined.append(refusal)
    return joined


def _continues(refused: Refused, following: Refused) -> bool:
    is_alike = refused.left_out.code == following.left_out.code == NO_DEVICE
    is_by_fio = bool(refused.block_sizes and following.block_sizes)
    is_same_load = refused.writers == following.writers
    return is_alike and is_by_fio and is_same_load and refused.block_sizes.isdisjoint(following.block_sizes)
