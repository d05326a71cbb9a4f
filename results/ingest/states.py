"""What becomes of a submission after it was stored: hold, reject, withdraw, publish again, erase."""

from django.db import transaction

from results.catalogue.empty import drop_devices, lock_empty_devices
from results.catalogue.rematch import lock_devices
from results.data_version import bump_data_version
from results.ingest.answers import forget_answers_about
from results.ingest.related import copies_of, flag_related
from results.ingest.reread import reread_submission
from results.models import Device, Submission, lengths
from results.models.choices import State
from results.ranking.rerank import rerank_devices


class StateError(Exception):
    """This can't become of that submission; says why."""


@transaction.atomic
def change_state(
    submission: Submission, state: State, *, reason: str, is_approved: bool | None = None
) -> None:
    """Give the submission another state, with the reason that its owner reads.

    Its results leave the ranking, or come back to it, in the same transaction. `is_approved` says whether what
    only a rule held counts from now on; None leaves that as it is, and whether a moderator should look. Raises
    StateError for one that is erased, for figures of a survey, which have no text to be read again, and for
    State.ERASED, which is erase_submission's.
    """
    kept = Submission.objects.select_for_update().get(pk=submission.pk)
    if kept.state == State.ERASED or state in {State.ERASED, State.WAITING}:
        raise StateError("What is erased can't be brought back.")
    if not kept.text:
        raise StateError("These figures were published elsewhere; they are loaded from a file.")
    kept.state, kept.state_reason = state, reason.strip()[: lengths.REASON]
    if is_approved is not None:
        kept.is_approved, kept.needs_review = is_approved, False
    kept.save(update_fields=["state", "state_reason", "needs_review", "is_approved"])
    submission.refresh_from_db()
    reread_submission(kept)


@transaction.atomic
def erase_submission(submission: Submission, *, reason: str) -> None:
    """Remove text, figures and digests for good; what is left says only that there was something, and why not.

    A device that has nothing left goes, too. A figure of the survey keeps its number, so that it is not loaded again.
    Idempotent.
    """
    kept = Submission.objects.select_for_update().get(pk=submission.pk)
    touched = {device.pk for device in lock_devices(kept.results.values("device"))}
    copies = copies_of([kept.pk])
    kept.results.all().delete()
    kept.state, kept.state_reason = State.ERASED, reason.strip()[: lengths.REASON]
    kept.text, kept.text_digest = "", None
    kept.unit_digests, kept.notices = {}, []
    kept.sender_digest = kept.forum_handle = kept.source_url = kept.claim_digest = ""
    kept.needs_review = False
    kept.save()
    forget_answers_about(kept.public_id)
    submission.refresh_from_db()
    Device.recount(touched)
    empty = lock_empty_devices(touched)
    flag_related([], devices=touched, also=copies)
    rerank_devices(touched)
    drop_devices(empty)
    bump_data_version()
