"""`manage.py load_initial_data`: update the catalogue and the published results, fill an empty database."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from parsers.base.device_class import DeviceClass
from results.catalogue.files.products_csv import CATALOGUE_FILE
from results.models import Device, Submission
from results.models.choices import Board
from results.operations.other_release import catch_up
from results.operations.unit_key import IF_LOST, AnotherKeyError, record_key
from results.ranking.leaders import count_by_class
from results.submissions.intake.deferred import rank_unplaced


class Command(BaseCommand):
    help = (
        "Load the catalogue, and fill an empty database: with the published results, or made-up ones in the demo. "
        "If it already has published results, they are updated from their file."
    )

    requires_system_checks = ()  # before migrating
    catalogue = CATALOGUE_FILE
    demo_results = 5000
    demo_others: Mapping[str, int] = {"ladders": 12, "pools": 24, "series": 8}

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--migrate", action="store_true", help="migrate the database first")
        parser.add_argument(
            "--when-migrated", type=Path, metavar="FILE", help="create this file before the data are loaded"
        )

    def handle(self, *args: Any, migrate: bool, when_migrated: Path | None, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if migrate:
            # The other checks are about the code, and import every view.
            self.check(tags=[Tags.database, Tags.security], databases=["default"])
            call_command("migrate", interactive=False, skip_checks=True, stdout=self.stdout)
            if settings.DATABASE_SITE_URL:
                call_command("grant_site_access", stdout=self.stdout)
        try:
            record_key()
        except AnotherKeyError as error:
            raise CommandError(str(error) + IF_LOST) from error
        if when_migrated is not None:
            when_migrated.touch()
        call_command("load_catalogue", file=self.catalogue, stdout=self.stdout)
        if Submission.objects.filter(survey_id__isnull=False).exists():
            call_command("load_survey", stdout=self.stdout)
        elif Submission.objects.exists():
            self.stdout.write("the database already has data")
        elif settings.IS_DEMO:
            call_command("make_results", self.demo_results, **self.demo_others, stdout=self.stdout)
        else:
            call_command("load_survey", stdout=self.stdout)
        rank_unplaced()
        catch_up()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # or the first pages are slow until autovacuum comes round
        self.print_counts()

    def print_counts(self) -> None:
        """Print the number of ranked devices by board and class, and how many have no ranked result."""
        for board in Board:
            counts = count_by_class(board)
            for_classes = ", ".join(f"{DeviceClass(value).label} {n:,}" for value, n in counts.items())
            self.stdout.write(f"ranked on {board.value}: {sum(counts.values()):,} ({for_classes or 'none'})")
        shown = Device.objects.shown()
        unranked = shown.filter(rankings=None).count()
        self.stdout.write(f"devices with results: {shown.count():,}, {unranked:,} of them not ranked")
