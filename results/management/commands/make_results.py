"""`manage.py make_results N`: fill the database with made-up results, for trying out and for tests of size."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from results.made_up.draw import draw_runs
from results.made_up.store import store_made_up
from results.models import Submission


class Command(BaseCommand):
    help = "Draw N made-up results of made-up devices. Refuses a database that holds real ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int, metavar="N")
        parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if options["count"] < 1:
            raise CommandError("N must be at least 1")
        if not settings.IS_DEMO and Submission.objects.exists():
            raise CommandError(
                "this database holds results already; made-up ones never stand among real ones"
            )
        try:
            self._make(options["count"], options["seed"])
        except IntegrityError as error:
            raise CommandError("these results are there already: choose another --seed") from error

    def _make(self, count: int, seed: int) -> None:
        for stored in store_made_up(draw_runs(count, seed=seed)):
            self.stdout.write(f"\r{stored} of {count}", ending="")
            self.stdout.flush()
        self.stdout.write("")
