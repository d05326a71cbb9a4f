"""manage.py restore: replace the database with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from results.operations.postgres_tools import ToolError
from results.operations.restore import RestoreError, restore_backup
from results.operations.site_role import SiteRoleError


class Command(BaseCommand):
    help = (
        "Replace the database with a backup, keep the old one under another name, and erase again what was "
        "erased after the backup. Stop the web servers and workers first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "dump", type=Path, help="a .dump by manage.py backup, with its .sha256 next to it"
        )
        parser.add_argument("--yes", action="store_true", help="confirm; without it nothing is done")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if not options["yes"]:
            raise CommandError("This replaces the database. Confirm with --yes.")
        try:
            restore_backup(options["dump"], report=self.stdout.write)
        except (RestoreError, SiteRoleError, ToolError, OSError, Error, psycopg.Error) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(self.style.SUCCESS("Restored. Start the web servers and workers."))
