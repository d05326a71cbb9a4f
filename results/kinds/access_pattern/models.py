"""The payload of an observation: how a log device, or a pool's disks, were written to."""

from django.db import models

from results.models import Result, lengths

LOG, POOL, DISK = "log", "pool", "disk"
OBSERVED = {LOG: "the log device", POOL: "all disks of the pool", DISK: "one disk of the pool"}


class AccessPattern(models.Model):
    """What was observed; an empty list, text or null is what the tool doesn't print and nobody states."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="access_pattern"
    )
    observed = models.CharField(max_length=10, blank=True)  # log, pool, disk
    file_systems = models.PositiveIntegerField(null=True)  # how many were written to at the same time
    seconds_a_row = models.FloatField(null=True)
    is_since_boot = models.BooleanField(null=True)  # an average of a long time, not an observation
    rows = models.JSONField(default=list)  # of iopattern and zilstat, in time: an object of figures each
    row_group = models.PositiveIntegerField(null=True)  # how many rows of the text are one of `rows`
    seeks = models.JSONField(default=list)  # {sectors, count}: the distance to the end of the write before
    sizes = models.JSONField(default=list)  # {bytes, count}: of writes from that size to below the next
    latencies = models.JSONField(default=list)  # {part, buckets: {from_us, below_us, count}}
    sync_percent = models.FloatField(null=True)  # of all writes, those that are sync writes
    log_device = models.CharField(max_length=140, blank=True)  # its slug, if the sender named it
    log_name = models.CharField(max_length=2 * lengths.MODEL_NAME, blank=True)

    class Meta:
        verbose_name = "access pattern"
        verbose_name_plural = "access patterns"

    def __str__(self) -> str:
        return f"{self.result_id}: {self.observed}"


COLUMNS = tuple(field.name for field in AccessPattern._meta.concrete_fields if field.name != "result")
