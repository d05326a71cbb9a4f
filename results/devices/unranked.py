"""What was measured of a device that has no rank yet: its best run, why it isn't ranked, and what it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from results.charts.description import Series
from results.charts.options import ChartOptions
from results.core.addresses import address
from results.kinds.curve.charts import Chart, curve_points, draw_chart
from results.kinds.curve.metrics import shown_metrics
from results.kinds.curve.tables import SpreadPoint, spread_points
from results.kinds.flags import what_it_needs
from results.kinds.registry import RANKED_METHODS
from results.kinds.tables import Measure, measures
from results.models import Device, Result
from results.models.choices import METHOD_LABELS


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

    @property
    def method_label(self) -> str:
        return METHOD_LABELS[self.method]

    @property
    def measures(self) -> list[Measure]:
        return measures(self.metrics, shown_metrics(), digits=self.submission__figure_digits)

    @property
    def points(self) -> list[SpreadPoint]:
        """Empty unless it is a curve."""
        points = spread_points(self.latency_us)
        return points if len(points) > 1 else []


def find_unranked_run(device: Device) -> UnrankedRun | None:
    """The newest run of a ranked kind that isn't a copy, with a single writer if there is one. One query."""
    runs = Result.objects.published().filter(
        device=device, method__in=RANKED_METHODS, copy_of=None, latency_us__isnull=False
    )
    fields = UnrankedRun.__dataclass_fields__
    row = runs.order_by(F("writers").asc(nulls_first=True), "-id").values_list(*fields).first()
    return UnrankedRun(*row) if row else None


def chart_of_run(name: str, run: UnrankedRun, options: ChartOptions) -> Chart | None:
    return draw_chart(
        [Series(name, curve_points(run.latency_us), writers=run.writers or 1)],
        f"{name}: one run that isn't ranked",
        options=options,
        image_url=options.image_url(address("result-chart", run.public_id)),
    )
