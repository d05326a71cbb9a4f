"""The payload of a run: what a workload on a pool did, how fast, and under which conditions."""

from django.db import models

from results.models import Result, lengths

WRITE, READ = "write", "read"
NO_LOG, WITH_LOG = "none", "device"
SYNC_MODES = {"standard": "standard", "always": "always", "disabled": "disabled"}
ACCESS = {"local": "local", "nfs": "NFS", "smb": "SMB", "iscsi": "iSCSI"}


class PoolIO(models.Model):
    """What a result measured; an empty text or a null is a condition that isn't stated."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="pool_io")
    work = models.CharField(max_length=lengths.CONDITION, blank=True)  # what was timed by hand
    direction = models.CharField(max_length=10, blank=True)  # write, read
    block_size = models.PositiveIntegerField(null=True)  # bytes
    data_bytes = models.PositiveBigIntegerField(null=True)
    seconds = models.FloatField(null=True)
    throughput_bytes_s = models.FloatField(null=True)
    iops = models.FloatField(null=True)
    p99_us = models.FloatField(null=True)
    each_synced = models.BooleanField(null=True)  # every write, not only the last
    is_synced = models.BooleanField(null=True)  # at least once, at the end
    log = models.CharField(max_length=10, blank=True)  # none, device
    log_device = models.CharField(max_length=140, blank=True)  # its slug, if the sender named it
    log_name = models.CharField(max_length=2 * lengths.MODEL_NAME, blank=True)
    sync_mode = models.CharField(max_length=10, blank=True)  # of the dataset
    record_size = models.PositiveIntegerField(null=True)  # bytes; volblocksize of a zvol
    compression = models.CharField(max_length=20, blank=True)
    access = models.CharField(max_length=10, blank=True)
    arc_bytes = models.PositiveBigIntegerField(null=True)  # memory that can hold the data
    # Of zpool iostat during the run: log_ops_share, log_bytes_share, log_latency_us, samples
    log_activity = models.JSONField(null=True)

    class Meta:
        verbose_name = "workload on a pool"
        verbose_name_plural = "workloads on pools"

    def __str__(self) -> str:
        return f"{self.result_id}: {self.direction or self.work}"


COLUMNS = tuple(field.name for field in PoolIO._meta.concrete_fields if field.name != "result")
