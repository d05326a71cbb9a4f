"""`manage.py load_survey`: update the published results from the files that the project ships."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.core.lines import CatalogueError
from results.models.choices import SubjectKind
from results.submissions.intake.shipped import load_pools, load_survey, read_shipped
from results.submissions.intake.shipped_pairs import load_pairs, read_pairs


class Command(BaseCommand):
    help = (
        "Store the published results that the project ships, and remove those no longer in them. Idempotent."
    )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            published, pools, pairs = read_shipped(), read_shipped(SubjectKind.POOL), read_pairs()
        except CatalogueError as error:
            raise CommandError(str(error)) from error
        for what, loaded in (
            ("results", load_survey(published)),
            ("sources of pools", load_pools(pools)),
            ("pairs", load_pairs(pairs)),
        ):
            self.stdout.write(
                f"{loaded.added} {what} loaded, {loaded.unchanged} already loaded, {loaded.removed} removed"
            )
