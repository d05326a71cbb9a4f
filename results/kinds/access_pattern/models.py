"""The payload of an observation: how a log device, or a pool's disks, were written to."""

from django.db import models

from results.core.described import columns_of
from results.models import Result, lengths

LOG, POOL, DISK = "log", "pool", "disk"
OBSERVED = {LOG: "the log device", POOL: "all disks of the pool", DISK: "one disk of the pool"}


class AccessPattern(models.Model):
    """What was observed; an empty list, text or null is what the tool doesn't print and nobody states."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="access_pattern"
    )
    observed = models.CharField(max_length=10, blank=True, choices=OBSERVED, help_text="What was written to.")
    file_systems = models.PositiveIntegerField(
        null=True, help_text="How many file systems were written to at the same time."
    )
    seconds_a_row = models.FloatField(null=True, help_text="Time that each of `rows` covers, in s.")
    is_since_boot = models.BooleanField(
        null=True, help_text="Whether a histogram is the total since boot, not an observation."
    )
    rows = models.JSONField(
        default=list,
        help_text="Rows of iopattern or zilstat, by the names of their columns: `percent_random`, `count`, "
        "`min_bytes`, `max_bytes`, `mean_bytes`, `read_kb`, `write_kb`; `bytes`, `buffer_bytes`, `ops` …",
    )
    row_group = models.PositiveIntegerField(
        null=True, help_text="How many rows of the text each of `rows` combines, if more than one."
    )
    seeks = models.JSONField(default=list, help_text="Histogram of seeksize.")
    sizes = models.JSONField(
        default=list, help_text="Histogram of bitesize or zpool iostat -r (sync writes)."
    )
    latencies = models.JSONField(default=list, help_text="Histograms of biolatency or zpool iostat -w.")
    sync_percent = models.FloatField(
        null=True, help_text="Share of sync writes among all writes, in %, by zpool iostat -r."
    )
    log_device = models.CharField(
        max_length=140, blank=True, help_text="Slug of the log device that the sender names."
    )
    log_name = models.CharField(
        max_length=2 * lengths.MODEL_NAME, blank=True, help_text="Models of the log devices."
    )

    class Meta:
        verbose_name = "access pattern"
        verbose_name_plural = "access patterns"

    def __str__(self) -> str:
        return f"{self.result_id}: {self.observed}"


COLUMNS = columns_of(AccessPattern)
