"""What the commands that restore databases have in common."""

from argparse import ArgumentParser
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from results.management.full_disk import explain
from results.operations.backup import BackupError
from results.operations.erasures import ErasureListError
from results.operations.postgres_tools import ToolError
from results.operations.prepare import Confirmed, RestoreError
from results.operations.site_role import SiteRoleError

KNOWN_ERRORS = (
    BackupError,
    ErasureListError,
    RestoreError,
    SiteRoleError,
    ToolError,
    OSError,
    Error,
    psycopg.Error,
)


class RestoringCommand(BaseCommand):
    """Reports errors in one line; `run` returns the last line to print."""

    requires_system_checks = []  # the database to be replaced may be broken in any way

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--without-erasures",
            action="store_true",
            help="restore even if the list of erasures ends too early; what was erased after that comes back",
        )

        parser.add_argument(
            "--accept-unit-key",
            action="store_true",
            help="restore even if the backup has another SLOGDB_UNIT_KEY, because that key is lost",
        )

    @staticmethod
    def confirmed(options: dict[str, Any]) -> Confirmed:
        return Confirmed(uncovered=options["without_erasures"], another_key=options["accept_unit_key"])

    def run(self, options: dict[str, Any]) -> str:
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            done = self.run(options)
        except KNOWN_ERRORS as error:
            raise CommandError(f"{explain(error)}\nThe site's database is as it was.") from error
        self.stdout.write(self.style.SUCCESS(done))
