"""The payload of a run: what a workload on a pool did, how fast, and under which conditions."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from results.core.described import columns_of
from results.models import Result, lengths

WRITE, READ = "write", "read"
DIRECTIONS = {WRITE: "write", READ: "read"}
NO_LOG, WITH_LOG = "none", "device"
LOGS = {NO_LOG: "none", WITH_LOG: "a log device"}
SYNC_MODES = {"standard": "standard", "always": "always", "disabled": "disabled"}
DD, FIO, TIMED = "dd", "fio_pool", "timing"
OTHER = "other_on_pool"  # of published figures only
METHODS = {DD: "dd", FIO: "fio on a pool", TIMED: "timed by hand", OTHER: "another tool"}
ACCESS = {"local": "local", "nfs": "NFS", "smb": "SMB", "iscsi": "iSCSI"}


class PoolSettings(models.Model):
    """How a pool was configured and accessed during a run."""

    log = models.CharField(
        max_length=10, blank=True, choices=LOGS, help_text="Whether the pool had a log device."
    )
    log_device = models.CharField(
        max_length=140, blank=True, help_text="Slug of the log device that the sender names."
    )
    log_name = models.CharField(
        max_length=2 * lengths.MODEL_NAME, blank=True, help_text="Models of the log devices."
    )
    sync_mode = models.CharField(
        max_length=10, blank=True, choices=SYNC_MODES, help_text="The dataset’s sync property."
    )
    record_size = models.PositiveIntegerField(
        null=True, help_text="recordsize of the dataset, or volblocksize of a zvol, in bytes."
    )
    compression = models.CharField(max_length=20, blank=True, help_text="The dataset’s compression property.")
    access = models.CharField(
        max_length=10, blank=True, choices=ACCESS, help_text="How the pool was accessed."
    )

    class Meta:
        abstract = True


class PoolIO(PoolSettings):
    """What a result measured; an empty text or a null is a condition that isn't stated."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="pool_io")
    work = models.CharField(max_length=lengths.CONDITION, blank=True, help_text="What was timed by hand.")
    direction = models.CharField(
        max_length=10, blank=True, choices=DIRECTIONS, help_text="Write or read; timings have none."
    )
    block_size = models.PositiveIntegerField(null=True, help_text="Bytes of one operation.")
    data_bytes = models.PositiveBigIntegerField(null=True, help_text="Bytes that were written or read.")
    seconds = models.FloatField(null=True, help_text="How long it took, in s.")
    throughput_bytes_s = models.FloatField(null=True, help_text="Bytes per second, of all writers together.")
    iops = models.FloatField(null=True, help_text="Operations per second, of all writers together.")
    p99_us = models.FloatField(null=True, help_text="99 of 100 writes take no longer, in µs, by fio.")
    each_synced = models.BooleanField(null=True, help_text="Whether each write was synced.")
    is_synced = models.BooleanField(
        null=True, help_text="Whether the writes were synced at least once, at the end."
    )
    arc_bytes = models.PositiveBigIntegerField(
        null=True, help_text="Memory that can hold the data, in bytes."
    )
    log_activity = models.JSONField(
        null=True, help_text="What zpool iostat showed for the log devices during the run."
    )

    class Meta:
        verbose_name = "workload on a pool"
        verbose_name_plural = "workloads on pools"

    def __str__(self) -> str:
        return f"{self.result_id}: {self.direction or self.work}"


def columns_with_settings(table: type[PoolSettings], *, before: str) -> tuple[str, ...]:
    """The columns in the order of the API and the exports: the settings are in front of that column."""
    settings = columns_of(PoolSettings)
    own = [name for name in columns_of(table) if name not in settings]
    at = own.index(before)
    return (*own[:at], *settings, *own[at:])


COLUMNS = columns_with_settings(PoolIO, before="arc_bytes")


def log_label(payload: Mapping[str, Any]) -> str:
    """The log device in words: "none", "INTEL SSDPE21D280GA 280 GB"; "" if not stated."""
    if payload["log"] == NO_LOG:
        return "none"
    return payload["log_name"] or ("yes, model not stated" if payload["log"] == WITH_LOG else "")
