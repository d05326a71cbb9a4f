"""Submissions: one paste or upload, its kept text stored once and never edited. Idempotent answers."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.postgres.indexes import HashIndex
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.urls import reverse

from results.models import lengths
from results.models.choices import Quality, State
from results.models.import_batch import ImportBatch

ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"  # no vowels, no ambiguous characters
ID_LENGTH = 10
ID_COUNT = len(ID_ALPHABET) ** ID_LENGTH
Stored = dict[str, Any]


def draw_public_id() -> str:
    """A random public id of 48 bits, so that others can't be found by counting."""
    return _spell(secrets.randbelow(ID_COUNT))


def public_id_of_figures(survey_id: str) -> str:
    """The public id of figures published elsewhere: whenever they are loaded, it and their address are the same."""
    return _spell(int.from_bytes(hashlib.sha256(survey_id.encode()).digest()) % ID_COUNT)


def _spell(number: int) -> str:
    letters = ""
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ID_ALPHABET))
        letters += ID_ALPHABET[letter]
    return letters


def split_notices(stored: Iterable[Stored]) -> tuple[list[Stored], list[Stored]]:
    """Submission.notices as notices (code, message, line) and runs left out (those with first_line, last_line)."""
    notices: list[Stored] = []
    left_out: list[Stored] = []
    for notice in stored:
        (left_out if "last_line" in notice else notices).append(notice)
    return notices, left_out


def publication_day(path: str = "") -> Coalesce:
    """The day on which it was published elsewhere, else the one on which it was sent.

    For figures from an undated page, it is the earliest possible day. `path` is the path to the submission; the index
    submission_newest is on this expression.
    """
    sent_on = models.Func(  # TruncDate has a time zone, which migrations can't serialize
        f"{path}created_at",
        template="(%(expressions)s AT TIME ZONE 'UTC')::date",
        output_field=models.DateField(),
    )
    sent_here = models.Case(models.When(**{f"{path}survey_id__isnull": True}, then=sent_on))
    return Coalesce(f"{path}posted_on", sent_here, models.Value(date.min, output_field=models.DateField()))


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Submissions."""

    def accountable(self) -> "SubmissionQuerySet":
        """Those that someone is accountable for: recommendations are based on these alone.

        That someone is a published source, the moderator who imported or approved it, a member with a submission
        that a moderator has approved, or a moderator. results.ranking.senders has the same in SQL.
        """
        approved = Submission.objects.filter(is_approved=True, state=State.PUBLISHED, owner__isnull=False)
        return self.filter(
            models.Q(survey_id__isnull=False)
            | models.Q(batch__isnull=False)
            | models.Q(is_approved=True)
            | models.Q(owner__is_staff=True)
            | models.Q(owner__in=approved.values("owner"))
        )


class Submission(models.Model):
    """What is kept of a submitted text; its results are parsed from it and can be reread."""

    id = models.AutoField(primary_key=True)
    public_id = models.CharField(max_length=ID_LENGTH, unique=True, default=draw_public_id)
    text = models.TextField(blank=True)  # kept, masked; empty for figures published elsewhere
    text_digest = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001 - unique, so null for none
    survey_id = models.CharField(max_length=20, unique=True, null=True)  # noqa: DJ001 - the same
    unit_digests = models.JSONField(default=dict)  # mask in the text -> keyed digest of the serial number
    notices = models.JSONField(default=list)  # the parsers' notices, and the runs left out: split_notices
    parser_version = models.CharField(max_length=20, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.PUBLISHED)
    state_reason = models.CharField(max_length=lengths.REASON, blank=True)
    # By a moderator: results that only a rule held back count
    is_approved = models.BooleanField(default=False)
    needs_review = models.BooleanField(default=False)  # waits for a moderator, and counts in the meantime
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="submissions"
    )
    claim_digest = models.CharField(max_length=64, blank=True)  # of the token that makes its holder the owner
    keeps_unit = models.BooleanField(default=True)  # False: the submitter does not want the unit recognized
    batch = models.ForeignKey(ImportBatch, on_delete=models.SET_NULL, null=True, related_name="submissions")
    posted_on = models.DateField(null=True)  # elsewhere, if it was imported or published
    measured_on = models.DateField(null=True)  # according to the sender; a date in the text takes precedence
    forum_handle = models.CharField(max_length=lengths.HANDLE, blank=True)
    source_url = models.URLField(max_length=lengths.ADDRESS, blank=True)
    note = models.CharField(max_length=lengths.NOTE, blank=True, default="", db_default="")  # by the sender
    # results.kinds.answers
    told = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    # The author of an imported post, or the network that it was sent from on that day (DayKey), also by a member
    sender_digest = models.CharField(max_length=32, blank=True)
    quality = models.CharField(max_length=1, choices=Quality, blank=True)  # of figures published elsewhere
    # As the source states it, if only one
    figure = models.CharField(max_length=lengths.FIGURE, blank=True, default="", db_default="")
    # The possible error of the figure's latency
    precision_percent = models.PositiveSmallIntegerField(null=True)
    # Of the figure, if the latency is computed from it: significant digits, null if three or more
    figure_digits = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [
            # 1.0.0 stores imported texts as "waiting" (results.operations.other_release)
            models.CheckConstraint(
                condition=models.Q(state__in=[*State.values, "waiting"]), name="submission_state_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(text_digest__isnull=False)
                | models.Q(survey_id__isnull=False)
                | models.Q(state=State.ERASED),
                name="submission_has_an_identity",
            ),
            models.CheckConstraint(
                condition=~models.Q(state=State.ERASED)
                | models.Q(text="", text_digest__isnull=True, unit_digests={}, notices=[], note="", told={}),
                name="submission_erased_is_empty",
            ),
        ]
        indexes = [
            models.Index(publication_day().desc(), models.F("id").desc(), name="submission_newest"),
            models.Index(
                fields=["id"],
                condition=models.Q(needs_review=True) | models.Q(state=State.HELD),
                name="submission_to_look_at",
            ),
            HashIndex(  # for lookups of single digests
                fields=["claim_digest"], condition=~models.Q(claim_digest=""), name="submission_to_claim"
            ),
            models.Index(fields=["id"], condition=models.Q(state=State.ERASED), name="submission_erased"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("result", args=[self.public_id])

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether it was published elsewhere as figures, not submitted here."""
        return self.survey_id is not None


class DayKey(models.Model):
    """The key of one day's network digests: deleted when the day is over, so that no one can link two days.

    Its table is unlogged: it reaches neither the write-ahead log nor a backup.
    """

    day = models.DateField(primary_key=True)
    key = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return str(self.day)


class RememberedAnswer(models.Model):
    """The answer to a request with an idempotency key, repeated if the request is repeated."""

    digest = models.CharField(max_length=64, primary_key=True)  # of the sender, the endpoint and the key
    # Of the body: a different one with the same key is an error
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        indexes = [
            models.Index(KT("body__id"), name="answer_about")
        ]  # to delete the answers about an erased object

    def __str__(self) -> str:
        return f"{self.status} to {self.digest[:8]}"
