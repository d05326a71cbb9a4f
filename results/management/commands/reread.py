"""`manage.py reread`: read the stored texts again after the parsers have changed, and print what changed."""

from argparse import ArgumentParser
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand

from results.catalogue.empty import remove_empty_devices
from results.exports.build import build_exports, current_manifest
from results.ingest.reread import changed_results, remember_results, reread_all, texts_to_read
from results.ingest.survey import judge_published
from results.management.progress import show_progress
from results.ranking.places import Board
from results.tasks import hurry_ranking

TEXTS_A_LINE = 1000


class Reread(NamedTuple):
    """A text that was read again, the how manieth of how many, and the boards that it changed."""

    text: str
    done: int
    total: int
    boards: list[Board]


class Command(BaseCommand):
    help = "Read the stored texts again: those that another version of the parsers has read, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="also those that this version has read")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        is_partial = not options["all"]
        total = texts_to_read(only_outdated=is_partial).count()
        remember_results()
        changed: set[Board] = set()
        count = 0
        steps = (
            Reread("texts read again", min(number, total), total, boards)
            for number, (_, boards) in enumerate(reread_all(only_outdated=is_partial), start=1)
        )
        for step in show_progress(steps, self.stdout, steps_a_line=TEXTS_A_LINE):
            changed.update(step.boards)
            count += 1
        if options["all"]:
            changed.update(judge_published())
            remove_empty_devices()
        hurry_ranking(sorted(changed))
        for line in changed_results():
            self.stdout.write(line)
        if options["all"] and current_manifest() is not None:
            build_exports()  # its files hold the texts as they were masked before
        self.stdout.write(f"{count} texts read again")
