"""Find grids in a parsed paste: a run of iozone, a loop over record sizes, or repeats of one test."""

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from parsers.base.readings import IozoneReading, IozoneRow, Notice, ParsedPaste, SmartctlReading
from parsers.base.units import GIBIBYTE, KIBIBYTE
from results.core.drive_names import DriveName
from results.core.formats import SHORT_DIGITS, round_figure
from results.kinds.envelope import (
    DescribedPool,
    RowRun,
    Run,
    Stated,
    fitting_condition,
    fitting_text,
    payload_of,
)
from results.kinds.file_grid.checks import check_grid
from results.kinds.file_grid.models import FileGrid
from results.kinds.file_grid.questions import REPEATED, doubts
from results.kinds.pool.pools import FoundPool, is_any_of
from results.kinds.pool.runs import Where, answered_at, conditions_at, paste_with_pools, path_of_iozone
from results.kinds.refused import Refused, refused
from results.models import lengths
from results.models.fields import LARGEST_INTEGER
from results.models.result import MAX_WRITERS

IOZONE = "iozone"
NEVER_RANKED = "Pool grids aren’t ranked: layout, memory and settings differ from one pool to the next."
MAX_ROWS = 1000
FASTEST_MIB_S = 1_000_000.0  # 1 TB/s
TOO_MANY = f"We keep the first {MAX_ROWS:,} rows of this run."
NO_RECORD_SIZE = (
    "iozone’s figures are operations per second, but the text doesn’t state the record size. Paste the command or "
    "the lines above the figures, too."
)
IMPOSSIBLE = "Figures above 1 TB/s can’t be right, so we leave them out."
_VARIED = re.compile(r" -[irsngyqlutfFbP](?: (?!-)\S+)*")  # options that the runs of a loop differ in
Cells = dict[tuple[int | None, int | None, int | None], dict[str, list[float]]]


class GridRun(RowRun):
    """A grid."""

    table = FileGrid


def find_grids(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused | Notice]:
    """Find all grids, in the order of the text."""
    readings = [reading for reading in paste.readings if isinstance(reading, IozoneReading)]
    if not readings:
        return
    within = paste_with_pools(paste, stated)
    is_repeated = stated.answers.about().get("repeats") == REPEATED
    groups: list[tuple[Where, list[IozoneReading]]] = []
    for reading in readings:
        where = within.run_at(path_of_iozone(reading), reading.first_line)
        joined = next(
            (
                group
                for at, group in (groups if is_repeated else groups[-1:])
                if at.found == where.found and _belong(group, reading, is_repeated=is_repeated)
            ),
            None,
        )
        if joined is None:
            groups.append((where, [reading]))
        else:
            joined.append(reading)
    for where, group in groups:
        yield from _grid(where, group, is_only=len(readings) == 1)


def _belong(group: Sequence[IozoneReading], reading: IozoneReading, *, is_repeated: bool) -> bool:
    """Whether a run is part of the same grid: by its sender a repeat, else a step of a loop with other cells."""
    first = group[0]
    if _setting(first) != _setting(reading):
        return False
    if is_repeated:
        return True
    taken = {cell for reading in group for cell in _cells_of(reading)}
    return None not in (first.command, reading.command) and taken.isdisjoint(_cells_of(reading))


def _setting(reading: IozoneReading) -> tuple[Any, ...]:
    """What all runs of a grid share: everything but the sizes, tests and files of their commands."""
    command = reading.command and _VARIED.sub("", f"{reading.command} ").strip()
    return (command, reading.unit, reading.is_sync, reading.includes_flush, reading.is_direct)


def _cells_of(reading: IozoneReading) -> set[tuple[Any, ...]]:
    return {(row.file_kb, row.reclen_kb, row.processes, name) for row in reading.rows for name in row.figures}


