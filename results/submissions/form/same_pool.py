"""An earlier pool of the same sender that looks like the one of a submission: with another log device, perhaps."""

from collections import Counter
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from results.core.subject import describe_layout
from results.models import Pool, Result, Submission
from results.models.choices import State

MAX_LOOKED_AT = 20  # pools, the newest


class SamePool(NamedTuple):
    """The pool of a submission, and an earlier one that it looks like."""

    pool: Pool
    earlier: Pool

    @property
    def name(self) -> str:
        return describe_layout(self.earlier.layout)


def offer_same_pool(submission: Submission, sent: QuerySet[Submission]) -> SamePool | None:
    """The newest pool that looks like that of the submission, among what they `sent`. Up to two queries.

    None if there is none, and for a pool of which its owner has already stated that.
    """
    pools = list(submission.pools.select_related("submission")[:2])
    if len(pools) != 1 or pools[0].same_as_id is not None or not _layout(pools[0]):
        return None
    (own,) = pools
    methods = Result.objects.filter(pool=own).values("method")
    by_same_tool = Result.objects.filter(pool=OuterRef("pk"), method__in=methods)
    earlier = Pool.objects.filter(
        Exists(by_same_tool), submission__in=sent.filter(state=State.PUBLISHED), pk__lt=own.pk
    )
    newest = earlier.select_related("submission").defer("submission__text").order_by("-pk")[:MAX_LOOKED_AT]
    return next((SamePool(own, pool) for pool in newest if _layout(pool) == _layout(own)), None)


def _layout(pool: Pool) -> Counter[tuple[str, str, int | None]]:
    """Its vdevs, without log devices."""
    return Counter(
        (vdev["role"], vdev["type"], vdev["members"]) for vdev in pool.layout if vdev["role"] != "log"
    )
