"""What the site stores about its own data: its version, what was erased, and the reread that a worker does."""

import uuid

from django.db import models
from django.db.models.functions import Now

from results.models import lengths
from results.models.choices import Gone


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
    # When a backup was last restored, or the database was otherwise set back: cursors from before are refused.
    restored_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="installation_is_one_row")]

    def __str__(self) -> str:
        return str(self.lineage)


class Tombstone(models.Model):
    """A row of the API that is gone, by its name in the API; triggers store and remove it (migration 0037).

    `name` is what identified it: a public id, a number or, for products, a slug; a device's slug is its model name,
    which may have been erased. `submission_id` is that of its submission.
    """

    resource = models.CharField(max_length=10)  # "results", "pools", "devices", "products", "prices", "pairs"
    name = models.CharField(max_length=140)
    state = models.CharField(max_length=10, choices=Gone)
    changed_at = models.DateTimeField()
    submission_id = models.IntegerField(null=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["resource", "name"], name="tombstone_once_a_row")]
        indexes = [models.Index(fields=["resource", "changed_at", "id"], name="tombstone_oldest_first")]

    def __str__(self) -> str:
        return f"{self.resource}: {self.name}, {self.state}"


class RereadRun(models.Model):
    """The progress of the worker's latest reread: one row, with id 1.

    `after_pk` is the last submission that was reread; it is set in the transaction that rereads it.
    """

    only_outdated = models.BooleanField()
    after_pk = models.BigIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    failed = models.PositiveIntegerField(default=0)
    changes = models.JSONField(default=dict)  # what changed: the number of results
    started_at = models.DateTimeField(db_default=Now())
    touched_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="reread_run_is_one_row")]

    def __str__(self) -> str:
        return f"{self.done} of {self.total}"
