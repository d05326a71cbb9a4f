"""The payload of a run: what was written through, and a figure for each way of syncing."""

from django.db import models

from results.models import Result

LAYERS = {
    "ext4": "ext4",
    "xfs": "XFS",
    "btrfs": "Btrfs",
    "ufs": "UFS",
    "zfs": "ZFS",
    "zvol": "a zvol",
    "lvm": "a logical volume",
    "md": "an md device",
    "apfs": "APFS",
    "ntfs": "NTFS",
    "guest": "a virtual machine",
}
LONGEST_LAYER = 20


class FileSync(models.Model):
    """What one result measured. `rows` are results.kinds.file_sync.read.Row, in the order of the text."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="file_sync"
    )
    layer = models.CharField(max_length=LONGEST_LAYER, blank=True)  # empty where the text doesn't say
    rows = models.JSONField()

    def __str__(self) -> str:
        return f"{self.result_id}: {len(self.rows)} figures"
