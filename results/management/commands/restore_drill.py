"""manage.py restore_drill: find out whether a restore would work, without replacing anything."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from results.management.restoring import RestoringCommand
from results.operations.backup import newest_backup
from results.operations.restore import restore_backup


class Command(RestoringCommand):
    help = "Do everything that `restore` does with the newest backup, except putting it in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dump", type=Path, nargs="?", help="another backup")
        parser.add_argument("--folder", default=settings.BACKUP_FOLDER, help="of the backups (%(default)s)")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> str:
        dump = options["dump"] or newest_backup(Path(options["folder"]))
        restore_backup(dump, confirmed=self.confirmed(options), is_drill=True, report=self.stdout.write)
        return f"{dump.name} can be restored. The site's database is as it was."
