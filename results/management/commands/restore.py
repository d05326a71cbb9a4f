"""manage.py restore: replace the database with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from results.management.restoring import RestoringCommand
from results.operations.restore import restore_backup


class Command(RestoringCommand):
    help = (
        "Restore a backup into a new database, check and migrate it, erase again what was erased after the backup, "
        "and only then put it in use. The old database stays under another name: see undo_restore. What is "
        "submitted meanwhile is only in the old one; to prevent that, stop the web servers and workers first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "dump", type=Path, help="a .dump from manage.py backup, with its .sha256 and .json next to it"
        )
        parser.add_argument("--yes", action="store_true", help="confirm; without it nothing is done")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> str:
        if not options["yes"]:
            raise CommandError("This replaces the database. Confirm with --yes.")
        restore_backup(options["dump"], confirmed=self.confirmed(options), report=self.stdout.write)
        return (
            "Restored. To undo it: manage.py undo_restore --yes (if the site doesn't start, while "
            "bin/serve --only-servers runs)"
        )
