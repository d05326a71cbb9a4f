"""Pools that results are about: a pool belongs to one submission, and has no name."""

from django.db import models
from django.urls import reverse

from results.models import lengths
from results.models.device import Device
from results.models.fields import change_time
from results.models.submission import Submission

# Of its datasets, as `zfs get` prints them or the sender states them
POOL_PROPERTIES = {
    "sync": "sync",
    "recordsize": "recordsize",
    "compression": "compression",
    "logbias": "logbias",
    "atime": "atime",
    "primarycache": "primarycache",
    "ashift": "ashift",
}


class Pool(models.Model):
    """The pool of a submission, as far as its text or sender states it.

    `layout` has the top-level vdevs in order: objects of role, type and members; empty where it isn't stated.
    """

    id = models.AutoField(primary_key=True)
    public_id = models.CharField(max_length=14)  # unique by public_id_of, as that of a result
    # pool_position_once_a_submission begins with it
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="pools", db_index=False)
    position = models.PositiveSmallIntegerField()  # from 1, in the order of the text
    layout = models.JSONField(default=list)
    is_told = models.BooleanField(default=False)  # the layout is stated by the sender, not by the text
    health = models.CharField(max_length=20, blank=True)  # as `zpool status` prints it: "DEGRADED"
    properties = models.JSONField(default=dict)  # of POOL_PROPERTIES
    platform = models.CharField(max_length=lengths.CONDITION, blank=True)
    zfs_version = models.CharField(max_length=lengths.FIRMWARE, blank=True)
    logs = models.ManyToManyField(Device, through="PoolLog", related_name="log_of_pools")
    # The same pool in an earlier submission, as their owner states
    same_as = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="later")
    changed_at = change_time()

    class Meta:
        indexes = [models.Index(fields=["changed_at", "id"], name="pool_last_changed")]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "position"], name="pool_position_once_a_submission"
            ),
            models.CheckConstraint(condition=models.Q(position__gte=1), name="pool_position_from_one"),
            models.CheckConstraint(
                condition=~models.Q(same_as=models.F("id")), name="pool_is_not_the_same_as_itself"
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("pool", args=[self.public_id])


class PoolLog(models.Model):
    """A device that is a log device of a pool."""

    # pool_log_once begins with it
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="log_devices", db_index=False)
    # pool_log_newest begins with it
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="pool_logs", db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "device"], name="pool_log_once")]
        indexes = [models.Index(fields=["device", "-pool"], name="pool_log_newest")]

    def __str__(self) -> str:
        return f"{self.device_id} of pool {self.pool_id}"
