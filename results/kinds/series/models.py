"""The payload of a run: its conditions, a figure a minute, and its series."""

from django.db import models

from results.core.described import columns_of
from results.kinds.series.steady import VERDICTS
from results.models import Result, lengths

ERASED, PRECONDITIONED, USED = "erased", "preconditioned", "used"
STATES = {ERASED: "secure-erased", PRECONDITIONED: "preconditioned", USED: "as used"}
FIO_LOG, CSV, FIGURE = "fio_log", "series_csv", "sustained_figure"
METHODS = {
    FIO_LOG: "a series from fio",
    CSV: "a series as CSV",
    FIGURE: "a published figure without its series",
}


class Sustained(models.Model):
    """What a result measured; an empty text or a null is a condition that isn't stated."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="sustained"
    )
    verdict = models.CharField(
        max_length=12,
        choices=VERDICTS,
        blank=True,
        help_text="Verdict on the last five minutes by SNIA’s PTS; only IOPS series have one.",
    )
    is_on_board = models.BooleanField(default=False)  # steady, complete, and its load is stated
    transfer_size = models.PositiveIntegerField(null=True, help_text="Bytes of one write.")
    random_percent = models.PositiveSmallIntegerField(
        null=True, help_text="Share of random writes, in %: 0 is sequential, 100 random."
    )
    queue_depth = models.PositiveSmallIntegerField(null=True, help_text="Writes in flight, of each worker.")
    workers = models.PositiveSmallIntegerField(null=True, help_text="How many wrote at the same time.")
    content = models.CharField(
        max_length=20,
        blank=True,
        help_text="What was written: random, repeating, zeros, or compressible with its share in %.",
    )
    state_before = models.CharField(
        max_length=20, choices=STATES, blank=True, help_text="State of the device before the test."
    )
    written_before = models.FloatField(
        null=True, help_text="What the series wrote before its last five minutes, in bytes."
    )
    phases = models.JSONField(default=list, help_text="Write phases; between them the device was idle.")
    window_start_s = models.FloatField(null=True, help_text="Where the last five minutes begin, in s.")
    range_percent = models.FloatField(
        null=True, help_text="Highest minus lowest of the last five minutes, in % of their mean."
    )
    rise_percent = models.FloatField(
        null=True, help_text="Rise of a line fitted to the last five minutes, in % of their mean."
    )
    points = models.JSONField(default=list)  # [s, IOPS or µs] for a chart
    first_minute_iops = models.FloatField(null=True)
    sustained_iops = models.FloatField(null=True)
    slowest_minute_iops = models.FloatField(null=True)
    minutes_to_drop = models.PositiveSmallIntegerField(null=True)
    recovery_percent = models.FloatField(null=True)
    mean_us = models.FloatField(null=True)  # latency; of a series over its last five minutes
    p99_us = models.FloatField(null=True)
    max_us = models.FloatField(null=True, help_text="The highest latency, in µs.")
    at_minute = models.PositiveSmallIntegerField(null=True, help_text="Minute of a published figure.")
    procedure = models.CharField(
        max_length=lengths.FACT, blank=True, help_text="How a published figure was measured."
    )

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
    iops = models.BinaryField(null=True)  # results.kinds.series.samples.pack
    latency = models.BinaryField(null=True)  # the same in µs
    sample_count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.result_id}: {self.sample_count} samples"


COLUMNS, SERIES_COLUMNS = columns_of(Sustained), columns_of(SustainedSeries)
