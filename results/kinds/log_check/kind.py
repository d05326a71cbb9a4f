"""Checks of log devices in use as a kind of results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from statistics import median

from django.db.models.functions import Coalesce

from results.core.formats import format_count, format_number
from results.core.record import Record
from results.kinds.log_check.metrics import COMMIT_US, COMMITS_S, METRICS
from results.kinds.log_check.models import COLUMNS, LogCheck
from results.kinds.log_check.read import SLOG_CHECK, find_log_checks
from results.kinds.metric import Metric
from results.kinds.result_kind import ResultKind, Shown
from results.models import Result
from results.models.choices import SubjectKind

SHOWN_RESULTS = 5  # on a device's page


class LogInUseRecord(Record):
    """What a pool’s log did while its owner checked it; null where the counters or the drives don’t state it."""

    table = LogCheck
    first = COLUMNS


class ShownCheck(Shown):
    """What the log did, in a sentence, and its devices."""

    @property
    def sentence(self) -> str:
        payload = self.payload
        time = f" over {format_count(payload['window_s'], 'second')}"
        commits = f"{format_number(payload['commits_s'])} commits a second{time}"
        if payload["write_us"] is None:
            return f"{commits}."
        write = f"a write to the log took {format_number(payload['write_us'])} µs"
        flush = f" and a flush {format_number(payload['flush_us'])} µs" if payload["flush_us"] else ""
        return f"{commits}; {write}{flush}."

    @property
    def conditions(self) -> dict[str, str]:
        return {"Log device": self.payload["log_name"]}


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure of several machines: the lowest, the median and the highest."""

    metric: Metric
    values: Sequence[float]

    @property
    def median(self) -> str:
        return self.metric.with_unit(median(self.values))

    @property
    def range(self) -> str:
        """As in "120 to 4,100"; "" if all are equal."""
        ends = [self.metric.text(end) for end in (min(self.values), max(self.values))]
        return " to ".join(ends) if ends[0] != ends[1] else ""


@dataclass(frozen=True, slots=True)
class InUse:
    """The pools that a device is the log of, by their newest checks."""

    count: int
    spreads: Sequence[Spread]
    newest: Sequence[str]  # ids of results


def _on_device(device_id: int) -> InUse | None:
    """One query. A pool that was checked several times counts once."""
    checks = (
        Result.objects.published()
        .filter(method=SLOG_CHECK, pool__logs=device_id)
        .annotate(first_pool=Coalesce("pool__same_as", "pool"))
        .order_by("pk")
    )
    newest = {row["first_pool"]: row for row in checks.values("pk", "first_pool", "public_id", "metrics")}
    found = sorted(newest.values(), key=itemgetter("pk"), reverse=True)
    if not found:
        return None
    spreads = (
        _spread(METRICS[key], (row["metrics"].get(key) for row in found)) for key in (COMMITS_S, COMMIT_US)
    )
    return InUse(len(found), list(filter(None, spreads)), [row["public_id"] for row in found[:SHOWN_RESULTS]])


def _spread(metric: Metric, values: Iterable[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    return Spread(metric, known) if known else None


LOG_CHECK = ResultKind(
    key="log_check",
    label="Log devices in use",
    meaning="What a pool’s log device has to do in daily use and how long it takes, as its owner checked it.",
    methods={SLOG_CHECK: "check of a SLOG"},
    metrics=METRICS,
    find_runs=find_log_checks,
    shown=ShownCheck,
    record=LogInUseRecord,
    on_device=_on_device,
    subject=SubjectKind.POOL,
    table=LogCheck,
    columns=COLUMNS,
)
