"""manage.py undo_restore: put the database that the last restore replaced back in use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from results.management.restoring import RestoringCommand
from results.operations.restore import undo_restore


class Command(RestoringCommand):
    help = (
        "Go back to the database that the last restore replaced, without what was erased since. What was "
        "submitted since stays in the other database; run this again to return to that one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--folder", default=settings.BACKUP_FOLDER, help="of the backups (%(default)s)")
        parser.add_argument("--yes", action="store_true", help="confirm; without it nothing is done")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> str:
        if not options["yes"]:
            raise CommandError("This replaces the database. Confirm with --yes.")
        undo_restore(Path(options["folder"]), confirmed=self.confirmed(options), report=self.stdout.write)
        return "The database from before the restore is in use again."
