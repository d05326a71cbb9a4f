"""What workers are reading just now."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class TakenBatch(models.Model):
    """Waiting texts that a worker took to read them together; goes when they are read."""

    submission_ids = ArrayField(models.IntegerField())
    taken_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.submission_ids)} texts"
