"""What came in last."""

from typing import Any

from results.models import Result
from results.ranking.leaderboard import Row


def newest_results(limit: int) -> list[Row]:
    """The latest published results, newest first."""
    results = Result.objects.published().order_by("-id")
    rows: list[Any] = list(
        results.values(
            "public_id", "device__model_name", "device__device_class", "latency_us", "measured_on"
        )[:limit]
    )
    return rows
