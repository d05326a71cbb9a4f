"""`manage.py reread`: reread the stored texts after a change of the parsers, and print what changed."""

from argparse import ArgumentParser
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand

from results.catalogue.matching.rematch import remove_empty_devices
from results.exports.build import build_exports, current_manifest
from results.management.console import show_progress
from results.submissions.intake.reread import changed_results, remember_results, reread_all, texts_to_read
from results.submissions.intake.survey_data import judge_published

TEXTS_A_LINE = 1000


class Reread(NamedTuple):
    """Progress: the number of texts reread so far, of how many."""

    text: str
    done: int
    total: int


class Command(BaseCommand):
    help = "Reread the stored texts: those last read by another version of the parsers, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="also those last read by this version")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        is_partial = not options["all"]
        total = texts_to_read(only_outdated=is_partial).count()
        remember_results()
        steps = (
            Reread("texts read again", min(number, total), total)
            for number, _ in enumerate(reread_all(only_outdated=is_partial), start=1)
        )
        count = sum(1 for _ in show_progress(steps, self.stdout, steps_a_line=TEXTS_A_LINE))
        if options["all"]:
            judge_published()
            remove_empty_devices()
        for line in changed_results():
            self.stdout.write(line)
        if count and current_manifest() is not None:
            build_exports()  # its files contain the texts as kept before
        self.stdout.write(f"{count} texts read again")
