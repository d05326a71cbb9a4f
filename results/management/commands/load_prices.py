"""`manage.py load_prices FILE.csv`: add prices to the shipped ones."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.catalogue.files.added_prices import add_prices
from results.core.lines import CatalogueError

SHOWN_REFUSALS = 1000
SOME_REFUSED = 2  # the exit status; 1 means that nothing was loaded


class Command(BaseCommand):
    help = (
        "Add the prices of a file with the columns of results/data/prices.csv. Loading a file twice changes nothing. "
        f"If lines are refused, the others are loaded and the exit status is {SOME_REFUSED}."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        self._refused = 0
        try:
            added = add_prices(options["file"], self._refuse)
        except (CatalogueError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"prices added: {added.new}, already stored: {added.read - added.new}")
        if added.refused:
            raise CommandError(f"lines refused: {added.refused}", returncode=SOME_REFUSED)

    def _refuse(self, number: int, reason: str) -> None:
        self._refused += 1
        if self._refused <= SHOWN_REFUSALS:
            self.stderr.write(f"line {number}: {reason}")
        elif self._refused == SHOWN_REFUSALS + 1:
            self.stderr.write("more lines were refused; their reasons aren't shown")
