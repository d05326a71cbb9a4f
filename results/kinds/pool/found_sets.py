"""Which submissions have comparison sets."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Count, F, Max, Min, Q, Value
from django.db.models.functions import Cast, Coalesce

from results.core.addresses import address
from results.core.subject import describe_layout
from results.kinds.pool.models import PoolIO
from results.models import Pool, PoolLog, Submission
from results.models.choices import State
from results.models.submission import SubmissionQuerySet

MAX_LISTED = 5  # of a device or product
_VARYING = ("log", "log_name", "sync_mode", "each_synced", "result__writers")


def submissions_with_sets(**for_workloads: Any) -> SubmissionQuerySet:
    """Published submissions with workloads that differ in log device, sync mode or threads, newest first.

    `for_workloads` are lookups from PoolIO that restrict which are looked at.
    """
    with_sets = _varied(**for_workloads).values("result__submission")
    return Submission.objects.filter(state=State.PUBLISHED, pk__in=with_sets).order_by("-pk")


@dataclass(frozen=True, slots=True)
class ListedSet:
    """A set in a list, with its first sentence where that is shown."""

    name: str
    url: str
    sentence: str = ""


def sets_with_logs(device_ids: Iterable[int]) -> list[ListedSet]:
    """The newest accountable sets of pools with one of these log devices. One query."""
    ids = list(device_ids)
    if not ids:
        return []
    found = Pool.objects.filter(
        logs__in=ids, submission__in=submissions_with_sets(result__pool__logs__in=ids).accountable()
    )
    rows = found.order_by("-submission_id", "pk").distinct()[:MAX_LISTED]
    listed = {row.submission_id: row for row in rows.select_related("submission").defer("submission__text")}
    return [
        ListedSet(
            describe_layout(vdev for vdev in pool.layout if vdev["role"] != "log"),
            address("compare-set", pool.submission.public_id),
        )
        for pool in listed.values()
    ]


def set_urls_of_products(product_ids: Iterable[int]) -> dict[int, str]:
    """The newest accountable set with one of the product's devices as a log, by product. One query."""
    ids = list(product_ids)
    if not ids:
        return {}
    logs = PoolLog.objects.filter(
        device__product__in=ids,
        pool__submission__in=submissions_with_sets(result__pool__logs__product__in=ids).accountable(),
    )
    rows = logs.order_by("pool__submission").values_list("device__product", "pool__submission__public_id")
    return {product_id: address("compare-set", public_id) for product_id, public_id in rows}


def _varied(**for_workloads: Any) -> Any:
    """Workloads grouped by submission, if at least two of them differ."""
    ends: dict[str, Any] = {}
    differs = Q()
    for at, name in enumerate(_VARYING):
        value = Coalesce(Cast(name, CharField()), Value(""))
        ends |= {f"low_{at}": Min(value), f"high_{at}": Max(value)}
        differs |= ~Q(**{f"low_{at}": F(f"high_{at}")})
    workloads = PoolIO.objects.filter(**for_workloads).values("result__submission")
    return workloads.annotate(count=Count("pk"), **ends).filter(differs, count__gt=1)
