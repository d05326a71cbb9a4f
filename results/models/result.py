"""Results: one benchmark run of one unit."""

import re
from collections.abc import Iterable, Mapping
from typing import Self

from django.db import models
from django.db.models import F
from django.http import Http404
from django.urls import reverse

from results.models import lengths
from results.models.choices import Method, State
from results.models.conditions import YES_NO, SetupConditions, WearConditions, WriteConditions
from results.models.device import Device, Firmware
from results.models.fields import LATENCY_4K, UnitField, change_time, curve_field, is_curve
from results.models.pool import Pool
from results.models.submission import Submission, publication_day

PUBLIC_ID = "^[a-z0-9]{1,10}(-[0-9]{1,3})?$"  # public_id_of, by anybody who types one
METHOD = "^[a-z][a-z0-9_]+$"

# What the owner adds; rereading the text doesn't change it.
OWNER_FIELDS = ("notes", "told_conditions")


ONE_WRITER, SEVERAL_WRITERS = "one", "several"
WRITERS, MAX_WRITERS = re.compile("[1-9][0-9]{0,3}"), 9999
# Ranked, and the text states the wear of the unit
HAS_WEAR = models.Q(is_ranked=True) & (
    models.Q(wear_percent__isnull=False)
    | models.Q(power_on_hours__isnull=False)
    | models.Q(host_bytes_written__isnull=False)
)
_MAY_HAVE_WRITERS = models.Q(method=Method.FIO) | models.Q(latency_us=None)  # few results, each with an index


class ResultQuerySet(models.QuerySet["Result"]):
    """Results by visibility, public id and number of writers."""

    def published(self) -> Self:
        return self.filter(submission__state=State.PUBLISHED)

    def with_accountable(self) -> Self:
        """Each with `is_accountable`: whether someone is accountable for it."""
        accountable = Submission.objects.accountable().filter(pk=models.OuterRef("submission"))
        return self.annotate(is_accountable=models.Exists(accountable))

    def newest_first(self) -> Self:
        """Newest first, by the day of publication here or elsewhere; within a day, the last sent first."""
        dated = self.alias(day=publication_day("submission__"))
        return dated.order_by("-day", "-submission_id", "-id")

    def older_than(self, public_id: str) -> Self:
        """The results after a published one in that order; raises Result.DoesNotExist if there is no such result."""
        dated = Result.objects.published().named([public_id]).annotate(day=publication_day("submission__"))
        day, submission_id, result_id = dated.values_list("day", "submission_id", "id").get()
        same_day = models.Q(submission_id__lt=submission_id) | models.Q(
            submission_id=submission_id, id__lt=result_id
        )
        # the first condition lets the index begin at that day
        older = self.alias(day=publication_day("submission__")).filter(day__lte=day)
        return older.filter(models.Q(day__lt=day) | same_day)

    def named(self, public_ids: Iterable[str]) -> Self:
        """The results with these public ids, found by the ids of their submissions, with which theirs begin."""
        names = list(public_ids)
        for_submissions = {submission_id_of(name) for name in names}
        return self.filter(submission__public_id__in=for_submissions, public_id__in=names)

    def with_conditions(self, chosen: Mapping[str, Iterable[str]]) -> Self:
        """The results with any of these values for each of CONDITION_FILTERS; none given is any."""
        found = self
        for name, values in chosen.items():
            if wanted := [YES_NO.get(value, value) for value in values]:
                found = found.filter(_MAY_HAVE_WRITERS, **{f"{name}__in": wanted})
        return found

    def with_writers(self, chosen: Iterable[str]) -> Self:
        """The results with any of these numbers of writers: "one", "several", "8". Raises ValueError."""
        found = models.Q()
        for choice in chosen:
            if choice in {ONE_WRITER, "1"}:
                found |= models.Q(writers=None)
            elif choice == SEVERAL_WRITERS:
                found |= _MAY_HAVE_WRITERS & models.Q(writers__isnull=False)
            elif WRITERS.fullmatch(choice):
                found |= _MAY_HAVE_WRITERS & models.Q(writers=int(choice))
            else:
                raise ValueError(
                    f"“{choice}” is neither {ONE_WRITER} nor {SEVERAL_WRITERS} nor a number of writers."
                )
        return self.filter(found)


def no_such_result(public_id: str) -> Http404:
    return Http404(f"There is no published result “{public_id}”.")


def submission_id_of(public_id: str) -> str:
    """The public id of the submission that contains the result with this public id."""
    return public_id.partition("-")[0]


def public_id_of(submission_id: str, position: int) -> str:
    """The public id of a result: the first has its submission's, later ones append their number."""
    return submission_id if position == 1 else f"{submission_id}-{position}"


