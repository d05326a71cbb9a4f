"""Computed rankings: rows per board, device and method, and rows per board and class for the rest."""

from collections.abc import Iterator

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F

from results.models import lengths
from results.models.choices import DEVICE_CLASSES, Board, Method
from results.models.device import Device
from results.models.fields import FloatsField, RealField, curve_field, is_curve

# The columns that a list of devices can be ordered by, apart from rank and metrics, with the names of their indexes.
# The metrics' indexes are created by migrations only: metrics are defined above the models (results.kinds).
_ORDERS = {"last_measured_on": "day", "unit_count": "units", "result_count": "results"}
SOMETIMES_NULL = frozenset({"last_measured_on"})  # nulls come last in both directions
_LAST = ("high", "device_id")  # the order of rows that are otherwise equal
NAMED = ("model_name", "capacity_bytes")  # unique together, so that one index serves both directions


def _indexes_of_orders() -> Iterator[models.Index]:
    """An index for each sort order of main rows, so that a page is found without reading the rows before it.

    Class-wide passes need the lower end and the method as well; the width of an interval, the lower end. The counts
    of facets' options need the class and the units of all main rows.
    """
    is_main = models.Q(is_main=True)
    for column, name in _ORDERS.items():
        nulls_last = column in SOMETIMES_NULL or None
        up, down = F(column).asc(nulls_last=nulls_last), F(column).desc(nulls_last=nulls_last)
        yield models.Index("board", up, *_LAST, condition=is_main, name=f"ranking_by_{name}_up")
        yield models.Index("board", down, *_LAST, condition=is_main, name=f"ranking_by_{name}_down")
    width = F("high") / F("low")
    seen = ["low", "method"]
    yield models.Index("board", width, *_LAST, include=["low"], condition=is_main, name="ranking_by_interval")
    yield models.Index("board", *_LAST, include=seen, condition=is_main, name="ranking_overall_high")
    yield models.Index(
        "board",
        "device_class",
        *_LAST,
        include=[*seen, "unit_count"],
        condition=is_main,
        name="ranking_class_high",
    )
    yield models.Index(F("board"), include=["device_id", "score"], condition=is_main, name="ranking_scores")
    yield models.Index("board", *NAMED, include=["device_id"], condition=is_main, name="ranking_by_device")


class DeviceRanking(models.Model):
    """Medians over a device's units by one method, and the interval of the figure that a board ranks by."""

    device = models.ForeignKey(
        Device,
        on_delete=models.CASCADE,
        related_name="rankings",
        db_index=False,  # ranking_once_a_device_board_and_method begins with it
    )
    board = models.CharField(max_length=20, choices=Board)
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

    # The basis of the places: the figure that the board ranks by, in its metric's unit, with its interval; on the
    # natural log scale, the deviation of the units from their median and the differences between pairs of them; and
    # the method's spread that the interval was computed with: null, or different from the stored one, if it is stale.
    score = RealField()
    low = RealField()  # in a new row the score itself, until it is computed in the same transaction
    high = RealField()
    unit_deviation = RealField(null=True)
    unit_differences = ArrayField(RealField(), default=list)
    board_spread = models.FloatField(null=True)
    # That spread is a guess: too few devices have two units
    assumed_spread = models.BooleanField(default=True)

    # The same over units that someone is accountable for, with the guessed spread; null if they are too few for a
    # recommendation.
    recommended_score = RealField(null=True)
    recommended_low = RealField(null=True)
    recommended_high = RealField(null=True)
    # The row's figures from them (results.ranking.recommend); null if no other units count, or they are too few
    recommended_figures = models.JSONField(null=True)

    # Of the board sync_write: version, units, median and deviation, for each firmware (results.devices.firmware)
    firmwares = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))

    # The fewest figure_digits of the results behind the score, for pages; null if three or more
    digits = models.PositiveSmallIntegerField(null=True)
    # Whether somebody vouched for the results behind this row (results.ranking.senders)
    is_vouched = models.BooleanField(default=False, db_default=False)
    # Whether this is the device's row in the board's list (results.ranking.medians)
    is_main = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["device", "board", "method"], name="ranking_once_a_device_board_and_method"
            ),
            models.CheckConstraint(
                condition=models.Q(unit_count__gte=1) & models.Q(result_count__gte=models.F("unit_count")),
                name="ranking_rests_on_results",
            ),
            is_curve("median_us"),
        ]
        indexes = [
            # These indexes cover all columns of a class-wide pass: the rows with their curves are ten times as large.
            models.Index(
                fields=["board", "method", "device_class", "board_spread"],
                include=["assumed_spread"],
                name="ranking_class_spread",
            ),
            models.Index(
                fields=["board", "method", "device_class"],
                include=["unit_differences"],
                condition=models.Q(unit_count__gt=1),
                name="ranking_class_pairs",
            ),
            models.Index(
                fields=["board", "device_class", "recommended_high", "device_id"],
                include=["id"],
                condition=models.Q(recommended_high__isnull=False, is_main=True),
                name="ranking_recommended",
            ),
            models.Index(
                fields=["board", "recommended_high", "device_id"],
                condition=models.Q(recommended_high__isnull=False, is_main=True),
                name="ranking_recommended_first",
            ),
            models.Index(
                fields=["board", "device_class", "digits"],
                condition=models.Q(digits__isnull=False, is_main=True),
                name="ranking_rounded",
            ),
            models.Index(
                fields=["board", "device_id"],
                condition=models.Q(is_main=False),
                name="ranking_by_other_methods",
            ),
            *_indexes_of_orders(),
        ]

    def __str__(self) -> str:
        return f"{self.device_id} on {self.board} by {self.method}"


class ClassRanking(models.Model):
    """What a board knows of all devices of a class (of all classes, if empty), by one method or merged.

    A method's row holds its spread, and the ends of its main rows' intervals in order, so that places are found by a
    binary search. The row with an empty method is the merged order: where groups of ties begin, and the factor
    between methods. It also counts the board's changes in the class, and those that its last pass included.
    """

    board = models.CharField(max_length=20, choices=Board)
    device_class = models.CharField(max_length=10, choices=DEVICE_CLASSES, blank=True)
    method = models.CharField(max_length=10, choices=Method, blank=True)
    changes = models.BigIntegerField(default=0)
    ranked_changes = models.BigIntegerField(default=0)
    ranked_at = models.DateTimeField(null=True)
    spread = models.FloatField(null=True)  # between units of one device, natural log; null before a pass
    spread_source = models.CharField(max_length=10, blank=True)  # its source: "class", "all" or "guess"
    factor = models.FloatField(null=True)  # between methods, of the merged order
    lows = FloatsField(default=bytes)
    highs = FloatsField(default=bytes)
    # Worse ends at which a new group of ties begins, in the merged order
    group_starts = FloatsField(default=bytes)
    # Of a class, in the row of the merged order: results.ranking.distributions
    distribution = models.JSONField(null=True)
    typical_device = models.ForeignKey(  # as of the last pass: it may be gone
        Device, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board", "device_class", "method"], name="class_ranking_once")
        ]

    def __str__(self) -> str:
        return f"{self.board}, {self.device_class or 'all classes'}: {self.method or 'merged'}"
