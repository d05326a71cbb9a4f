"""manage.py reset_second_factor: for a member who has lost it and the recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.accounts.factor_reset import mail_reset, reset_second_factors
from results.management.console import checked_reason, find_member


class Command(BaseCommand):
    help = "Remove a member's second factors and recovery codes, end their sessions, and tell them by mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="e-mail address or number of the member")
        parser.add_argument("--reason", help="how you verified who is asking; it is logged")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        reason = checked_reason(options["reason"])
        member = find_member(options["address"])
        count = reset_second_factors(member, reason=reason)
        if not count:
            raise CommandError(f"{member.email} has no second factor.")
        self.stdout.write(f"Removed. {member.email} can sign in with the password and set up a new one.")
        try:
            mail_reset(member)
        except OSError as error:
            self.stderr.write(f"The mail to {member.email} could not be sent: {error}")
