"""manage.py imports: list the imports, and what became of their submissions."""

from typing import Any

from django.core.management.base import BaseCommand

from results.core.formats import format_count
from results.models import ImportBatch
from results.moderation.imports import summaries


class Command(BaseCommand):
    help = "List the imports, newest first: number, when, by whom, states of submissions, results, title and source."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        found = summaries(list(ImportBatch.objects.select_related("created_by").order_by("-pk")))
        for summary in found:
            batch, results = summary.batch, format_count(summary.result_count, "result")
            self.stdout.write(
                f"{batch.pk}  {batch.created_at:%Y-%m-%d %H:%M} UTC by {summary.by}: {summary.written_states}; "
                f"{results}  {batch.title} {batch.source_url}".rstrip()
            )
        if not found:
            self.stdout.write("Nothing has been imported yet.")
