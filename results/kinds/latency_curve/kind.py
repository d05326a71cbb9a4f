"""The kind of results with a latency per block size, by diskinfo -wS or fio."""

from typing import Any

from results.charts.description import Series
from results.charts.options import ChartOptions
from results.core.record import Record, field
from results.kinds.latency_curve.charts import TAIL_BAND, chart_context, tail_points
from results.kinds.latency_curve.ladder import device_ladder, paste_ladder
from results.kinds.latency_curve.metrics import FLUSH, METRICS, PERCENTILES, RANKED_BY, WRITE
from results.kinds.latency_curve.read import find_curves
from results.kinds.latency_curve.tables import DIGITS, points_of, tails_of
from results.kinds.result_kind import Payload, ResultKind
from results.models.choices import Method


class PointRecord(Record):
    """One line of a curve."""

    block_size: int = field("bytes")
    latency_us: float = field("mean time of one write and its flush, in µs: what each writer waits")
    throughput_mib_s: float = field("of all writers, in MiB/s", to=lambda rate: round(rate, DIGITS))


class TailRecord(Record):
    """How long slow writes take, or slow flushes if these are a separate step."""

    block_size: int = field("bytes")
    part: str = field("what the figures measure; they don't add up", choices=[WRITE, FLUSH])
    p99_us: float | None = field("99 of 100 take no longer, in µs", lambda tail: tail.figures[0])
    p999_us: float | None = field("999 of 1,000, in µs", lambda tail: tail.figures[1])
    p9999_us: float | None = field("9,999 of 10,000, in µs", lambda tail: tail.figures[2])
    max_us: float | None = field("the slowest one, in µs", lambda tail: tail.figures[3])


class LatencyCurveRecord(Record):
    """The curve, and the slow writes and flushes."""

    points: list[PointRecord] = field(
        "one for each block size that was measured",
        lambda payload: PointRecord.all_of(points_of(payload["latency_us"], payload["writers"])),
        to=list,
    )
    tails: list[TailRecord] = field(
        "percentiles that fio printed; empty without any",
        to=lambda tails: TailRecord.all_of(tails_of(tails)),
    )


def _context(
    payload: Payload,
    name: str,
    *,
    options: ChartOptions | None = None,
    image_url: str = "",
    digits: int | None = None,
) -> dict[str, Any]:
    curve, writers = payload["latency_us"], payload["writers"]
    series = Series(name, tail_points(curve, payload["tails"]), writers=writers or 1)
    return {
        "points": points_of(curve, writers),
        "digits": digits,
        "writers": writers,
        "tails": tails_of(payload["tails"]),
        "percentiles": PERCENTILES,
        **chart_context(
            [series], f"Latency of {name} in this run", options=options, image_url=image_url, band=TAIL_BAND
        ),
    }


LATENCY_CURVE = ResultKind(
    key="latency_curve",
    label="Latency by block size",
    meaning="Synchronous writes to the device itself, one at a time, each flushed, at several block sizes.",
    methods=dict(Method.choices),
    metrics=METRICS,
    find_runs=find_curves,
    context=_context,
    record=LatencyCurveRecord,
    on_device=device_ladder,
    on_paste=paste_ladder,
    columns=("latency_us", "tails"),
    ranked_by={board.value: key for board, key in RANKED_BY.items()},
)
