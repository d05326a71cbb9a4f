"""The payload of a run: its layer, and a figure for each way of syncing."""

from django.db import models

from results.core.described import columns_of
from results.kinds.layers import LAYERS
from results.models import Result

LONGEST_LAYER = 20


class FileSync(models.Model):
    """What a result measured; `rows` are those of results.kinds.file_sync.read.row."""

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="file_sync"
    )
    layer = models.CharField(
        max_length=LONGEST_LAYER,
        blank=True,
        help_text=f"What was written through: {', '.join(LAYERS)}, or another.",
    )
    rows = models.JSONField(help_text="The figures of each way of syncing, in the order of the text.")

    def __str__(self) -> str:
        return f"{self.result_id}: {len(self.rows)} figures"


COLUMNS = columns_of(FileSync)
