"""manage.py accept_unit_key: continue with a new SLOGDB_UNIT_KEY, because the old one is lost."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.operations.unit_key import accept_key


class Command(BaseCommand):
    help = (
        "Store the fingerprint of the current SLOGDB_UNIT_KEY, because the old key is lost. Units, authors and "
        "texts seen before are no longer recognized, and a restore doesn't close accounts again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="confirm; without it nothing is done")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if not options["yes"]:
            raise CommandError("Units seen before won't be recognized again. Confirm with --yes.")
        accept_key()
        self.stdout.write("This database now uses the current key.")
