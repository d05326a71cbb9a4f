"""Trust that grows: what a new sender sends is looked at, what a trusted member sends is not."""

from django.conf import settings

from results.models import Member, Submission
from results.models.choices import State

TRUSTED_AFTER = 3  # approved submissions
HELD_REASON = "First results wait until a moderator has looked at them."


def is_trusted(owner: Member | None) -> bool:
    """Whether enough of what this member sent was approved; nobody without an account is."""
    if owner is None:
        return False
    if owner.is_staff:
        return True
    approved = Submission.objects.filter(owner=owner, is_approved=True, state=State.PUBLISHED)
    return approved.order_by()[:TRUSTED_AFTER].count() >= TRUSTED_AFTER


def first_state(owner: Member | None) -> dict[str, object]:
    """The state in which something new starts, as fields of a Submission.

    What an untrusted sender sends comes before a moderator. Whether it counts meanwhile is the operator's choice
    (settings.HOLD_FIRST_RESULTS).
    """
    if is_trusted(owner):
        return {}
    if settings.HOLD_FIRST_RESULTS:
        return {"state": State.HELD, "state_reason": HELD_REASON}
    return {"needs_review": True}
