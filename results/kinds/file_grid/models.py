"""The payload of a grid: its rates, and under which conditions they were measured."""

from django.db import models

from results.kinds.pool.models import PoolSettings, columns_with_settings
from results.models import Result, lengths

UNITS = {"kB/s": "KiB per second", "ops/s": "records per second"}


class FileGrid(PoolSettings):
    """What a result measured; an empty text or a null is a condition that isn't stated.

    `rows` are objects of `file_bytes` (of one process), `record_bytes`, `processes` (null outside throughput mode)
    and `mib_s`: the rate of all processes by operation. Of repeated runs `mib_s` is the median, and `low` and `high`
    have the extremes, alike. `doubted` are the sender's objects of `operation` and `record_bytes` (null: all).
    """

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="file_grid"
    )
    rows = models.JSONField(
        default=list, help_text="Rates by file size and record size, in the order of the text."
    )
    runs = models.PositiveSmallIntegerField(default=1, help_text="How many runs the rates are the median of.")
    unit = models.CharField(max_length=10, blank=True, choices=UNITS, help_text="What iozone printed.")
    each_synced = models.BooleanField(null=True, help_text="iozone -o: each write is synchronous.")
    flush_timed = models.BooleanField(
        null=True, help_text="iozone -e: the time includes the flush at the end."
    )
    doubted = models.JSONField(default=list, help_text="What the sender says needs a retest.")
    memory_bytes = models.PositiveBigIntegerField(null=True, help_text="Memory of the machine, in bytes.")
    arc_bytes = models.PositiveBigIntegerField(
        null=True, help_text="Limit of the ARC in bytes, if it has one."
    )
    drives = models.CharField(
        max_length=2 * lengths.MODEL_NAME, blank=True, help_text="Models of the data drives."
    )

    class Meta:
        verbose_name = "grid of a pool"
        verbose_name_plural = "grids of pools"

    def __str__(self) -> str:
        return f"{self.result_id}: {len(self.rows)} rows"


COLUMNS = columns_with_settings(FileGrid, before="memory_bytes")
