"""Convert plain rows to the API's records."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from django.urls import reverse

from results.core.addresses import class_url, full_url, page_count
from results.kinds.latency_curve.metrics import METRICS, throughput_mib_s
from results.kinds.latency_curve.tables import DIGITS
from results.kinds.registry import KINDS, kind_of
from results.kinds.result_kind import SHARED_COLUMNS, Payload
from results.models import Submission
from results.models.choices import Board, Origin, SubjectKind
from results.models.fields import BLOCK_SIZES
from results.models.submission import split_notices
from results.ranking.standing import Rank
from results.ranking.tiers import tiers_of

Row = dict[str, Any]
Curve = Sequence[float | None]
Ranks = Mapping[int, Rank]  # by device

_OWN_DEVICE_FIELDS = ("slug", "model_name", "vendor", "capacity_bytes", "device_class", "elsewhere_count")
DEVICE_FIELDS = (*_OWN_DEVICE_FIELDS, "product__slug", "product__plp", "product__vendor__name")
RANKING_FIELDS = (
    "metrics",
    "board",
    "method",
    "formula_version",
    "score",
    "low",
    "high",
    "assumed_spread",
    "unit_count",
    "result_count",
    "last_measured_on",
)
CURVE_FIELDS = (*RANKING_FIELDS, "median_us", "lowest_us", "highest_us")
RESULT_FIELDS = (
    "id",
    "public_id",
    "device_id",
    "device__slug",
    "device__device_class",
    "pool__public_id",
    "firmware__version",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    "flags",
    "measured_on",
    "submission__public_id",
    "submission__survey_id",
    "submission__posted_on",
    "submission__created_at",
    "submission__source_url",
    "metrics",
    *(lookup for kind in KINDS.values() for lookup in kind.lookups),
    *SHARED_COLUMNS,
)


def rounded(value: float | None) -> float | None:
    """Round a computed figure to the precision of measured ones."""
    return None if value is None else round(value, DIGITS)


@cache
def page_prefix(name: str) -> str:
    """A page's URL up to its slug; cached, as reversing it is slow per row."""
    return full_url(reverse(name, args=["-"]).removesuffix("-/"))


@cache
def _values_of(fields: tuple[str, ...], prefix: str) -> Callable[[Row], tuple[Any, ...]]:
    return itemgetter(*(f"{prefix}{name}" for name in fields))


def device_record(row: Row, prefix: str = "") -> Row:
    """DeviceRecord's shape from a row of DEVICE_FIELDS, prefixed with `prefix`."""
    slug, model_name, own_vendor, capacity_bytes, device_class, elsewhere_count, product, plp, vendor = (
        _values_of(DEVICE_FIELDS, prefix)(row)
    )
    return {
        "slug": slug,
        "model_name": model_name,
        "vendor": vendor or own_vendor,
        "capacity_bytes": capacity_bytes,
        "device_class": device_class,
        "elsewhere_count": elsewhere_count,
        "url": f"{page_prefix('device')}{slug}/",
        "product": product,
        "plp": plp or "unknown",
    }


def ranking_record(row: Row) -> Row:
    """RankingRecord's shape from a row of RANKING_FIELDS."""
    metrics, *rest = _values_of(RANKING_FIELDS, "")(row)
    record = {**metric_record(metrics), **dict(zip(RANKING_FIELDS[1:], rest, strict=True))}
    return {**record, "tier": tier_keys(record)}


def ranking_with_points(row: Row) -> Row:
    """DeviceRankingRecord's shape from a row of CURVE_FIELDS."""
    return {
        **ranking_record(row),
        "points": spread_records(row["median_us"], row["lowest_us"], row["highest_us"]),
    }


def recommendation_record(found: Row | None) -> Row:
    """RecommendationSerializer's shape of what find_recommended has of a device."""
    figures = {name: found[name] for name in ("method", "score", "low", "high")} if found else None
    return {
        "is_recommended": found is not None,
        "is_first_choice": found is not None and found["is_first_choice"],
        "recommended": figures,
    }


def tier_keys(record: Row) -> list[str]:
    """The tiers that the interval of a row touches, the better first; empty off the board that has them."""
    if record["board"] != Board.SYNC_WRITE:
        return []
    return [tier.key for tier in tiers_of(record["low"], record["high"])]


def spread_records(median: Curve, lowest: Curve, highest: Curve) -> list[Row]:
    """SpreadPointRecord's shape for every measured slot."""
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


def metric_record(metrics: Mapping[str, float]) -> Row:
    """RankedMetricsRecord's shape of stored metrics."""
    return {key: metrics.get(key) for key in METRICS}


def measured_record(method: str, metrics: Mapping[str, float], payload: Payload) -> Row:
    """MeasuredRecord's shape."""
    kind = kind_of(method)
    return {
        "kind": kind.key,
        "method": method,
        "writers": payload.get("writers") or 1,
        "metrics": {key: metrics.get(key) for key in kind.metrics},
        kind.key: kind.record(payload),
    }


def result_record(row: Row) -> Row:
    """ResultRecord's shape from a row of RESULT_FIELDS."""
    return {
        "id": row["public_id"],
        "url": f"{page_prefix('result')}{row['public_id']}/",
        "submission": row["submission__public_id"],
        "subject": SubjectKind.DEVICE if row["pool__public_id"] is None else SubjectKind.POOL,
        "device": row["device__slug"],
        "pool": row["pool__public_id"],
        "device_class": row["device__device_class"],
        "firmware_version": row["firmware__version"],
        "is_complete": row["is_complete"],
        "is_ranked": row["is_ranked"],
        "not_ranked_reason": row["not_ranked_reason"],
        "flags": row["flags"],
        "measured_on": row["measured_on"],
        "submitted_at": None if row["submission__survey_id"] else row["submission__created_at"],
        "posted_on": row["submission__posted_on"],
        "origin": Origin.SUBMITTED_HERE
        if row["submission__survey_id"] is None
        else Origin.PUBLISHED_ELSEWHERE,
        "source_url": row["submission__source_url"],
        **measured_record(row["method"], row["metrics"], kind_of(row["method"]).payload_of(row)),
    }


def rank_record(rank: Rank) -> Row:
    """RankRecord's shape."""
    url = full_url(class_url(rank.device_class, page=page_count(rank.rank)))
    return {**rank._asdict(), "leaderboard_url": url}


def submission_record(submission: Submission, rows: Sequence[Row], ranks: Ranks) -> Row:
    """SubmissionRecord's shape with these rows of RESULT_FIELDS."""
    results = []
    for row in rows:
        rank = ranks.get(row["device_id"]) if row["is_ranked"] else None
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
        "note": submission.note,
    }


def hidden_record(record: Row) -> Row:
    """The record without the fields of published submissions."""
    return {**record, "run_count": 0, "left_out": [], "results": [], "notices": [], "note": ""}
