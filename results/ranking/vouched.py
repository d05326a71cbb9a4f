"""The metrics and the curve behind a recommendation: only from results that someone is accountable for."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from results.kinds.latency_curve.metrics import Curve


class VouchedFigures(NamedTuple):
    """The values of the DeviceRanking columns with these names."""

    unit_count: int
    result_count: int
    metrics: dict[str, float]
    median_us: Curve


def vouched_figures(row: Mapping[str, Any]) -> VouchedFigures:
    """The figures behind the recommendation of a ranking with these columns and `recommended_figures`.

    They are the row's own if no other results count.
    """
    own = {name: row[name] for name in VouchedFigures._fields}
    return VouchedFigures(**(row["recommended_figures"] or own))
