"""`manage.py reread`: read the stored texts again, after the parsers have changed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from results.ingest.reread import reread_all
from results.ranking.places import Board
from results.tasks import hurry_ranking


class Command(BaseCommand):
    help = "Read the stored texts again: those that another version of the parsers has read, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="also those that this version has read")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        changed: set[Board] = set()
        count = 0
        for _, boards in reread_all(only_outdated=not options["all"]):
            changed.update(boards)
            count += 1
        hurry_ranking(sorted(changed))
        self.stdout.write(f"{count} texts read again")
