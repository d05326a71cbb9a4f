"""Notes of what changed in a device's results, which triggers of the database write (migrations 0016 and 0019)."""

from django.db import models

from results.models.device import Device


class DeviceChange(models.Model):
    """One change of what is shown of a device's results, or many that were made one row (results.ranking.changes).

    The database checks no key here, which would lock the device; a device that goes takes its marks along.
    """

    pk = models.CompositePrimaryKey("device_id", "mark")
    device = models.ForeignKey(
        Device, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    mark = models.BigIntegerField()  # random: no other state of the device's results has the same marks
    published_count = models.IntegerField(db_default=0)  # by how many more of its results are published

    def __str__(self) -> str:
        return f"{self.mark} of {self.device_id}"
