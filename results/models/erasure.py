"""What was erased for good, and which site a database belongs to: a restore needs both to erase it again."""

import uuid

from django.db import models
from django.db.models.functions import Now


class Erasure(models.Model):
    """A line of the list of erasures. Triggers add it in the transaction that erases; no line is ever removed."""

    line = models.CharField(max_length=64, primary_key=True)  # a public id, or the digest of a closed account
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.line


class Installation(models.Model):
    """The one row that identifies the site (id 1)."""

    # Shared by all databases that were restored from each other's backups.
    lineage = models.UUIDField(default=uuid.uuid4)
    # The fingerprint of SLOGDB_UNIT_KEY, which may not change; "" if it isn't known yet.
    unit_key_digest = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="installation_is_one_row")]

    def __str__(self) -> str:
        return str(self.lineage)
