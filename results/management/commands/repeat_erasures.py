"""manage.py repeat_erasures: erase what a recovery to a point in time brought back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from results.core.data_version import agree_on_version
from results.operations.erasures import ErasureListError, all_lines, copied_lists, lineage, list_file
from results.operations.prepare import erase_again


class Command(BaseCommand):
    help = "Erase again everything on the list of erasures next to the backups; a restore does this itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--folder", default=settings.BACKUP_FOLDER, help="of the backups (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        folder, of = Path(options["folder"]), lineage()
        try:
            lists = copied_lists(folder, of)
        except ErasureListError as error:
            raise CommandError(str(error)) from error
        if not lists:
            raise CommandError(f"There is no list: put the newest copy at {list_file(folder, of)}")
        lines = all_lines(lists)
        erase_again(lines)
        agree_on_version()
        self.stdout.write(f"{len(lines)} erasures are in effect.")
