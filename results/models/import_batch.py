"""Imports: many old results at once, such as a saved forum thread."""

from django.conf import settings
from django.db import models

from results.models import lengths


class ImportBatch(models.Model):
    """One import: its author and source. Its outcome is the state of its submissions."""

    title = models.CharField(max_length=lengths.TITLE)
    source_url = models.URLField(max_length=lengths.ADDRESS, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="imports"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "import batches"
        constraints = [models.CheckConstraint(condition=~models.Q(title=""), name="import_has_a_title")]

    def __str__(self) -> str:
        return self.title
