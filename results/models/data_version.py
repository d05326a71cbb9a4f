"""The data version: one counter, increased by every change that readers could see."""

from django.db import models

from results.models import lengths


class DataVersion(models.Model):
    """The one row that holds the counter (id 1)."""

    value = models.BigIntegerField(default=1)
    # The release that stored everything up to a value, and that value: "1.0.0 1764345600000". If it isn't `value`,
    # another release has changed data since (results.operations.other_release).
    complete = models.CharField(max_length=50, blank=True, default="", db_default="")
    # The read-only switch (results.core.read_only): "" if the site accepts writes.
    read_only_reason = models.CharField(max_length=lengths.REASON, blank=True, default="", db_default="")
    read_only_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="data_version_is_one_row")]

    def __str__(self) -> str:
        return str(self.value)
