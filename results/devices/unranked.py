"""What was measured of a device that has no rank yet: its best run, why it isn't ranked, and what it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from results.charts.description import Series
from results.charts.options import ChartOptions
from results.core.addresses import address
from results.kinds.flags import what_it_needs
from results.kinds.latency_curve.charts import chart_context, curve_points
from results.kinds.latency_curve.metrics import shown_metrics
from results.kinds.latency_curve.tables import spread_rows
from results.kinds.registry import RANKED_METHODS
from results.kinds.tables import measures
from results.models import Device, Result
from results.models.choices import METHOD_LABELS
from results.ranking.standing import Figures

OWN_RUN = "a run on the whole drive, without a file system"


@dataclass(frozen=True, slots=True)
class UnrankedRun:
    """The run of a device that is most like a ranked one; latencies in µs by slot."""

    public_id: str
    method: str
    writers: int | None
    latency_us: Sequence[float | None]
    metrics: Mapping[str, float]
    submission__figure_digits: int | None
    not_ranked_reason: str
    flags: Sequence[Mapping[str, str]]

    @property
    def needs(self) -> str:
        return what_it_needs(self.not_ranked_reason, self.flags)


def find_unranked_run(device: Device) -> UnrankedRun | None:
    """The newest run of a ranked kind that isn't a copy, with a single writer if there is one. One query."""
    runs = Result.objects.published().filter(
        device=device, method__in=RANKED_METHODS, copy_of=None, latency_us__isnull=False
    )
    fields = UnrankedRun.__dataclass_fields__
    row = runs.order_by(F("writers").asc(nulls_first=True), "-id").values_list(*fields).first()
    return UnrankedRun(*row) if row else None


def unranked_context(figures: Figures, run: UnrankedRun | None, options: ChartOptions) -> dict[str, Any]:
    """What devices/page.html shows without a ranking: `unranked`, and the figures and the curve of the run."""
    name = figures.name
    if run is None:
        return {"unranked": {"needs": OWN_RUN, "reason": "", "url": ""}}
    is_curve = sum(latency_us is not None for latency_us in run.latency_us) > 1
    return {
        "unranked": {
            "needs": run.needs,
            "reason": run.not_ranked_reason,
            "url": address("result", run.public_id),
            "method": METHOD_LABELS[run.method],
        },
        "metrics": measures(run.metrics, shown_metrics(), digits=run.submission__figure_digits),
        "curve": spread_rows(run.latency_us) if is_curve else [],
        **chart_context(
            [Series(name, curve_points(run.latency_us), writers=run.writers or 1)],
            f"{name}: one run that isn't ranked",
            options=options,
            image_url=options.image_url(address("result-chart", run.public_id)),
        ),
    }
