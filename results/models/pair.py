"""Pairs of results before and after one change, linked by their owner or by the file that the site ships."""

from django.db import models

from results.models import lengths
from results.models.choices import Change, Quality, State
from results.models.fields import change_time
from results.models.result import Result


class PairQuerySet(models.QuerySet["ResultPair"]):
    """Pairs by visibility."""

    def published(self) -> "PairQuerySet":
        """Those whose results are both published."""
        return self.filter(
            before__submission__state=State.PUBLISHED, after__submission__state=State.PUBLISHED
        )


class ResultPair(models.Model):
    """Two results of one kind that differ in one named thing; what else differs is found by comparing them."""

    id = models.AutoField(primary_key=True)
    # pair_once begins with it
    before = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="pairs_after", db_index=False)
    after = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="pairs_before")
    change = models.CharField(max_length=20, choices=Change)
    before_value = models.CharField(max_length=lengths.CONDITION, blank=True)  # "P19", "" if not stated
    after_value = models.CharField(max_length=lengths.CONDITION, blank=True)
    sentence = models.CharField(max_length=lengths.NOTE, blank=True)  # what follows, or why to doubt it
    # Of those that the site ships
    survey_id = models.CharField(max_length=20, unique=True, null=True)  # noqa: DJ001 - unique, so null for none
    source_url = models.URLField(max_length=lengths.ADDRESS, blank=True)
    quality = models.CharField(max_length=1, choices=Quality, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = change_time()

    objects = PairQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["before", "after"], name="pair_once"),
            models.CheckConstraint(
                condition=~models.Q(before=models.F("after")), name="pair_is_of_two_results"
            ),
            models.CheckConstraint(condition=models.Q(change__in=Change.values), name="pair_change_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.before_id} and {self.after_id}: {self.change}"
