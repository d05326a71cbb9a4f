"""Published sustained figures that the project ships: a reading or a mean, without the series it is from."""

from dataclasses import dataclass
from typing import Annotated

from results.core.lines import DATA, LineError, one_of
from results.kinds.sustained.models import FIGURE, STATES, Sustained
from results.kinds.sustained.questions import CONTENTS, STORED_CONTENT
from results.kinds.sustained.read import MAX_IN_FLIGHT, SustainedRun
from results.models.choices import Pattern
from results.models.conditions import SYNC_METHODS
from results.submissions.intake.shipped_rows import DriveLine

SUSTAINED_FILE = DATA / "sustained.csv"
NOT_RANKED = "Only this figure was published, not its series, so nobody can check it."
_PATTERNS = {0: Pattern.SEQUENTIAL.value, 100: Pattern.RANDOM.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainedLine(DriveLine):
    """A sustained figure, at a minute of its test."""

    first_minute_iops: float | None
    sustained_iops: float
    mean_us: float | None
    p99_us: float | None
    max_us: float | None
    transfer_size: int | None
    random_percent: int | None
    block_align: int | None
    queue_depth: int | None
    workers: int | None
    sync_method: Annotated[str, one_of(["", *SYNC_METHODS])]
    content: Annotated[str, one_of(["", *CONTENTS])]
    state_before: Annotated[str, one_of(["", *STATES])]
    at_minute: int | None
    procedure: str

    def check(self) -> None:
        """Require a figure."""
        if not self.sustained_iops:
            raise LineError("sustained_iops: there is no figure")

    @property
    def run(self) -> SustainedRun:
        """The run that the line describes."""
        in_flight = (self.queue_depth or 1) * (self.workers or 1)
        share = self.random_percent
        return SustainedRun(
            **self.of_run,
            method=FIGURE,
            not_ranked_reason=NOT_RANKED,
            sync_method=self.sync_method or None,
            data_content=STORED_CONTENT.get(self.content),
            pattern=None if share is None else _PATTERNS.get(share, Pattern.MIXED.value),
            block_align=self.block_align,
            writers=min(in_flight, MAX_IN_FLIGHT) if in_flight > 1 else None,
            figures=self.figures_of(Sustained),
        )
