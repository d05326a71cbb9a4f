"""manage.py close_account: delete a member's data on request."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.accounts.data import close_account
from results.core.formats import format_count
from results.core.security.audit import OPERATOR, log_action
from results.core.security.events import log_event
from results.management.console import checked_reason, find_member
from results.models.choices import Action


class Command(BaseCommand):
    help = "Permanently close a member's account, at the request of somebody who can't do it themselves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="e-mail address or number of the member")
        parser.add_argument(
            "--results",
            choices=["keep", "erase"],
            required=True,
            help="keep their results without a name, or erase them",
        )
        parser.add_argument("--reason", help="logged, so don't name anybody in it")
        parser.add_argument("--yes", action="store_true", help="confirm; without it nothing is done")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        reason = checked_reason(options["reason"])
        member = find_member(options["address"])
        submissions = format_count(member.submissions.count(), "submission")
        if member.is_superuser:
            raise CommandError("This is an administrator, who can close the account on the site.")
        if not options["yes"]:
            raise CommandError(f"This can't be undone. They have {submissions}. Confirm with --yes.")
        number = member.pk
        log_action(OPERATOR, Action.ACCOUNT_CLOSED, member=member, reason=reason)
        close_account(member, keeps_results=options["results"] == "keep")
        log_event("account_closed", member=number)
        verb = "kept without a name" if options["results"] == "keep" else "erased"
        self.stdout.write(f"Member {number} is removed, with {submissions} {verb}.")
