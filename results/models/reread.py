"""The reread of stored texts that a worker does."""

from django.db import models
from django.db.models.functions import Now


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
