"""Computed rankings: a row per device and method, and a row per board for values that need all its devices."""

from collections.abc import Iterator

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F

from results.models import lengths
from results.models.choices import DEVICE_CLASSES, Method
from results.models.device import Device
from results.models.fields import FloatsField, RealField, curve_field, is_curve

# The columns that a list of devices can be ordered by, apart from rank and metrics, with the names of their indexes.
# The metrics' indexes are created by migrations only: metrics are defined above the models (results.kinds).
_ORDERS = {"last_measured_on": "day", "unit_count": "units", "result_count": "results"}
SOMETIMES_NULL = frozenset({"last_measured_on"})  # nulls come last in both directions
_LAST = ("high_us", "device_id")  # the order of rows that are otherwise equal
NAMED = (
    "model_name",
    "capacity_bytes",
)  # unique together, so that one index serves both directions


def _indexes_of_orders() -> Iterator[models.Index]:
    """An index for each sort order, so that a page is found without reading the rows before it.

    Class-wide passes and the width of an interval need low_us as well.
    """
    for column, name in _ORDERS.items():
        nulls_last = column in SOMETIMES_NULL or None
        up, down = F(column).asc(nulls_last=nulls_last), F(column).desc(nulls_last=nulls_last)
        yield models.Index("method", up, *_LAST, name=f"ranking_by_{name}_up")
        yield models.Index("method", down, *_LAST, name=f"ranking_by_{name}_down")
    width = F("high_us") / F("low_us")
    yield models.Index("method", width, *_LAST, include=["low_us"], name="ranking_by_interval")
    yield models.Index("method", *_LAST, include=["low_us"], name="ranking_overall_high")
    yield models.Index("method", "device_class", *_LAST, include=["low_us"], name="ranking_class_high")
    yield models.Index("method", *NAMED, include=["device_id"], name="ranking_by_device")


class DeviceRanking(models.Model):
    """Medians over a device's units, and the confidence interval of its ranked latency."""

    device = models.ForeignKey(
        Device,
        on_delete=models.CASCADE,
        related_name="rankings",
        db_index=False,  # ranking_once_a_device_and_method begins with it
    )
    method = models.CharField(max_length=10, choices=Method)
    device_class = models.CharField(max_length=10, choices=DEVICE_CLASSES)
    # Copies from the device, to sort by; a trigger sets them for code from before these columns.
    model_name = models.CharField(max_length=lengths.MODEL_NAME, db_default="")
    capacity_bytes = models.PositiveBigIntegerField(null=True)
    formula_version = models.PositiveSmallIntegerField()
    unit_count = models.PositiveIntegerField()
    result_count = models.PositiveIntegerField()
    metrics = models.JSONField(default=dict)  # medians by key, without metrics that no result has
    median_us = curve_field()
    lowest_us = curve_field()
    highest_us = curve_field()
    last_measured_on = models.DateField(null=True)

    # The basis of the places: the ranked latency (ZIL by diskinfo, 4 KiB by fio) with its interval; on the
    # natural log scale, the deviation of the units from their median and the differences between pairs of them; and
    # the board's spread that the interval was computed with: null, or different from the board's, if it is stale.
    score_us = RealField()
    low_us = RealField()  # in a new row the score itself, until it is computed in the same transaction
    high_us = RealField()
    unit_deviation = RealField(null=True)
    unit_differences = ArrayField(RealField(), default=list)
    board_spread = models.FloatField(null=True)

    # The upper end of the interval over vouched results; null if there are too few for a recommendation.
    recommended_high_us = RealField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device", "method"], name="ranking_once_a_device_and_method"),
            models.CheckConstraint(
                condition=models.Q(unit_count__gte=1) & models.Q(result_count__gte=models.F("unit_count")),
                name="ranking_rests_on_results",
            ),
            is_curve("median_us"),
        ]
        indexes = [
            # These indexes cover all columns of a class-wide pass: the rows with their curves are ten times as large.
            models.Index(fields=["method", "device_class", "board_spread"], name="ranking_class_spread"),
            models.Index(
                fields=["method", "device_class"],
                include=["unit_differences"],
                condition=models.Q(unit_count__gt=1),
                name="ranking_class_pairs",
            ),
            models.Index(
                fields=["method", "device_class", "recommended_high_us", "device_id"],
                condition=models.Q(recommended_high_us__isnull=False),
                name="ranking_recommended",
            ),
            *_indexes_of_orders(),
        ]

    def __str__(self) -> str:
        return f"{self.device_id} by {self.method}"


class ClassRanking(models.Model):
    """A board: all devices of a class (of all classes, if empty) by one method.

    `changes` counts its changes, `ranked_changes` those that its last pass included. The ends of all intervals are
    stored in order, so that a device's place is found by a binary search for its own ends.
    """

    device_class = models.CharField(max_length=10, choices=DEVICE_CLASSES, blank=True)
    method = models.CharField(max_length=10, choices=Method)
    changes = models.BigIntegerField(default=0)
    ranked_changes = models.BigIntegerField(default=0)
    ranked_at = models.DateTimeField(null=True)
    spread = models.FloatField(null=True)  # between units of one device, natural log; null before a pass
    spread_source = models.CharField(max_length=10, blank=True)  # its source: "class", "all" or "guess"
    lows_us = FloatsField(default=bytes)
    highs_us = FloatsField(default=bytes)
    group_starts_us = FloatsField(default=bytes)  # upper ends at which a new group of ties begins

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device_class", "method"], name="class_ranking_once"),
        ]

    def __str__(self) -> str:
        return (
            f"{self.device_class or 'all classes'} by {self.method}: {self.ranked_changes} of {self.changes}"
        )
