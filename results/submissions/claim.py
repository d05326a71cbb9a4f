"""Claim tokens: shown once after an anonymous submission, they make their holder its owner."""

import secrets
from dataclasses import dataclass

from django.db import transaction

from results.core.digests import digest_secret
from results.core.events import log_event
from results.models import Member, Submission
from results.models.choices import State
from results.submissions.reread import reread_submission

TOKEN_MARK = "slogdb_claim_"  # noqa: S105 - lets people and secret scanners recognize it
TOKEN_BYTES = 20


class ClaimError(Exception):
    """The token can't be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A token to be shown, and its digest to be stored."""

    token: str
    digest: str


def draw_claim() -> Claim:
    """A random token."""
    token = TOKEN_MARK + secrets.token_urlsafe(TOKEN_BYTES)
    return Claim(token, digest_secret(token))


@transaction.atomic
def claim_submission(token: str, member: Member) -> Submission:
    """Make `member` the owner of the token's submission, once; return the submission.

    Raises ClaimError for an unknown or used token, and for a banned member.
    """
    if member.is_banned:
        raise ClaimError(member.why_not("claim results"))
    waiting = Submission.objects.select_for_update().exclude(claim_digest="").exclude(state=State.ERASED)
    submission = waiting.filter(claim_digest=digest_secret(token.strip())).first()
    if submission is None:
        log_event("claim_refused", member=member.pk)
        raise ClaimError("There is no result for this token. It was already used, or is incomplete.")
    submission.owner = member
    submission.claim_digest = ""
    submission.save(update_fields=["owner", "claim_digest"])
    reread_submission(submission)  # without a serial number, the unit is now identified by the owner
    transaction.on_commit(lambda: log_event("claim_taken", member=member.pk))
    return submission
