"""manage.py restore_result: bring back one result from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from results.core.formats import format_count
from results.management.restoring import RestoringCommand
from results.models.result import submission_id_of
from results.operations.restore_result import restore_result


class Command(RestoringCommand):
    help = "Put a submission back that is missing, or whose text is damaged. What was erased stays erased."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "dump", type=Path, help="a .dump from manage.py backup, with its .sha256 and .json next to it"
        )
        parser.add_argument("result", help="the id of a result or submission, as in its address")

    def run(self, options: dict[str, Any]) -> str:
        public_id = submission_id_of(options["result"])
        done = restore_result(options["dump"], public_id)
        results = format_count(done.results, "result")
        if not done.was_missing:
            return f"Nothing was missing: {public_id} is there, with {results}."
        reports = f" and {format_count(done.reports, 'report')}" if done.reports else ""
        return f"{public_id} is back, with {results}{reports}."
