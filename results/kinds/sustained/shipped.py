"""Published sustained figures that the project ships: a reading or a mean, without the series it is from."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from results.core.described import checks_of
from results.core.lines import DATA, LineError, Stated
from results.kinds.series.models import FIGURE, Sustained
from results.kinds.shipped import DriveLine, Published
from results.kinds.sustained.questions import CONTENTS, STORED_CONTENT
from results.kinds.sustained.read import MAX_IN_FLIGHT, SustainedRun
from results.models.choices import Pattern

SUSTAINED_FILE = DATA / "sustained.csv"
NOT_RANKED = "Only this figure was published, not its series, so nobody can check it."
_PATTERNS = {0: Pattern.SEQUENTIAL.value, 100: Pattern.RANDOM.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainedLine(DriveLine):
    """A sustained figure, at a minute of its test."""

    figures: Annotated[Stated, checks_of(Sustained)]

    def check(self) -> None:
        """Require a figure."""
        if not self.figures.get("sustained_iops"):
            raise LineError("sustained_iops: there is no figure")
        if self.figures.get("content", "random") not in CONTENTS:
            raise LineError(f"content: {self.figures['content']!r} is not one of {', '.join(CONTENTS)}")

    def identity(self) -> tuple[Hashable, ...]:
        """A result has one line."""
        return (f"survey_id: {self.survey_id!r}",)

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """The figure of the only line."""
        (line,) = lines
        figures = line.figures
        in_flight = figures.get("queue_depth", 1) * figures.get("workers", 1)
        share = figures.get("random_percent")
        run = SustainedRun(
            **line.for_run,
            method=FIGURE,
            not_ranked_reason=NOT_RANKED,
            data_content=STORED_CONTENT.get(figures.get("content", "")),
            pattern=None if share is None else _PATTERNS.get(share, Pattern.MIXED.value),
            writers=min(in_flight, MAX_IN_FLIGHT) if in_flight > 1 else None,
            figures=figures,
        )
        return line.published(run, line.figure)