def _grid(where: Where, group: Sequence[IozoneReading], *, is_only: bool) -> Iterator[Run | Refused | Notice]:
    first = group[0]
    cells: Cells = {}
    faults: set[str] = set()
    for reading in group:
        for printed in reading.rows:
            _take(printed, reading, cells, faults)
    yield from (Notice("grid", fault, first.first_line) for fault in sorted(faults))
    rows = [row for key, figures in cells.items() if (row := _row(key, figures))]
    if not rows:
        message = next(iter(sorted(faults)), "This iozone run has no figures we can use.")
        yield refused("grid", message, first.first_line, group[-1].last_line)
        return
    processes = {row["processes"] for row in rows}
    writers = processes.pop() if len(processes) == 1 else None
    pool = where.pool
    figures = {
        "rows": rows,
        "runs": max(len(values) for found in cells.values() for values in found.values()),
        "unit": first.unit,
        "each_synced": first.is_sync,
        "flush_timed": first.includes_flush,
        "doubted": [
            {"operation": name, "record_bytes": size} for name, size in doubts(where.answers["doubts"])
        ]
        if "doubts" in where.answers
        else [],
        **_conditions(where, pool),
    }
    is_complete = all(reading.complete for reading in group) and not faults
    text = where.within.paste
    yield GridRun(
        pool=pool,
        path=fitting_condition(where.path),
        platform=pool.platform,
        method=IOZONE,
        is_complete=is_complete,
        not_ranked_reason=NEVER_RANKED,
        is_direct=first.is_direct or None,  # what is said without -I is about fio
        writers=writers if writers and 1 < writers <= MAX_WRITERS else None,
        first_line=first.first_line,
        last_line=group[-1].last_line,
        measured_on=where.within.stated.day_of(first.measured_on),
        flags=tuple(check_grid(payload_of(FileGrid, figures), is_complete=is_complete)),
        answers_key=where.answers_key,
        answered=answered_at(where, pool, {}).union(
            ["repeats"] if is_only else [], ["drives"] if drives_of(where.found, text) else []
        ),
        figures=figures,
    )


def _take(row: IozoneRow, reading: IozoneReading, cells: Cells, faults: set[str]) -> None:
    """Add a row's rates in MiB/s; operations per second are records."""
    record = row.reclen_kb
    if reading.unit == "ops/s" and not record:
        faults.add(NO_RECORD_SIZE)
        return
    if record and record * KIBIBYTE > LARGEST_INTEGER:
        return
    key = (row.file_kb, record, row.processes)
    if key not in cells and len(cells) >= MAX_ROWS:
        faults.add(TOO_MANY)
        return
    factor = (record or 1) if reading.unit == "ops/s" else 1
    for name, value in row.figures.items():
        rate = float(value) * factor / KIBIBYTE
        if rate > FASTEST_MIB_S:
            faults.add(IMPOSSIBLE)
            continue
        cells.setdefault(key, {}).setdefault(name, []).append(rate)


def _row(
    key: tuple[int | None, int | None, int | None], figures: Mapping[str, list[float]]
) -> dict[str, Any]:
    """A row as it is stored; of repeats the median, with the extremes."""
    file_kb, record, processes = key
    repeated = {name: values for name, values in figures.items() if len(values) > 1}
    extremes = {
        end: {name: round_figure(choose(values), SHORT_DIGITS) for name, values in repeated.items()}
        for end, choose in (("low", min), ("high", max))
    }
    return {
        "file_bytes": file_kb * KIBIBYTE if file_kb else None,
        "record_bytes": record * KIBIBYTE if record else None,
        "processes": processes,
        "mib_s": {name: round_figure(median(values), SHORT_DIGITS) for name, values in figures.items()},
        **(extremes if repeated else {}),
    }


def _conditions(where: Where, pool: DescribedPool) -> dict[str, Any]:
    answers = where.answers
    found = conditions_at(where, pool, {})
    limit = answers.get("arc_limit_gib", "")
    return {
        **{name: value for name, value in found.items() if name != "arc_bytes"},
        "memory_bytes": found["arc_bytes"],
        "arc_bytes": int(float(limit) * GIBIBYTE) if limit else None,
        "drives": drives_of(where.found, where.within.paste) or answers.get("drives", ""),
    }


def drives_of(pool: FoundPool | None, paste: ParsedPaste) -> str:
    """The models of the data drives that smartctl describes in the same text; "" without any."""
    if pool is None or pool.status is None:
        return ""
    nodes = [node for vdev in pool.status.vdevs if vdev.role == "data" for node in vdev.devices]
    described = [
        reading
        for reading in paste.readings
        if isinstance(reading, SmartctlReading) and is_any_of(reading, nodes)
    ]
    names = dict.fromkeys(
        DriveName(reading.model_name, reading.user_capacity).model
        for reading in described
        if reading.model_name
    )
    return fitting_text(", ".join(names), longest=2 * lengths.MODEL_NAME)
