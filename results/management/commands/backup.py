"""manage.py backup: dump the database, prove the dump by restoring it, delete old ones."""

import logging
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, close_old_connections

from results.management.full_disk import explain
from results.operations.backup import KEPT_AT_LEAST, KEPT_DAYS, BackupError, make_backup
from results.operations.erasures import ErasureListError, copy_list
from results.operations.postgres_tools import ToolError
from results.operations.site_state import LATEST_BACKUP, age_of_backup_s

AGAIN_AFTER_FAILURE_S = 600
ERASURES_EVERY_S = 60
logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Dump the database into SLOGDB_BACKUP_FOLDER, restore the dump into a scratch database, count its rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--folder", default=settings.BACKUP_FOLDER, help="target folder (%(default)s)")
        parser.add_argument(
            "--days", type=float, default=KEPT_DAYS, help="delete backups that are older (%(default)s)"
        )
        parser.add_argument(
            "--keep",
            type=int,
            default=KEPT_AT_LEAST,
            help="number of backups to keep, however old (%(default)s)",
        )
        parser.add_argument(
            "--every-hours", type=float, help="keep running, and make a backup at this interval"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if options["keep"] < 1:
            raise CommandError("--keep must be at least 1")
        if options["every_hours"] is None:
            self._make(options)
            return
        folder = Path(options["folder"])
        age_s = age_of_backup_s(folder / LATEST_BACKUP)  # a restart alone doesn't make a new one
        self.wait(0 if age_s is None else options["every_hours"] * 3600 - age_s, folder)
        while True:
            self.wait(self._try_backup(options), folder)

    def _make(self, options: dict[str, Any]) -> None:
        try:
            dump = make_backup(
                Path(options["folder"]), days=options["days"], keep=options["keep"], report=self.stdout.write
            )
        except (BackupError, ErasureListError, ToolError, OSError, Error, psycopg.Error) as error:
            raise CommandError(explain(error)) from error
        self.stdout.write(
            self.style.SUCCESS(f"{dump} holds {dump.stat().st_size:,} bytes, restored and counted")
        )

    @staticmethod
    def wait(seconds: float, folder: Path) -> None:
        """Wait, and list what is erased meanwhile, so that restoring this backup erases it again."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(min(ERASURES_EVERY_S, max(0.0, until - time.monotonic())))
            close_old_connections()
            try:
                copy_list(folder)
            except (Error, ErasureListError, OSError) as error:
                logger.warning("Erasures were not listed; trying again in a minute: %s", error)

    def _try_backup(self, options: dict[str, Any]) -> float:
        """Make a backup if possible; return the seconds until the next attempt."""
        close_old_connections()
        try:
            self._make(options)
        except CommandError as error:
            logger.error("No backup: %s", error)  # noqa: TRY400 - the message says it
            return AGAIN_AFTER_FAILURE_S
        return float(options["every_hours"] * 3600)
