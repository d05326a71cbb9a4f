"""What a device sustains, as a kind of results."""

from typing import Any

from results.charts.options import ChartOptions
from results.core.described import meanings_of, with_moved
from results.core.formats import format_block_size, format_capacity, format_number
from results.core.record import Record, field
from results.kinds.result_kind import Payload, ResultKind
from results.kinds.sustained.charts import chart_context, line_of, time_label
from results.kinds.sustained.metrics import METRICS
from results.kinds.sustained.models import (
    COLUMNS,
    CSV,
    FIGURE,
    FIO_LOG,
    SERIES_COLUMNS,
    STATES,
    Sustained,
    SustainedSeries,
)
from results.kinds.sustained.on_device import device_section, pattern_label
from results.kinds.sustained.questions import CONTENTS, QUESTIONS
from results.kinds.sustained.read import NEEDS, find_series
from results.kinds.sustained.steady import NOT_STEADY, PLATEAU, SHORT, STEADY


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


def content_label(content: str) -> str:
    """What was written, in words: "random data", "compressible data (46 %)"."""
    name, _, share = content.partition(" ")
    label = CONTENTS.get(name, name)
    return f"{label} ({share} %)" if share else label


def conditions_of(payload: Payload) -> dict[str, str]:
    """The conditions that make series comparable, by label; "" where not stated."""
    size, depth, workers = payload["transfer_size"], payload["queue_depth"], payload["workers"]
    return {
        "Order": pattern_label(payload["random_percent"]),
        "Transfer size": format_block_size(size) if size else "",
        "Data": content_label(payload["content"]),
        "Queue depth": str(depth) if depth else "",
        "Workers": str(workers) if workers else "",
        "State before": STATES.get(payload["state_before"], ""),
    }


def _context(payload: Payload, name: str, *, options: ChartOptions | None = None, **_: Any) -> dict[str, Any]:
    line = line_of(payload, name)
    return {
        "sustained": {
            "sentences": _sentences(payload),
            "conditions": conditions_of(payload),
            "phases": _phase_rows(payload),
            "procedure": payload["procedure"],
            "chart": chart_context([line], f"{name} over time", options=options) if line else {},
        }
    }


def _phase_rows(payload: Payload) -> list[dict[str, str]]:
    """The times of writing, each with its first, slowest and last minute."""
    return [
        {
            "time": f"{time_label(one['start_s'])} to {time_label(one['end_s'])}",
            "minutes": str(len(one["rounds"])),
            "first": format_number(one["rounds"][0]) if one["rounds"] else "—",
            "slowest": format_number(min(one["rounds"])) if one["rounds"] else "—",
            "last": format_number(one["rounds"][-1]) if one["rounds"] else "—",
        }
        for one in payload["phases"]
    ]


def _sentences(payload: Payload) -> list[str]:
    """What the series shows, in sentences."""
    if not payload["points"]:
        minute = f" in minute {payload['at_minute']}" if payload["at_minute"] else ""
        return [
            f"{format_number(payload['sustained_iops'])} writes per second{minute}. Only this figure was published, "
            "not the series, so nobody can check whether it was steady."
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
        PLATEAU: f"A plateau at {iops}: {spread}. That is flat, but twice the capacity has to be written before it "
        f"counts as steady.{before}",
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
            f"After the pause, it restarted at {format_number(payload['recovery_percent'])} % of its first minute."
        )
    return found


SUSTAINED = ResultKind(
    key="sustained",
    label="Sustained writes: IOPS over time",
    meaning="Writes per second over an hour or more: the first minute, the drop, and what the device sustains.",
    methods={
        FIO_LOG: "a series from fio",
        CSV: "a series as CSV",
        FIGURE: "a published figure without its series",
    },
    metrics=METRICS,
    find_runs=find_series,
    context=_context,
    record=SustainedRecord,
    conditions=conditions_of,
    on_device=device_section,
    asks=QUESTIONS,
    asks_if_refused=frozenset({NEEDS}),
    table=Sustained,
    columns=COLUMNS,
    copied_rows="points",
    bulk_table=SustainedSeries,
    bulk_columns=SERIES_COLUMNS,
)
