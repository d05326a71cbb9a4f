"""The audit log: who did what to what, and why. It is append-only and contains no identifiers."""

from results.models import AuditEntry, Device, Member, Submission, lengths
from results.models.choices import Action
from results.models.moderation import NO_REASON

OPERATOR = "the operator"  # whoever runs manage.py


def log_action(
    actor: Member | str | None,
    action: Action,
    *,
    reason: str,
    submission: Submission | None = None,
    device: Device | None = None,
    member: Member | None = None,
) -> None:
    """Add an entry, in the caller's transaction; `actor` is None for the holder of a claim token, or OPERATOR."""
    AuditEntry.objects.create(
        actor_id=actor.pk if isinstance(actor, Member) else None,
        actor_name=_name(actor),
        action=action,
        submission=submission.public_id if submission else "",
        device=device.slug if device else "",
        member_id=member.pk if member else None,
        reason=(reason.strip() or NO_REASON)[: lengths.REASON],
    )


def _name(actor: Member | str | None) -> str:
    """A moderator's name; for others a number, since the log outlives their accounts."""
    if actor is None:
        return "holder of the claim token"
    if isinstance(actor, str):
        return actor
    return (str(actor) if actor.is_staff else f"member {actor.pk}")[: lengths.ACTOR]
