"""The payload of a grid: its rates, and under which conditions they were measured."""

from django.db import models

from results.models import Result, lengths


class FileGrid(models.Model):
    """What a result measured; an empty text or a null is a condition that isn't stated.

    `rows` are objects of `file_bytes` (of one process), `record_bytes`, `processes` (null outside throughput mode)
    and `mib_s`: the rate of all processes by operation. Of repeated runs `mib_s` is the median, and `low` and `high`
    have the extremes, alike. `doubted` are the sender's objects of `operation` and `record_bytes` (null: all).
    """

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="file_grid"
    )
    rows = models.JSONField(default=list)
    runs = models.PositiveSmallIntegerField(default=1)  # of which this is the median
    unit = models.CharField(max_length=10, blank=True)  # as printed: kB/s or ops/s
    each_synced = models.BooleanField(null=True)  # -o
    flush_timed = models.BooleanField(null=True)  # -e: the flush at the end is part of the time
    doubted = models.JSONField(default=list)
    log = models.CharField(max_length=10, blank=True)  # none, device
    log_device = models.CharField(max_length=140, blank=True)  # its slug, if the sender named it
    log_name = models.CharField(max_length=2 * lengths.MODEL_NAME, blank=True)
    sync_mode = models.CharField(max_length=10, blank=True)  # of the dataset
    record_size = models.PositiveIntegerField(null=True)  # bytes; recordsize of the dataset
    compression = models.CharField(max_length=20, blank=True)
    access = models.CharField(max_length=10, blank=True)
    memory_bytes = models.PositiveBigIntegerField(null=True)
    arc_bytes = models.PositiveBigIntegerField(null=True)  # the ARC's limit
    drives = models.CharField(max_length=2 * lengths.MODEL_NAME, blank=True)  # models of the data drives

    class Meta:
        verbose_name = "grid of a pool"
        verbose_name_plural = "grids of pools"

    def __str__(self) -> str:
        return f"{self.result_id}: {len(self.rows)} rows"


COLUMNS = tuple(field.name for field in FileGrid._meta.concrete_fields if field.name != "result")
