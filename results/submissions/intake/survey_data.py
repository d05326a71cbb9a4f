"""Published latencies that the project ships: curves, and figures for writes to files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any, Self

from parsers.base.readings import LatencyPoint
from parsers.base.target import target_of
from results.core.formats import format_block_size
from results.core.lines import DATA, LineError, Stated, matching, meaning, one_of, words
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.file_sync.metrics import typical_row
from results.kinds.file_sync.models import DEVICE_ITSELF
from results.kinds.file_sync.read import NEVER_RANKED, OTHER_TOOL, FileSyncRun
from results.kinds.file_sync.read import row as figure_row
from results.kinds.latency_curve.read import CurveRun, curve_of
from results.kinds.shipped import DriveLine, Published, figure_digits
from results.models import lengths
from results.models.choices import Method
from results.models.fields import BLOCK_SIZES

SURVEY_FILE = DATA / "survey.csv"
# of curves by fio, as results.kinds.latency_curve.read names them
_SYNC_METHODS = ("", "sync", "fsync", "fdatasync")
# what lines of one result may differ in
_POINT_COLUMNS = ("block_size", "figure", "latency_us", "sync_method", "sync_figure")


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyLine(DriveLine):
    """A point of a curve, or a figure for writes to files."""

    method: Annotated[str, one_of([*Method.values, *FILE_SYNC.methods])]
    doubt: Annotated[str, words(lengths.REASON, may_be_empty=True)]
    block_size: int | None
    latency_us: Annotated[Decimal, matching(r"\d+(\.\d+)?", "a number of microseconds")]
    layer: str  # of results that aren't curves, as `sync_figure`
    sync_figure: Annotated[Stated, {"section": str, "writes": int, "p99_us": float}]
    sync_method: str
    # that wrote at the same time, if more than one
    writers: Annotated[int | None, matching("(?!1$)[1-9][0-9]{0,3}", "a number from 2 to 9999")]
    write_cache_enabled: Annotated[bool | None, "write_cache", meaning({"on": True, "off": False})]
    pair_of: str  # of the other half of a pair: the result that is ranked

    def check(self) -> None:
        """Refuse what the method doesn't have."""
        if self.method in FILE_SYNC.methods:
            if self.doubt:
                raise LineError("doubt: leave out doubtful figures of file systems")
            if "writes" not in self.sync_figure:
                raise LineError("writes: missing")
        elif self.layer or self.sync_figure:
            raise LineError("layer, section, writes, p99_us: a curve has none of these")
        elif self.block_size is None:
            raise LineError("block_size: missing")

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """The result whose curve these lines are."""
        first = lines[0]
        for_point = {name: getattr(first, name) for name in _POINT_COLUMNS}
        if any(replace(line, **for_point) != first for line in lines):
            raise ValueError("its lines differ in other columns than block size and latency")
        size = f" at {format_block_size(first.block_size)}" if first.block_size else ""
        figure = f"{first.figure}{size}" if len(lines) == 1 else ""
        names = ("method", "writers", "write_cache_enabled", "pair_of")
        for_run = first.for_run | {name: getattr(first, name) for name in names}
        if first.method in FILE_SYNC.methods:
            return first.published(_file_sync_run(lines, for_run), figure)
        return first.published(_curve_run(lines, for_run), figure, figure_digits(figure))


def _curve_run(lines: Sequence[SurveyLine], for_run: dict[str, Any]) -> CurveRun:
    first = lines[0]
    sync_methods = {line.sync_method for line in lines}
    if len(sync_methods) > 1 or not sync_methods <= set(_SYNC_METHODS):
        raise ValueError("sync_method: all lines of a curve by fio have one of sync, fsync, fdatasync")
    points = [LatencyPoint(line.block_size or 0, line.latency_us, None) for line in lines]
    curve_values = {
        "method": Method(first.method),
        "is_complete": len(points) == len(BLOCK_SIZES),
        "sync_method": first.sync_method or None,
    }
    target = target_of(first.run_columns.get("path", ""))
    return CurveRun(**for_run | curve_values, curve=curve_of(points), doubt=first.doubt, target=target)


def _file_sync_run(lines: Sequence[SurveyLine], for_run: dict[str, Any]) -> FileSyncRun:
    first = lines[0]
    figures = [
        figure_row(line.sync_method, float(line.latency_us), block_size=line.block_size, **line.sync_figure)
        for line in lines
    ]
    if not typical_row(figures):
        raise ValueError("writes: there is no figure for one write with its sync")
    reason = OTHER_TOOL if first.layer == DEVICE_ITSELF else NEVER_RANKED
    return FileSyncRun(**for_run, layer=first.layer, rows=figures, not_ranked_reason=reason)
