"""Where a run would stand if it were published: an estimate for the preview."""

from dataclasses import dataclass

from results.models import DeviceRanking
from results.ranking.places import Board


@dataclass(frozen=True, slots=True)
class Estimate:
    """The place among the devices of its class; `results_before` counts what the device itself already has."""

    place: int
    device_count: int
    results_before: int


def estimate_place(
    board: Board, *, model_name: str, capacity_bytes: int | None, zil_latency_us: float
) -> Estimate:
    """Where a device with this ZIL latency would stand on `board`."""
    rankings = DeviceRanking.objects.filter(device_class=board.device_class, method=board.method)
    own = rankings.filter(device__model_name=model_name, device__capacity_bytes=capacity_bytes).first()
    others = rankings.exclude(pk=own.pk) if own else rankings
    return Estimate(
        place=others.filter(zil_latency_us__lt=zil_latency_us).count() + 1,
        device_count=others.count() + 1,
        results_before=own.result_count if own else 0,
    )
