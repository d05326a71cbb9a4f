"""The data version: one counter, increased by every change that readers could see."""

from django.db import models


class DataVersion(models.Model):
    """The one row that holds the counter (id 1)."""

    value = models.BigIntegerField(default=1)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="data_version_is_one_row")]

    def __str__(self) -> str:
        return str(self.value)
