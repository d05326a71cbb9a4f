"""From plain rows to the API's shapes."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from django.urls import reverse

from results.core.links import class_url, full_url, page_count
from results.kinds.latency_curve.metrics import (
    peak_throughput_mib_s,
    throughput_128k_mib_s,
    throughput_mib_s,
    zil_latency_us,
)
from results.models import Submission
from results.models.fields import BLOCK_SIZES, SLOT_4K
from results.models.submission import split_notices
from results.ranking.standing import Rank

Row = dict[str, Any]
Curve = Sequence[float | None]
Ranks = Mapping[tuple[int, str], Rank]  # by device and method

_OWN_DEVICE_FIELDS = ("slug", "model_name", "vendor", "capacity_bytes", "device_class")
DEVICE_FIELDS = (*_OWN_DEVICE_FIELDS, "product__slug", "product__plp")
METRIC_FIELDS = ("zil_latency_us", "latency_4k_us", "throughput_128k_mib_s", "peak_throughput_mib_s")
RANKING_FIELDS = (
    *METRIC_FIELDS,
    "method",
    "formula_version",
    "low_us",
    "high_us",
    "unit_count",
    "result_count",
    "last_measured_on",
)
RESULT_FIELDS = (
    "id",
    "public_id",
    "device_id",
    "device__slug",
    "device__device_class",
    "firmware__version",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    "flags",
    "measured_on",
    "latency_us",
    "zil_latency_us",
    "peak_throughput_mib_s",
)
DIGITS = 3  # behind the point, of µs and MiB/s


def rounded(value: float | None) -> float | None:
    """A figure that was computed, to as many digits as the measured ones have at most."""
    return None if value is None else round(value, DIGITS)


@cache
def page_prefix(name: str) -> str:
    """What stands before the slug in the address of a page; asking for it row by row takes longer than the row."""
    return full_url(reverse(name, args=["-"]).removesuffix("-/"))


@cache
def _values_of(fields: tuple[str, ...], prefix: str) -> Callable[[Row], tuple[Any, ...]]:
    return itemgetter(*(f"{prefix}{name}" for name in fields))


def device_record(row: Row, prefix: str = "") -> Row:
    """DeviceSerializer's shape from a row of DEVICE_FIELDS, whose names begin with `prefix`."""
    slug, model_name, vendor, capacity_bytes, device_class, product, plp = _values_of(DEVICE_FIELDS, prefix)(
        row
    )
    return {
        "slug": slug,
        "model_name": model_name,
        "vendor": vendor,
        "capacity_bytes": capacity_bytes,
        "device_class": device_class,
        "url": f"{page_prefix('device')}{slug}/",
        "product": product,
        "plp": plp or "unknown",
    }


def ranking_record(row: Row) -> Row:
    """RankingSerializer's shape from a row of RANKING_FIELDS."""
    return dict(zip(RANKING_FIELDS, _values_of(RANKING_FIELDS, "")(row), strict=True))


def point_records(curve: Curve) -> list[Row]:
    """PointSerializer's shape for every measured slot."""
    return [
        {
            "block_size": block_size,
            "latency_us": latency_us,
            "throughput_mib_s": rounded(throughput_mib_s(block_size, latency_us)),
        }
        for block_size, latency_us in zip(BLOCK_SIZES, curve, strict=True)
        if latency_us is not None
    ]


def spread_records(median: Curve, lowest: Curve, highest: Curve) -> list[Row]:
    """SpreadPointSerializer's shape for every measured slot."""
    return [
        {
            "block_size": block_size,
            "latency_us": latency_us,
            "throughput_mib_s": rounded(throughput_mib_s(block_size, latency_us)),
            "lowest_us": lowest_us,
            "highest_us": highest_us,
        }
        for block_size, latency_us, lowest_us, highest_us in zip(
            BLOCK_SIZES, median, lowest, highest, strict=True
        )
        if latency_us is not None
    ]


def metric_record(curve: Curve) -> Row:
    """MetricsSerializer's shape of a curve that is not stored."""
    return _metrics(curve, rounded(zil_latency_us(curve)), rounded(peak_throughput_mib_s(curve)))


def _metrics(curve: Curve, zil_us: float | None, peak_mib_s: float | None) -> Row:
    return {
        "zil_latency_us": zil_us,
        "latency_4k_us": curve[SLOT_4K],
        "throughput_128k_mib_s": rounded(throughput_128k_mib_s(curve)),
        "peak_throughput_mib_s": peak_mib_s,
    }


def result_record(row: Row) -> Row:
    """ResultSerializer's shape from a row of RESULT_FIELDS."""
    curve = row["latency_us"]
    return {
        "id": row["public_id"],
        "url": f"{page_prefix('result')}{row['public_id']}/",
        "device": row["device__slug"],
        "device_class": row["device__device_class"],
        "firmware_version": row["firmware__version"],
        "method": row["method"],
        "is_complete": row["is_complete"],
        "is_ranked": row["is_ranked"],
        "not_ranked_reason": row["not_ranked_reason"],
        "flags": row["flags"],
        "measured_on": row["measured_on"],
        **_metrics(curve, row["zil_latency_us"], row["peak_throughput_mib_s"]),
        "points": point_records(curve),
    }


def rank_record(rank: Rank) -> Row:
    """RankSerializer's shape."""
    url = full_url(class_url(rank.device_class, rank.method, page=page_count(rank.rank)))
    return {**rank._asdict(), "leaderboard_url": url}


def submission_record(submission: Submission, rows: Sequence[Row], ranks: Ranks) -> Row:
    """SubmissionSerializer's shape with these rows of RESULT_FIELDS."""
    results = []
    for row in rows:
        rank = ranks.get((row["device_id"], row["method"])) if row["is_ranked"] else None
        results.append({**result_record(row), "rank": rank_record(rank) if rank else None})
    notices, left_out = split_notices(submission.notices)
    return {
        "run_count": len(results) + len(left_out),
        "left_out": left_out,
        "id": submission.public_id,
        "url": full_url(submission.get_absolute_url()),
        "state": submission.state,
        "results": results,
        "notices": notices,
    }


def hidden_record(record: Row) -> Row:
    """The same without what is shown only for a published submission."""
    return {**record, "run_count": 0, "left_out": [], "results": [], "notices": []}
