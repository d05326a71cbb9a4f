"""Published figures for writes to files that the project ships."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from results.core.lines import DATA, LineError, Stated, one_of
from results.kinds.file_sync.metrics import typical_row
from results.kinds.file_sync.read import NEVER_RANKED, OTHER_TOOL, FileSyncRun, row
from results.kinds.layers import DEVICE_ITSELF, METHODS
from results.kinds.shipped import LatencyLine, Published, figure_of

FILE_SYNC_FILE = DATA / "file_sync.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSyncLine(LatencyLine):
    """The figure of a way of syncing."""

    method: Annotated[str, one_of(METHODS)]
    layer: str
    sync_method: str
    of_row: Annotated[Stated, {"section": str, "writes": int, "p99_us": float}]

    def check(self) -> None:
        """Require the number of writes."""
        if "writes" not in self.of_row:
            raise LineError("writes: missing")

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """The run whose figures these lines are."""
        first, figure = lines[0], figure_of(lines, "sync_method", "of_row")
        rows = [
            row(line.sync_method, float(line.latency_us), block_size=line.block_size, **line.of_row)
            for line in lines
        ]
        if not typical_row(rows):
            raise ValueError("writes: there is no figure for one write with its sync")
        reason = OTHER_TOOL if first.layer == DEVICE_ITSELF else NEVER_RANKED
        run = FileSyncRun(
            **first.for_run, method=first.method, layer=first.layer, rows=rows, not_ranked_reason=reason
        )
        return first.published(run, figure)