class Result(SetupConditions, WriteConditions, WearConditions):
    """One run: its conditions, the device's wear, and its metrics. The payload depends on its kind."""

    id = models.AutoField(primary_key=True)
    public_id = models.CharField(max_length=14)  # unique by public_id_of, and looked up by its beginning
    submission = models.ForeignKey(
        Submission,
        on_delete=models.CASCADE,
        related_name="results",
        db_index=False,  # result_position_once_a_submission begins with it
    )
    position = models.PositiveSmallIntegerField()  # from 1, in the order of the paste
    device = models.ForeignKey(
        Device,
        on_delete=models.PROTECT,
        null=True,
        related_name="results",
        db_index=False,  # result_of_device begins with it
    )
    pool = models.ForeignKey(  # one of both is what the result is about: results.core.subject
        Pool, on_delete=models.CASCADE, null=True, related_name="results", db_index=False
    )
    firmware = models.ForeignKey(Firmware, on_delete=models.PROTECT, null=True, related_name="results")
    has_unit = models.BooleanField(default=False)  # whether the text stated a serial number
    ranking_unit = UnitField()  # its keyed digest, or the sender if none was stated
    # It also determines the kind: results.kinds.registry.kind_of. 1.0.0 reads the column `method`, which a trigger
    # fills with a method that 1.0.0 knows (migration 0025).
    method = models.CharField(max_length=20, db_column="measured_by")
    copy_of = models.ForeignKey(  # the earliest result of the same run, which counts for all its copies
        "self", on_delete=models.SET_NULL, null=True, related_name="copies", db_index=False
    )

    latency_us = curve_field(null=True)  # the payload of a curve; other kinds have tables of their own
    tails = models.JSONField(null=True)  # of a curve by fio: results.kinds.curve.metrics.Tails
    metrics = models.JSONField(default=dict)  # by key, as its kind defines them
    is_complete = models.BooleanField()
    is_ranked = models.BooleanField()
    not_ranked_reason = models.CharField(max_length=lengths.REASON, blank=True)
    flags = models.JSONField(default=list)  # reasons to doubt it: code, effect, message

    # Concurrent ones; NULL means one, and takes no bytes
    writers = models.PositiveSmallIntegerField(null=True)
    first_line = models.PositiveIntegerField(null=True)
    last_line = models.PositiveIntegerField(null=True)

    notes = models.CharField(max_length=lengths.NOTES, blank=True)
    told_conditions = models.JSONField(default=dict)  # stated by the owner: platform, attachment, write cache

    parser_version = models.CharField(max_length=20, blank=True)
    # The day it was sent or posted; unknown for figures of a survey
    measured_on = models.DateField(null=True)
    changed_at = change_time()

    objects = ResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "position"], name="result_position_once_a_submission"
            ),
            models.CheckConstraint(condition=models.Q(method__regex=METHOD), name="result_method_is_a_name"),
            models.CheckConstraint(condition=models.Q(position__gte=1), name="result_position_from_one"),
            models.CheckConstraint(
                condition=models.Q(is_ranked=True, not_ranked_reason="")
                | (models.Q(is_ranked=False) & ~models.Q(not_ranked_reason="")),
                name="result_says_why_it_is_not_ranked",
            ),
            models.CheckConstraint(
                condition=models.Q(is_ranked=False) | models.Q(**{f"{LATENCY_4K}__isnull": False}),
                name="result_ranked_has_a_4k_latency",
            ),
            models.CheckConstraint(
                condition=models.Q(device__isnull=False) ^ models.Q(pool__isnull=False),
                name="result_has_one_subject",
            ),
            models.CheckConstraint(
                condition=models.Q(pool=None) | models.Q(is_ranked=False, firmware=None),
                name="result_of_a_pool_is_not_ranked",
            ),
            is_curve("latency_us"),
            models.CheckConstraint(
                condition=models.Q(latency_us__isnull=False) ^ ~models.Q(method__in=Method.values),
                name="result_has_a_curve_by_its_method",
            ),
        ]
        indexes = [
            # includes the latency at 4 KiB, by which copies are found
            models.Index("device", "method", models.F(LATENCY_4K), name="result_of_device"),
            models.Index(fields=["changed_at", "id"], name="result_last_changed"),
            models.Index(fields=["pool"], condition=models.Q(pool__isnull=False), name="result_of_pool"),
            # the newest of a device
            models.Index(
                "device",
                F("measured_on").desc(nulls_last=True),
                F("id").desc(),
                name="result_newest_of_device",
            ),
            # the latest of each unit of a device that states its wear
            models.Index(
                "device",
                "method",
                "ranking_unit",
                F("measured_on").desc(nulls_last=True),
                F("id").desc(),
                condition=HAS_WEAR,
                name="result_wear_of_units",
            ),
            models.Index(fields=["copy_of"], condition=models.Q(copy_of__isnull=False), name="result_copies"),
            # the newest of the other method are found among the newest of all
            models.Index(fields=["id"], condition=models.Q(method=Method.FIO), name="result_by_fio"),
            # the few by several writers, whose throughput each list of devices looks up
            models.Index(
                fields=["device"], condition=models.Q(writers__isnull=False), name="result_several_writers"
            ),
            # the few results of other kinds
            models.Index(
                fields=["id"], condition=models.Q(latency_us__isnull=True), name="result_without_curve"
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("result", args=[self.public_id])

    @property
    def unit(self) -> str:
        """The keyed digest of the serial number; empty if none was stated."""
        return self.ranking_unit if self.has_unit else ""
