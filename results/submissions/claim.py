"""Claims of anonymous submissions: by a token that is shown once, or in the browser that published them."""

import secrets
from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from results.core.security.digests import digest_secret
from results.core.security.events import log_event
from results.models import Member, Submission
from results.models.choices import State
from results.submissions.intake.reread import reread_submission

TOKEN_MARK = "slogdb_claim_"  # noqa: S105 - lets people and secret scanners recognize it
TOKEN_BYTES = 20


class ClaimError(Exception):
    """The token can't be used; the message says why."""


def draw_token() -> str:
    """A random token, to be shown once; `digest_secret` makes what is stored of it."""
    return TOKEN_MARK + secrets.token_urlsafe(TOKEN_BYTES)


def claimable() -> QuerySet[Submission]:
    """Submissions without an account, whose token wasn't used."""
    return Submission.objects.exclude(claim_digest="").exclude(state=State.ERASED)


@transaction.atomic
def claim_submission(token: str, member: Member, *, shows_name: bool = False) -> Submission:
    """Make `member` the owner of the token's submission, once; return the submission.

    With `shows_name` it gets the member's forum name, which is public. Raises ClaimError for an unknown or used
    token, and for a banned member.
    """
    _refuse_banned(member)
    waiting = claimable().select_for_update()
    submission = waiting.filter(claim_digest=digest_secret(token.strip())).first()
    if submission is None:
        log_event("claim_refused", member=member.pk)
        raise ClaimError("There is no result for this token. It was already used, or is incomplete.")
    _hand_over(submission, member, shows_name=shows_name)
    return submission


@transaction.atomic
def claim_carried(
    public_ids: Collection[str], member: Member, *, shows_name: bool = False
) -> list[Submission]:
    """Make `member` the owner of what their browser published, by results.submissions.claim_cookie; return it.

    Leaves out what has an owner. Raises ClaimError if nothing is left, and for a banned member.
    """
    _refuse_banned(member)
    submissions = list(claimable().filter(public_id__in=public_ids).order_by("pk").select_for_update())
    if not submissions:
        log_event("claim_refused", member=member.pk)
        raise ClaimError("This browser no longer remembers a result to add. Use its token instead.")
    for submission in submissions:
        _hand_over(submission, member, shows_name=shows_name)
    return submissions


def _refuse_banned(member: Member) -> None:
    if member.is_banned:
        raise ClaimError(member.why_not("claim results"))


def _hand_over(submission: Submission, member: Member, *, shows_name: bool) -> None:
    submission.owner = member
    submission.claim_digest = ""
    if shows_name:
        submission.forum_handle = member.forum_handle
    submission.save(update_fields=["owner", "claim_digest", "forum_handle"])
    reread_submission(submission)  # without a serial number, the unit is now identified by the owner
    transaction.on_commit(lambda: log_event("claim_taken", member=member.pk))
