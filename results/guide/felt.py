"""What results.advice.felt predicts for published pools with one writer, next to what was measured on them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Q

from results.advice.felt import wait_us
from results.kinds.pool.models import WITH_LOG, WRITE
from results.models import Result
from results.models.fields import BLOCK_4K
from results.ranking.standing import main_rows

_IS_WAITED_FOR = Q(pool_io__each_synced=True) | Q(pool_io__sync_mode="always")


class Prediction(NamedTuple):
    """A run of a pool: what its log device alone takes, and what a writer waited for."""

    public_id: str
    log_name: str
    log_us: float
    predicted_us: float
    measured_us: float

    @property
    def difference(self) -> str:
        return f"{(self.predicted_us / self.measured_us - 1) * 100:+.0f} %".replace("-", "−")


def predictions() -> list[Prediction]:
    """Of published pools whose log device is ranked: local sync writes of 4 KiB. At most two queries."""
    runs = (
        Result.objects.published()
        .filter(_IS_WAITED_FOR, pool_io__log=WITH_LOG, pool_io__direction=WRITE, pool_io__block_size=BLOCK_4K)
        .filter(
            Q(writers=None) | Q(writers=1),
            submission__survey_id__isnull=False,
            metrics__has_key="pool_latency_us",
        )
        .exclude(pool_io__access__in=["nfs", "smb", "iscsi"])
        .order_by("submission__survey_id", "pk")
    )
    found = list(
        runs.values("public_id", "pool", "pool__logs", "pool_io__sync_mode", "pool_io__log_name", "metrics")
    )
    waits = {
        row["pool"]: row["metrics"]["pool_latency_us"]
        for row in found
        if row["pool_io__sync_mode"] == "disabled"
    }
    ladders = dict(
        main_rows().filter(device__in={row["pool__logs"] for row in found}).values_list("device", "metrics")
    )
    return [
        _predict(row, ladders[row["pool__logs"]], waits.get(row["pool"], 0.0))
        for row in found
        if row["pool__logs"] in ladders and row["pool_io__sync_mode"] != "disabled"
    ]


def _predict(run: Mapping[str, Any], ladder: Mapping[str, float], pool_us: float) -> Prediction:
    log_us = ladder.get("latency_8k_us", ladder["latency_4k_us"])
    return Prediction(
        run["public_id"],
        run["pool_io__log_name"],
        log_us,
        wait_us(log_us, network_us=0, pool_us=pool_us),
        run["metrics"]["pool_latency_us"],
    )
