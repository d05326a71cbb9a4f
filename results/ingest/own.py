"""What the owner of a submission may do with it: withdraw it, publish it again, erase it, say more about it.

All of it takes effect at once.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from results.data_version import bump_data_version
from results.ingest.audit import keep_record
from results.ingest.limits import fitting_text
from results.ingest.masked import masked
from results.ingest.reread import reread_submission
from results.ingest.states import change_state, erase_submission
from results.models import Member, Result, Submission, lengths
from results.models.choices import Action, State

TOLD_CONDITIONS = {
    "platform": "Operating system",
    "attachment": "HBA or controller, and how the device is attached",
    "write_cache": "Write cache",
    "host": "Machine",
}


class NotAllowedError(Exception):
    """The owner can't do this to the submission as it is; says why."""


@transaction.atomic
def withdraw(submission: Submission, owner: Member | None) -> None:
    """Take a published submission back; its address keeps saying that there was one. Raises NotAllowedError."""
    _refuse_unless(submission, State.PUBLISHED, "Only what is published can be withdrawn.")
    change_state(submission, State.WITHDRAWN, reason="")
    keep_record(owner, Action.WITHDRAWN, submission=submission, reason="by its owner")


@transaction.atomic
def restore(submission: Submission, owner: Member | None) -> None:
    """Publish again what its owner had withdrawn. Raises NotAllowedError."""
    _refuse_unless(submission, State.WITHDRAWN, "Only what its owner withdrew can be published again.")
    if owner is not None and owner.banned_at is not None:
        raise NotAllowedError(f"You may not publish anything any more: {owner.ban_reason}")
    change_state(submission, State.PUBLISHED, reason="")
    keep_record(owner, Action.RESTORED, submission=submission, reason="by its owner")


@transaction.atomic
def erase(submission: Submission, actor: Member | None, *, reason: str = "Erased by its owner.") -> None:
    """Remove text and figures for good, in whatever state they are. Idempotent."""
    if submission.state == State.ERASED:
        return
    erase_submission(submission, reason=reason)
    keep_record(actor, Action.ERASED, submission=submission, reason=reason)


@transaction.atomic
def describe(result: Result, *, notes: str, told_conditions: Mapping[str, Any]) -> None:
    """Keep what the owner says of a result beside what its text says, identifiers masked.

    Raises NotAllowedError for a condition that nobody asks for, Result.DoesNotExist for one that was erased
    meanwhile.
    """
    unknown = set(told_conditions) - set(TOLD_CONDITIONS)
    if unknown:
        raise NotAllowedError(
            f"{', '.join(sorted(unknown))}: one of {', '.join(TOLD_CONDITIONS)} is asked for."
        )
    told = {
        name: fitting_text(masked(str(value)), longest=lengths.CONDITION)
        for name, value in told_conditions.items()
    }
    Result.objects.select_for_update(no_key=True).get(pk=result.pk)
    result.notes = fitting_text(masked(notes), longest=lengths.NOTES)
    result.told_conditions = {name: value for name, value in told.items() if value}
    result.save(update_fields=["notes", "told_conditions"])
    bump_data_version()


@transaction.atomic
def forget_unit(submission: Submission) -> None:
    """Remove the digest by which the unit would be recognised; it can't be brought back. Idempotent."""
    kept = Submission.objects.select_for_update().get(pk=submission.pk)
    kept.keeps_unit, kept.unit_digests = False, {}
    kept.save(update_fields=["keeps_unit", "unit_digests"])
    submission.refresh_from_db()
    if kept.text:
        reread_submission(kept)


def _refuse_unless(submission: Submission, state: State, why: str) -> None:
    held = Submission.objects.select_for_update().values_list("state", flat=True).get(pk=submission.pk)
    if held != state:
        raise NotAllowedError(f"{why} This one is {State(held).label.lower()}.")
