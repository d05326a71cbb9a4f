"""Curves as tables: one formatted row a block size."""

from collections.abc import Sequence
from typing import Any

from results.charts.series import Series
from results.models.fields import BLOCK_SIZES
from results.presentation import format_block_size, format_number
from results.ranking.score import ZIL_BLOCK_SIZES, iops, throughput_mib_s

Curve = Sequence[float | None]


def point_rows(curve: Curve) -> list[dict[str, Any]]:
    """The measured sizes of one run."""
    return [
        {
            "block_size": format_block_size(block_size),
            "latency": format_number(latency_us),
            "throughput": format_number(throughput_mib_s(block_size, latency_us)),
            "iops": format_number(iops(latency_us)),
            "is_ranked": block_size in ZIL_BLOCK_SIZES,
        }
        for block_size, latency_us in zip(BLOCK_SIZES, curve, strict=True)
        if latency_us is not None
    ]


def spread_rows(
    median: Curve, lowest: Curve | None = None, highest: Curve | None = None
) -> list[dict[str, Any]]:
    """The measured sizes of a device: the median of its units, and how far they lie apart, where known."""
    unknown: Curve = [None] * len(BLOCK_SIZES)
    return [
        {
            "block_size": format_block_size(block_size),
            "median": format_number(median_us),
            "low": format_number(low_us),
            "high": format_number(high_us),
            "throughput": format_number(throughput_mib_s(block_size, median_us)),
            "is_ranked": block_size in ZIL_BLOCK_SIZES,
        }
        for block_size, median_us, low_us, high_us in zip(
            BLOCK_SIZES, median, lowest or unknown, highest or unknown, strict=True
        )
        if median_us is not None
    ]


def points_table(series: Sequence[Series]) -> dict[str, Any]:
    """What partials/chart_points.html needs: the latency of every curve at each size that one of them has."""
    curves = [{point.block_size: point.latency_us for point in one.points} for one in series]
    return {
        "marks": [one.mark for one in series],
        "rows": [
            {
                "block_size": format_block_size(block_size),
                "latencies": [format_number(curve.get(block_size)) for curve in curves],
                "is_ranked": block_size in ZIL_BLOCK_SIZES,
            }
            for block_size in BLOCK_SIZES
            if any(block_size in curve for curve in curves)
        ],
    }
