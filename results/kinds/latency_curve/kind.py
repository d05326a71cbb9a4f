"""The kind of results with a latency per block size, by diskinfo -wS or fio."""

from typing import Any

from rest_framework import serializers

from results.charts.description import Series
from results.charts.options import ChartOptions
from results.kinds.latency_curve.charts import TAIL_BAND, chart_context, tail_points
from results.kinds.latency_curve.ladder import device_ladder, paste_ladder
from results.kinds.latency_curve.metrics import FLUSH, METRICS, PERCENTILES, RANKED_BY, WRITE
from results.kinds.latency_curve.read import find_curves
from results.kinds.latency_curve.tables import DIGITS, TAIL_FIGURES, points_of, tails_of
from results.kinds.result_kind import Payload, ResultKind
from results.models.choices import Method


class PointSerializer(serializers.Serializer):
    """One line of a curve."""

    block_size = serializers.IntegerField(help_text="bytes")
    latency_us = serializers.FloatField(
        help_text="mean time of one write and its flush, in µs: what each writer waits"
    )
    throughput_mib_s = serializers.FloatField(help_text="of all writers, in MiB/s")


class TailSerializer(serializers.Serializer):
    """How long slow writes take, or slow flushes if these are a separate step."""

    block_size = serializers.IntegerField(help_text="bytes")
    part = serializers.ChoiceField(
        choices=[WRITE, FLUSH], help_text="what the figures measure; they don't add up"
    )
    p99_us = serializers.FloatField(allow_null=True, help_text="99 of 100 take no longer, in µs")
    p999_us = serializers.FloatField(allow_null=True, help_text="999 of 1,000, in µs")
    p9999_us = serializers.FloatField(allow_null=True, help_text="9,999 of 10,000, in µs")
    max_us = serializers.FloatField(allow_null=True, help_text="the slowest one, in µs")


class LatencyCurveSerializer(serializers.Serializer):
    """The curve, and the slow writes and flushes."""

    points = PointSerializer(many=True, help_text="one for each block size that was measured")
    tails = TailSerializer(many=True, help_text="percentiles that fio printed; empty without any")


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
    computed=lambda payload: {
        "points": [
            {
                "block_size": point.block_size,
                "latency_us": point.latency_us,
                "throughput_mib_s": round(point.throughput_mib_s, DIGITS),
            }
            for point in points_of(payload["latency_us"], payload["writers"])
        ],
        "tails": [
            {"block_size": size, "part": part, **dict(zip(TAIL_FIGURES, figures, strict=True))}
            for size, part, figures in tails_of(payload["tails"])
        ],
    },
    serializer=LatencyCurveSerializer,
    on_device=device_ladder,
    on_paste=paste_ladder,
    columns=("latency_us", "tails"),
    ranked_by={board.value: key for board, key in RANKED_BY.items()},
)
