"""manage.py ban: keep a member or a network from sending, for a time."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from results.core.security.audit import OPERATOR
from results.management.console import checked_reason, find_member, is_member_number
from results.models import Member, NetworkBan, Submission
from results.moderation.bans import UnknownNetworkError, ban_network, lift_network_ban, network_named
from results.moderation.decide import MAX_DAYS, DecisionError, ban, lift_ban, written_ban, written_lift

DAYS_OF_A_NETWORK = 7


class Command(BaseCommand):
    help = "Ban a member or a network, or lift the ban. Without a target, list the bans."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "target",
            nargs="?",
            help="a member's e-mail address or number, an IP address, a network's digest from the log, or the id of "
            "a submission (bans its sender)",
        )
        parser.add_argument(
            "--days",
            type=int,
            help=f"days until it ends; default: {DAYS_OF_A_NETWORK} for a network, never for a member",
        )
        parser.add_argument("--reason", help="the sender sees it, and it is logged")
        parser.add_argument("--reject-results", action="store_true", help="reject all results of the member")
        parser.add_argument("--lift", action="store_true", help="lift the ban")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        if options["target"] is None:
            self._list()
            return
        if options["days"] is not None and not 1 <= options["days"] <= MAX_DAYS:
            raise CommandError(f"--days must be from 1 to {MAX_DAYS}.")
        options["reason"] = checked_reason(options["reason"])
        member = _member(options["target"])
        try:
            if member is None:
                self._on_network(**options)
            else:
                self._on_member(member, **options)
        except (DecisionError, UnknownNetworkError) as error:
            raise CommandError(str(error)) from error

    def _on_member(
        self, member: Member, *, reason: str, days: int | None, lift: bool, **options: Any
    ) -> None:
        if lift:
            stay = written_lift(lift_ban(member, moderator=OPERATOR, reason=reason))
            self.stdout.write(f"The ban of member {member.pk} is lifted.{stay}")
            return
        rejects_results = options["reject_results"]
        rejected = ban(member, moderator=OPERATOR, reason=reason, rejects_results=rejects_results, days=days)
        done = written_ban(rejected, rejects_results=rejects_results)
        self.stdout.write(f"Member {member.pk} is banned {_until(member.banned_until)}.{done}")

    def _on_network(self, *, target: str, reason: str, days: int | None, lift: bool, **_: Any) -> None:
        network = network_named(target)
        if lift:
            if not lift_network_ban(network, reason=reason):
                raise CommandError(f"Network {network.digits} isn't banned.")
            self.stdout.write(f"The ban of network {network.digits} is lifted.")
            return
        made = ban_network(network, days=days or DAYS_OF_A_NETWORK, reason=reason)
        self.stdout.write(f"Network {made.network} is banned {_until(made.until)}.")
        if network.known_until is not None:
            self.stdout.write(
                "We can recognize it only today. Once its sender is refused, the log has its lasting digest: "
                'look for "refused_403".'
            )

    def _list(self) -> None:
        now = timezone.now()
        members = [
            banned
            for banned in Member.objects.filter(banned_at__isnull=False).order_by("pk")
            if banned.is_banned
        ]
        networks = list(NetworkBan.objects.filter(until__gt=now).order_by("until"))
        for member in members:
            name = f"member {member.pk}" + (f" ({member.email})" if member.email else "")
            self.stdout.write(f"{name} {_until(member.banned_until)}: {member.ban_reason}")
        for network in networks:
            self.stdout.write(f"network {network}")
        if not members and not networks:
            self.stdout.write("Nobody is banned.")


def _member(target: str) -> Member | None:
    """The member with this address, number or submission; None for a network. Raises CommandError."""
    if "@" in target or is_member_number(target):
        return find_member(target)
    submission = Submission.objects.select_related("owner").filter(public_id=target).first()
    return submission.owner if submission else None


def _until(moment: Any) -> str:
    return "until the ban is lifted" if moment is None else f"until {moment:%Y-%m-%d %H:%M} UTC"
