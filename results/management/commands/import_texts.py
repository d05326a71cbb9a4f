"""manage.py import_texts FOLDER|FILE…: import many texts at once."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from parsers.base.format import ParseError
from results.imports.bulk import Text
from results.imports.files import TextFileError, find_texts
from results.imports.thread import begin_import
from results.management.console import find_moderator, import_and_report, show_progress
from results.submissions.intake.receive import PasteTooLongError, preview_text

TEXTS_A_LINE = 1000


class Command(BaseCommand):
    help = (
        "Count the texts with a run in folders (a text per file) or NDJSON (text, author, date, permalink); with "
        "--publish, store what is kept of them, and rank the results. Texts that are already stored are skipped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="FOLDER|FILE")
        parser.add_argument(
            "--publish", action="store_true", help="store the texts (otherwise nothing is stored)"
        )
        parser.add_argument(
            "--moderator", metavar="ADDRESS", help="e-mail address of the responsible moderator"
        )
        parser.add_argument("--title", help="of the import (default: the name of the first path)")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            if options["publish"]:
                self._publish(options)
            else:
                self._show(options["paths"])
        except (OSError, TextFileError) as error:
            raise CommandError(str(error)) from error

    def _show(self, paths: list[Path]) -> None:
        total = with_run = 0
        for text in self._texts(paths):
            total += 1
            with_run += _holds_run(text)
        self.stdout.write(f"{with_run:,} of {total:,} texts contain a run.")
        self.stdout.write("Nothing was stored. Use --publish to store them.")

    def _publish(self, options: dict[str, Any]) -> None:
        paths = options["paths"]
        moderator = find_moderator(options["moderator"])
        total = sum(1 for _ in find_texts(paths))  # refused before anything is stored
        batch = begin_import(options["title"] or paths[0].name, "", moderator)
        new, _failed = import_and_report(self._texts(paths), batch, self.stdout)
        self.stdout.write(
            f"{new:,} of {total:,} texts stored. "
            "The others are already known, too long, not text, or contain no run."
        )

    def _texts(self, paths: list[Path]) -> Iterator[Text]:
        for step in show_progress(find_texts(paths), self.stdout, steps_a_line=TEXTS_A_LINE):
            yield step.found


def _holds_run(text: Text) -> bool:
    try:
        return bool(preview_text(text.text).found.runs)
    except (PasteTooLongError, ParseError):
        return False
