"""manage.py read_only: serve pages, but refuse submissions and changes for a while."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from results.core.data_version import set_read_only
from results.core.read_only import read_only_reason
from results.core.security.audit import OPERATOR, log_action
from results.management.console import checked_reason
from results.models.choices import Action


class Command(BaseCommand):
    help = (
        "Serve pages and the API's reads only, or allow everything again. Commands still change data. Without an "
        "argument, show the current state."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("switch", nargs="?", choices=["on", "off"])
        parser.add_argument("--reason", help="for on: a sentence that every page shows")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        before = read_only_reason()
        match options["switch"]:
            case "on":
                reason = checked_reason(options["reason"])
                reason += "" if reason[-1] in ".!?" else "."  # pages show more sentences after it
                _switch(Action.READ_ONLY_ON, reason)
                done = (
                    "The site was read-only already. The reason is now:"
                    if before
                    else "The site is read-only:"
                )
                self.stdout.write(f"{done} {reason}")
            case "off" if options["reason"]:
                raise CommandError("--reason is for on.")
            case "off":
                if before:
                    _switch(Action.READ_ONLY_OFF, "")
                self.stdout.write(
                    "The site accepts submissions and changes again."
                    if before
                    else "The site wasn't read-only."
                )
            case _:
                self.stdout.write(
                    f"The site is read-only: {before}" if before else "The site isn't read-only."
                )


@transaction.atomic
def _switch(action: Action, reason: str) -> None:
    log_action(OPERATOR, action, reason=reason or "Submissions and changes are accepted again.")
    set_read_only(reason)
