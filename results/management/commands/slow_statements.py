"""manage.py slow_statements: what takes PostgreSQL's time."""

from argparse import ArgumentParser
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from results.operations.slow_statements import NotAvailableError, reset_statistics, slowest_statements

SHOWN = 20
WIDTH = 300


class Command(BaseCommand):
    help = "List the statements that took the most time in total, from pg_stat_statements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=SHOWN, help="how many (%(default)s)")
        parser.add_argument("--reset", action="store_true", help="reset the statistics after printing")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            self._print(options["count"])
            if options["reset"]:
                reset_statistics()
        except (NotAvailableError, psycopg.Error) as error:
            raise CommandError(str(error)) from error

    def _print(self, count: int) -> None:
        self.stdout.write(f"{'total s':>9} {'calls':>9} {'mean ms':>9} {'max ms':>9}  statement")
        for statement in slowest_statements(count):
            self.stdout.write(
                f"{statement.total_ms / 1000:9.1f} {statement.calls:9,} {statement.mean_ms:9.1f} "
                f"{statement.max_ms:9.1f}  {statement.sql[:WIDTH]}"
            )
