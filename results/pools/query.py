"""Find a pool with its log devices, its results, and the same pool in other submissions."""

from django.db.models import Q, QuerySet
from django.http import Http404

from results.kinds.registry import PAYLOADS
from results.models import Pool, Result
from results.models.choices import State
from results.models.result import submission_id_of


def published_pools() -> QuerySet[Pool]:
    return Pool.objects.filter(submission__state=State.PUBLISHED)


def find_pool(public_id: str) -> Pool:
    """The published pool with this id, with its submission. One query; raises Http404."""
    for_submission = published_pools().filter(submission__public_id=submission_id_of(public_id))
    found = for_submission.filter(public_id=public_id).select_related("submission")
    pool = found.defer("submission__text").first()
    if pool is None:
        raise Http404(f"There is no pool “{public_id}”.")
    return pool


def results_of(pool: Pool) -> QuerySet[Result]:
    """Its results in the order of their text, with their payloads."""
    found = Result.objects.published().filter(pool=pool).select_related("submission", *PAYLOADS)
    return found.defer("submission__text").order_by("position")


def same_pools(pool: Pool) -> list[Pool]:
    """The other published pools that are the same by their owner's statement, newest first."""
    first = pool.same_as_id or pool.pk
    others = published_pools().filter(Q(pk=first) | Q(same_as=first)).exclude(pk=pool.pk)
    return list(others.select_related("submission").defer("submission__text").order_by("-pk"))
