"""manage.py moderators: list, make and remove them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.accounts.moderators import NotAModeratorError, add_moderator, moderators, remove_moderator
from results.core.security.members import has_second_factor
from results.management.console import checked_reason, find_member


class Command(BaseCommand):
    help = "List the moderators, make a member one, or remove one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--add", metavar="ADDRESS", help="e-mail address or number of a member")
        change.add_argument("--remove", metavar="ADDRESS", help="e-mail address or number of a moderator")
        parser.add_argument("--reason", help="it is logged")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if address := options["add"]:
            self._add(address, checked_reason(options["reason"]))
        elif address := options["remove"]:
            self._remove(address, checked_reason(options["reason"]))
        elif not (found := list(moderators())):
            self.stdout.write("There are no moderators.")
        else:
            for member in found:
                role = "administrator" if member.is_superuser else "moderator"
                factor = "" if has_second_factor(member) else ", no second factor yet"
                self.stdout.write(f"{member.email}: {role}{factor}")

    def _add(self, address: str, reason: str) -> None:
        member = find_member(address)
        add_moderator(member, reason=reason)
        self.stdout.write(f"{member.email} is a moderator.")
        if not has_second_factor(member):
            self.stdout.write(
                "They can moderate once they have set up a second factor; the site asks for it."
            )

    def _remove(self, address: str, reason: str) -> None:
        member = find_member(address)
        try:
            remove_moderator(member, reason=reason)
        except NotAModeratorError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{member.email} is no longer a moderator.")
