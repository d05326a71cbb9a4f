"""What came in last, and how much there is."""

from typing import Any

from results.models import Device, Result, Submission
from results.models.choices import State
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


def count_everything() -> dict[str, int]:
    """Devices, published results and the submissions that they came in."""
    published = Submission.objects.filter(state=State.PUBLISHED)
    return {
        "devices": Device.objects.filter(results__submission__state=State.PUBLISHED).distinct().count(),
        "results": Result.objects.published().count(),
        "submissions": published.count(),
    }
