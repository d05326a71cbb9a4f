"""manage.py reject_import N: reject the published and held submissions of an import."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.core.formats import format_count
from results.core.security.audit import OPERATOR
from results.management.console import checked_reason
from results.models import ImportBatch
from results.moderation.imports import reject_import


class Command(BaseCommand):
    help = "Reject all published and held submissions of an import. A moderator can approve each again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", type=int, help="of the import: see manage.py imports")
        parser.add_argument("--reason", help="owners see it, and it is logged")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        reason = checked_reason(options["reason"])
        batch = ImportBatch.objects.filter(pk=options["number"]).first()
        if batch is None:
            raise CommandError(f"There is no import {options['number']}. List them: manage.py imports")
        count = reject_import(batch, moderator=OPERATOR, reason=reason)
        self.stdout.write(
            f"Import {batch.pk}, “{batch.title}”: {format_count(count, 'submission')} rejected."
        )
