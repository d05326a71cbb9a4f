"""The kind of results with a latency per block size, by diskinfo -wS, slogprobe or fio."""

from functools import cached_property

from results.charts.description import Series
from results.core.record import Record, field
from results.kinds.curve.charts import TAIL_BAND, Chart, draw_chart, tail_points
from results.kinds.curve.ladder import device_ladder, paste_ladder
from results.kinds.curve.metrics import FLUSH, METRICS, PERCENTILES, RANKED_BY, WRITE
from results.kinds.curve.tables import Point, PointRecord, Tail, points_of, tails_of
from results.kinds.latency_curve.checks import check_curve
from results.kinds.latency_curve.read import find_curves
from results.kinds.latency_curve.shipped import CURVE_FILE, CurveLine
from results.kinds.result_kind import ResultKind, Shown
from results.models.choices import Board, Method


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
        "percentiles that fio or slogprobe printed; empty without any",
        to=lambda tails: TailRecord.all_of(tails_of(tails)),
    )


class ShownCurve(Shown):
    """A curve, its chart and its slow writes."""

    percentiles = PERCENTILES

    @property
    def points(self) -> list[Point]:
        return points_of(self.payload["latency_us"], self.payload["writers"])

    @property
    def tails(self) -> list[Tail]:
        return tails_of(self.payload["tails"])

    @cached_property
    def curve(self) -> Chart | None:
        points = tail_points(self.payload["latency_us"], self.payload["tails"])
        return draw_chart(
            [Series(self.name, points, writers=self.payload["writers"] or 1)],
            f"Latency of {self.name} in this run",
            options=self.options,
            image_url=self.image_url,
            band=TAIL_BAND,
        )


LATENCY_CURVE = ResultKind(
    key="latency_curve",
    label="Latency by block size",
    meaning="Synchronous writes to the device itself, one at a time, each flushed, at several block sizes.",
    methods=dict(Method.choices),
    metrics=METRICS,
    find_runs=find_curves,
    shown=ShownCurve,
    record=LatencyCurveRecord,
    check=check_curve,
    on_device=device_ladder,
    on_paste=paste_ladder,
    columns=("latency_us", "tails"),
    shipped=(CURVE_FILE, CurveLine),
    ranked_by={board.value: key for board, key in RANKED_BY.items()},
    sync_write=RANKED_BY[Board.SYNC_WRITE],
)
