"""`manage.py make_results N`: fill the database with made-up results, to try the site and to test its scale."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from results.demo.draw import DemoRun, draw_runs
from results.demo.ladder import store_ladders
from results.demo.pools import store_pools
from results.demo.series import store_series
from results.demo.store import store_runs
from results.models import Submission


class Command(BaseCommand):
    help = "Draw N made-up results of made-up devices. Refuses a database that already has results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int, metavar="N")
        parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default 1)")
        parser.add_argument("--devices", type=int, help="number of devices to draw from (default N / 25)")

        parser.add_argument(
            "--ladders", type=int, default=0, help="number of devices that also get a ladder by fio"
        )
        parser.add_argument(
            "--pools", type=int, default=0, help="number of pools with workloads by dd and fio"
        )
        parser.add_argument(
            "--series", type=int, default=0, help="number of devices that also get sustained writes"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if options["count"] < 1:
            raise CommandError("N must be at least 1")
        if not settings.IS_DEMO and Submission.objects.exists():
            raise CommandError(
                "this database already has results; made-up ones are never mixed with real ones"
            )
        try:
            self._make(self._draw(options), options["count"])
            store_ladders(self._draw(options), options["ladders"])
            store_pools(self._draw(options), options["pools"])
            store_series(self._draw(options), options["series"])
        except IntegrityError as error:
            raise CommandError("these results already exist: choose another --seed") from error

    def _draw(self, options: Mapping[str, Any]) -> Iterator[DemoRun]:
        return draw_runs(options["count"], seed=options["seed"], device_count=options["devices"])

    def _make(self, runs: Iterable[DemoRun], count: int) -> None:
        for stored in store_runs(runs):
            self.stdout.write(f"\r{stored} of {count}", ending="")
            self.stdout.flush()
        self.stdout.write("")
