"""`manage.py reread`: reread the stored texts after a change of the parsers, and summarize what changed."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from results.catalogue.matching.rematch import remove_empty_devices
from results.core.formats import format_count
from results.exports.build import build_exports, current_manifest
from results.management.console import show_progress
from results.operations.reread_run import RunningError, begin_run
from results.submissions.intake.reread import (
    changed_results,
    diff_lines,
    estimate_s,
    kinds_of_change,
    remember_results,
    reread_all,
    texts_to_read,
    written_kinds,
)
from results.submissions.intake.shipped import judge_published

TEXTS_A_LINE = 1000
VERBOSE = 2
_MINUTE_S, _HOUR_S = 60, 3600


class Reread(NamedTuple):
    """Progress: the number of texts reread so far, of how many."""

    text: str
    done: int
    total: int


class Command(BaseCommand):
    help = (
        "Reread the stored texts: those last read by another version of the parsers, or all. The site can be in use, "
        "and an interrupted reread can be started again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="also those last read by this version")
        parser.add_argument("--diff", action="store_true", help="print each change, as --verbosity 2 does")
        parser.add_argument(
            "--in-worker", action="store_true", help="leave it to the worker; /operator/ shows its progress"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        only_outdated = not options["all"]
        self._estimate(only_outdated=only_outdated)
        if options["in_worker"]:
            self._leave_to_worker(only_outdated=only_outdated)
        else:
            self._reread(
                only_outdated=only_outdated, shows_diff=options["diff"] or options["verbosity"] >= VERBOSE
            )

    def _estimate(self, *, only_outdated: bool) -> None:
        texts = texts_to_read(only_outdated=only_outdated)
        if total := texts.count():
            about = written_duration(estimate_s(texts))
            self.stdout.write(f"{format_count(total, 'text')} to read again: about {about} (from a sample)")

    def _leave_to_worker(self, *, only_outdated: bool) -> None:
        try:
            begin_run(only_outdated=only_outdated)
        except RunningError as error:
            raise CommandError(f"{error} See /operator/.") from error
        self.stdout.write("The worker is rereading them. /operator/ shows its progress and what changed.")

    def _reread(self, *, only_outdated: bool, shows_diff: bool) -> None:
        total = texts_to_read(only_outdated=only_outdated).count()
        remember_results()
        steps = (
            Reread("texts read again", min(number, total), total)
            for number, _ in enumerate(reread_all(only_outdated=only_outdated), start=1)
        )
        count = sum(1 for _ in show_progress(steps, self.stdout, steps_a_line=TEXTS_A_LINE))
        if not only_outdated:
            judge_published()
            remove_empty_devices()
        changed, kinds = 0, Counter[str]()
        for result in changed_results():
            changed += 1
            kinds.update(kinds_of_change(result.before, result.after))
            for line in diff_lines(result) if shows_diff else ():
                self.stdout.write(line)
        if count and current_manifest() is not None:
            build_exports()  # its files contain the texts as kept before
        self.stdout.write(
            f"{format_count(count, 'text')} read again, {format_count(changed, 'result')} changed"
        )
        for line in written_kinds(kinds):
            self.stdout.write(f"  {line}")


def written_duration(seconds: float) -> str:
    """A duration in words, to one unit."""
    for unit, length in (("hour", _HOUR_S), ("minute", _MINUTE_S)):
        if seconds >= length:
            return format_count(round(seconds / length), unit)
    return format_count(max(1, round(seconds)), "second")
