"""Trust in senders: submissions of new senders are reviewed, those of trusted members are not."""

from django.conf import settings

from results.models import Member, Submission
from results.models.choices import State

TRUSTED_AFTER = 3  # approved submissions
HELD_REASON = "First results wait for a moderator's review."


def is_trusted(owner: Member | None) -> bool:
    """Whether enough of this member's submissions were approved; False without an account."""
    if owner is None:
        return False
    if owner.is_staff:
        return True
    approved = Submission.objects.filter(owner=owner, is_approved=True, state=State.PUBLISHED)
    return approved.order_by()[:TRUSTED_AFTER].count() >= TRUSTED_AFTER


def first_state(owner: Member | None) -> dict[str, object]:
    """The initial state of a new submission, as fields of Submission.

    A moderator reviews submissions of untrusted senders. Whether they count in the meantime is the operator's choice
    (settings.HOLD_FIRST_RESULTS).
    """
    if is_trusted(owner):
        return {}
    if settings.HOLD_FIRST_RESULTS:
        return {"state": State.HELD, "state_reason": HELD_REASON}
    return {"needs_review": True}
