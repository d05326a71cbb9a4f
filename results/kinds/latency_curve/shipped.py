"""Published curves that the project ships."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from parsers.base.readings import LatencyPoint
from parsers.base.target import target_of
from results.core.lines import DATA, matching, words
from results.kinds.curve.run import CurveRun, curve_of
from results.kinds.shipped import LatencyLine, Published, figure_digits, figure_of
from results.models import lengths
from results.models.choices import Method
from results.models.fields import BLOCK_SIZES

CURVE_FILE = DATA / "latency_curve.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveLine(LatencyLine):
    """A point of a curve."""

    method: Method
    doubt: Annotated[str, words(lengths.REASON, may_be_empty=True)]
    block_size: int
    # how many wrote at the same time, if more than one
    writers: Annotated[int | None, matching("(?!1$)[1-9][0-9]{0,3}", "a number from 2 to 9999")]
    pair_of: str  # for the other half of a pair: the result that is ranked

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """The curve whose points these lines are."""
        first, figure = lines[0], figure_of(lines)
        points = [LatencyPoint(line.block_size, line.latency_us, None) for line in lines]
        run = CurveRun(
            **first.for_run | {"is_complete": len(points) == len(BLOCK_SIZES)},
            method=first.method,
            curve=curve_of(points),
            doubt=first.doubt,
            writers=first.writers,
            pair_of=first.pair_of,
            target=target_of(first.run_columns.get("path", "")),
        )
        return first.published(run, figure, figure_digits(figure))
