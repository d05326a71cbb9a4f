"""The payload of a check: what a pool's log did, and how long its slowest disk took."""

from django.db import models

from results.core.described import columns_of
from results.models import Result, lengths


class LogCheck(models.Model):
    """What the counters grew by in `window_s`; a null is what they or the drives don't state."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="log_check"
    )
    window_s = models.PositiveIntegerField(help_text="Time between the two readings of the counters, in s.")
    commits_s = models.FloatField(help_text="Commits of the pool per second.")
    log_bytes_s = models.FloatField(null=True, help_text="Bytes per second written to the log devices.")
    share = models.FloatField(
        null=True, help_text="Share of the log’s bytes that went to the log devices, 0 to 1."
    )
    write_us = models.FloatField(
        null=True, help_text="Mean time of a write to the slowest disk of the log, in µs."
    )
    flush_us = models.FloatField(
        null=True, help_text="The same of a flush, in µs; 0 if none was sent, null if they aren’t counted."
    )
    years_left = models.FloatField(
        null=True,
        help_text="Years until a drive of the log is worn out at this rate, by its own wear and bytes written.",
    )
    log_name = models.CharField(
        max_length=2 * lengths.MODEL_NAME, blank=True, help_text="Models of the log devices."
    )

    class Meta:
        verbose_name = "check of a log"
        verbose_name_plural = "checks of logs"

    def __str__(self) -> str:
        return f"{self.result_id}: {self.commits_s:g} commits/s"


COLUMNS = columns_of(LogCheck)
