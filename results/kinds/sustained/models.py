"""The payload of a run: its conditions, a figure a minute, and its series."""

from django.db import models

from results.kinds.sustained.steady import VERDICTS
from results.models import Result, lengths

ERASED, PRECONDITIONED, USED = "erased", "preconditioned", "used"
STATES = {ERASED: "secure-erased", PRECONDITIONED: "preconditioned", USED: "as used"}
FIO_LOG, CSV, FIGURE = "fio_log", "series_csv", "sustained_figure"


class Sustained(models.Model):
    """What a result measured; an empty text or a null is a condition that isn't stated."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="sustained"
    )
    verdict = models.CharField(max_length=12, choices=list(VERDICTS.items()), blank=True)  # of a series
    is_on_board = models.BooleanField(default=False)  # steady, complete, and its load is stated
    transfer_size = models.PositiveIntegerField(null=True)  # bytes
    random_percent = models.PositiveSmallIntegerField(null=True)  # of the writes; 0 is sequential
    queue_depth = models.PositiveSmallIntegerField(null=True)  # of each worker
    workers = models.PositiveSmallIntegerField(null=True)
    content = models.CharField(max_length=20, blank=True)  # of the writes: results.kinds.sustained.questions
    state_before = models.CharField(max_length=20, choices=list(STATES.items()), blank=True)
    written_before = models.FloatField(null=True)  # bytes that the series wrote before its last five minutes
    # Of the writing phases: start_s, end_s, and rounds, the IOPS of each whole minute
    phases = models.JSONField(default=list)
    window_start_s = models.FloatField(null=True)  # of the last five minutes
    range_percent = models.FloatField(null=True)  # of their mean
    rise_percent = models.FloatField(null=True)
    points = models.JSONField(default=list)  # [s, IOPS or µs] for a chart
    first_minute_iops = models.FloatField(null=True)
    sustained_iops = models.FloatField(null=True)
    slowest_minute_iops = models.FloatField(null=True)
    minutes_to_drop = models.PositiveSmallIntegerField(null=True)
    recovery_percent = models.FloatField(null=True)
    mean_us = models.FloatField(null=True)  # latency; of a series over its last five minutes
    p99_us = models.FloatField(null=True)
    max_us = models.FloatField(null=True)
    at_minute = models.PositiveSmallIntegerField(null=True)  # of a published figure
    procedure = models.CharField(max_length=lengths.FACT, blank=True)  # of a published figure

    class Meta:
        verbose_name = "sustained result"
        indexes = [
            models.Index(
                fields=["transfer_size", "random_percent"],
                condition=models.Q(is_on_board=True),
                name="sustained_on_board",
            )
        ]

    def __str__(self) -> str:
        return f"{self.result_id}: {self.verdict}"


class SustainedSeries(models.Model):
    """The samples of a result, which only its own page and the exports read."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="sustained_series"
    )
    iops = models.BinaryField(null=True)  # results.kinds.sustained.series.pack
    latency = models.BinaryField(null=True)  # the same in µs
    sample_count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.result_id}: {self.sample_count} samples"


COLUMNS = tuple(field.name for field in Sustained._meta.concrete_fields if field.name != "result")
SERIES_COLUMNS = ("iops", "latency", "sample_count")
