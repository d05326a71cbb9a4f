"""What a device sustains, as a kind of results."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.core.described import meanings_of, with_moved
from results.core.formats import format_block_size, format_capacity, format_number
from results.core.record import Record, field
from results.kinds.limits import check_limits
from results.kinds.result_kind import ResultKind, Shown
from results.kinds.series.charts import SeriesChart, draw_series, line_of, time_label
from results.kinds.series.figures import device_section, pattern_label
from results.kinds.series.models import (
    COLUMNS,
    METHODS,
    SERIES_COLUMNS,
    STATES,
    Sustained,
    SustainedSeries,
)
from results.kinds.series.steady import NOT_STEADY, PLATEAU, SHORT, STEADY
from results.kinds.sustained.metrics import METRICS
from results.kinds.sustained.questions import CONTENTS, QUESTIONS
from results.kinds.sustained.read import NEEDS, find_series
from results.kinds.sustained.shipped import SUSTAINED_FILE, SustainedLine


class PhaseRecord(Record):
    """A time of writing without a pause."""

    start_s: float = field("from the start of the series, in s")
    end_s: float = field("in s")
    rounds: list[float] = field("mean writes per second of each whole minute")


class SustainedRecord(Record):
    """A series minute by minute, and its conditions: null or empty where nobody states it."""

    table = Sustained
    columns = with_moved(meanings_of(Sustained), "phases")

    phases: list[PhaseRecord] = field(to=list)


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A time of writing; `rounds` are its whole minutes."""

    start_s: float
    end_s: float
    rounds: Sequence[float]

    @property
    def time(self) -> str:
        return f"{time_label(self.start_s)} to {time_label(self.end_s)}"

    @property
    def slowest(self) -> float:
        return min(self.rounds)


class ShownSeries(Shown):
    """What a series shows, its conditions, its times of writing and its chart."""

    @property
    def sentences(self) -> list[str]:
        """What the series shows, in sentences."""
        payload = self.payload
        if not payload["points"]:
            minute = f" in minute {payload['at_minute']}" if payload["at_minute"] else ""
            return [
                f"{format_number(payload['sustained_iops'])} writes per second{minute}. Only this figure was "
                "published, not the series, so nobody can check whether it was steady."
            ]
        verdict, mean = payload["verdict"], payload["sustained_iops"]
        if not verdict:
            return ["A series of latencies: it shows how long writes take over time, but no IOPS."]
        if verdict == SHORT:
            return [
                "Its last write phase is shorter than five minutes, so we can’t tell what the device sustains."
            ]
        range_percent, rise = payload["range_percent"], payload["rise_percent"]
        spread = (
            f"the range of the last five minutes is {format_number(range_percent)} % of their mean, and they "
            f"{'rise' if rise >= 0 else 'fall'} by {format_number(abs(rise))} %"
        )
        iops = f"{format_number(mean)} writes per second"
        written = payload["written_before"]
        before = f" It had written {format_capacity(round(written))} before that." if written else ""
        says = {
            STEADY: f"Steady at {iops}: {spread}.",
            PLATEAU: f"A plateau at {iops}: {spread}. That is flat, but twice the capacity has to be written before "
            f"it counts as steady.{before}",
            NOT_STEADY: f"Not steady: it ends at {iops}, but {spread}. The limits are 20 % and 10 %.",
        }
        first, drop = payload["first_minute_iops"], payload["minutes_to_drop"]
        found = [says[verdict]]
        if first and drop is not None:
            found.append(
                f"It began at {format_number(first)} in the first minute and dropped after {drop} min of writing."
            )
        elif first:
            found.append(f"It began at {format_number(first)} in the first minute.")
        if payload["recovery_percent"] is not None:
            found.append(
                f"After the pause, it restarted at {format_number(payload['recovery_percent'])} % of its first "
                "minute."
            )
        return found

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that make series comparable, by label; "" where not stated."""
        payload = self.payload
        size, depth, workers = payload["transfer_size"], payload["queue_depth"], payload["workers"]
        content, _, share = payload["content"].partition(" ")
        return {
            "Order": pattern_label(payload["random_percent"]),
            "Transfer size": format_block_size(size) if size else "",
            "Data": f"{CONTENTS.get(content, content)}{f' ({share} %)' if share else ''}",
            "Queue depth": str(depth) if depth else "",
            "Workers": str(workers) if workers else "",
            "State before": STATES.get(payload["state_before"], ""),
        }

    @property
    def phases(self) -> list[ShownPhase]:
        return [ShownPhase(**phase) for phase in self.payload["phases"]]

    @property
    def chart(self) -> SeriesChart | None:
        line = line_of(self.payload, self.name)
        return draw_series([line], f"{self.name} over time", options=self.options) if line else None


SUSTAINED = ResultKind(
    key="sustained",
    label="Sustained writes: IOPS over time",
    meaning="Writes per second over an hour or more: the first minute, the drop, and what the device sustains.",
    methods=METHODS,
    metrics=METRICS,
    find_runs=find_series,
    shown=ShownSeries,
    record=SustainedRecord,
    check=check_limits,
    on_device=device_section,
    questions=QUESTIONS,
    questions_if_refused=frozenset({NEEDS}),
    table=Sustained,
    columns=COLUMNS,
    copied_rows="points",
    bulk_table=SustainedSeries,
    shipped=(SUSTAINED_FILE, SustainedLine),
    bulk_columns=SERIES_COLUMNS,
)
