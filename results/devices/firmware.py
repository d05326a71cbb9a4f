"""A device's firmware versions side by side, by the rules of the ranking, and how they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import BooleanField, Case, F, Value, When

from results.core.addresses import address
from results.core.formats import format_hours, split_platform
from results.kinds.curve.metrics import shown_metrics
from results.kinds.dates import date_of_run, origin_of_run
from results.kinds.flags import PROTECTION_FAILED, ranking_state, reasons_shown
from results.kinds.metric import Metric
from results.kinds.registry import RANKED_METHODS
from results.kinds.tables import MetricCell, metric_cells
from results.models import Device, DeviceRanking, Result
from results.ranking.intervals import GUESSED_SPREAD, Interval, median_interval


@dataclass(frozen=True, slots=True)
class FirmwareFigure:
    """The median over the independent units that ran a version, and its interval, in µs."""

    version: str
    unit_count: int
    latency_us: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class FirmwareDifference:
    """Two versions whose intervals don't overlap, and how many times as long the slower one takes."""

    faster: FirmwareFigure
    slower: FirmwareFigure
    factor: float


def firmware_figures(ranking: DeviceRanking) -> list[FirmwareFigure]:
    """The versions named by a device's ranked results, by the upper end of their intervals."""
    spread = ranking.board_spread or GUESSED_SPREAD
    figures = []
    for stored in ranking.firmwares:
        latency_us, unit_count = stored["latency_us"], stored["unit_count"]
        interval = median_interval(latency_us, stored["deviation"], unit_count, spread=spread)
        figures.append(FirmwareFigure(stored["version"], unit_count, latency_us, interval))
    return sorted(figures, key=lambda figure: (figure.interval.high, figure.version))


def find_differences(figures: Sequence[FirmwareFigure]) -> list[FirmwareDifference]:
    """Each version whose interval begins above the end of the best one's, paired with that one.

    A version that differs from any other also differs from the best, since no interval ends earlier.
    """
    if not figures:
        return []
    best = min(figures, key=lambda figure: figure.interval.high)
    return [
        FirmwareDifference(best, figure, figure.latency_us / best.latency_us)
        for figure in figures
        if figure.interval.low > best.interval.high
    ]


SHOWN_RESULTS = 100
RESULTS_PATH = "/api/v1/results/"
_HAS_TEXT = Case(When(submission__text="", then=Value(False)), default=True, output_field=BooleanField())


class FirmwareRun(NamedTuple):
    """A published result: columns of Result, by these names, with those of DATE_FIELDS."""

    public_id: str
    firmware__version: str | None
    measured_on: date | None
    submission__posted_on: date | None
    submission__survey_id: str | None
    submission__created_at: datetime
    platform: str
    method: str
    metrics: dict[str, float]
    submission__figure_digits: int | None
    wear_percent: int | None
    power_on_hours: int | None
    not_ranked_reason: str
    flags: list[dict[str, Any]]
    has_text: bool

    @property
    def date(self) -> str:
        return date_of_run(self._asdict())

    @property
    def url(self) -> str:
        return address("result", self.public_id)

    @property
    def origin(self) -> str:
        return origin_of_run(self._asdict())

    @property
    def system(self) -> str:
        return split_platform(self.platform)[0]

    @property
    def worn(self) -> str:
        used = "" if self.wear_percent is None else f"{self.wear_percent} % used"
        hours = "" if self.power_on_hours is None else format_hours(self.power_on_hours)
        return ", ".join(filter(None, [used, hours]))

    @property
    def state(self) -> str:
        return ranking_state(self.not_ranked_reason, self.flags)

    @property
    def reasons(self) -> list[str]:
        return reasons_shown(self.not_ranked_reason, self.flags)

    @property
    def protection_failures(self) -> list[str]:
        return [flag["message"] for flag in self.flags if flag["code"] == PROTECTION_FAILED]


@dataclass(frozen=True, slots=True)
class Version:
    """A firmware version, "" if not stated: its ranked figure, if any, and its results, each with its cells."""

    name: str
    figure: FirmwareFigure | None
    results: Sequence[tuple[FirmwareRun, Sequence[MetricCell]]]


@dataclass(frozen=True)
class FirmwareResults:
    """The newest published results of ranked kinds of a device, and the differences between its versions."""

    runs: Sequence[FirmwareRun]
    metrics: Sequence[Metric]
    figures: Sequence[FirmwareFigure]
    digits: int | None  # of the device's figures
    all_results_url: str  # "" if these are all

    @property
    def versions(self) -> list[Version]:
        figures = {figure.version: figure for figure in self.figures}
        return [
            Version(version, figures.get(version), [(run, self._cells(run)) for run in runs])
            for version, runs in groupby(self.runs, lambda run: run.firmware__version or "")
        ]

    def _cells(self, run: FirmwareRun) -> list[MetricCell]:
        return metric_cells(run.metrics, self.metrics, run.submission__figure_digits)

    @property
    def differences(self) -> list[FirmwareDifference]:
        return find_differences(self.figures)

    @property
    def failed(self) -> list[FirmwareRun]:
        return [run for run in self.runs if run.protection_failures]

    @cached_property
    def has_platforms(self) -> bool:
        return any(run.system for run in self.runs)

    @cached_property
    def has_wear(self) -> bool:
        return any(run.worn for run in self.runs)


def find_firmware_results(device: Device, ranking: DeviceRanking | None) -> FirmwareResults:
    runs = _find_published(device)
    return FirmwareResults(
        runs,
        [metric for metric in shown_metrics() if any(metric.key in run.metrics for run in runs)],
        firmware_figures(ranking) if ranking else (),
        ranking.digits if ranking else None,
        f"{RESULTS_PATH}?{urlencode({'device': device.slug})}" if len(runs) == SHOWN_RESULTS else "",
    )


def _find_published(device: Device) -> list[FirmwareRun]:
    newest = (F("measured_on").desc(nulls_last=True), F("id").desc())
    results = Result.objects.published().filter(device=device, method__in=RANKED_METHODS)
    shown = Result.objects.filter(pk__in=results.order_by(*newest).values("pk")[:SHOWN_RESULTS])
    ordered = shown.annotate(has_text=_HAS_TEXT).order_by("firmware__version", *newest)
    return [FirmwareRun(*row) for row in ordered.values_list(*FirmwareRun._fields)]
