"""Bans of networks, by an operator who knows an address, a digest from the log, or a submission."""

import ipaddress
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from results.core.security.audit import OPERATOR, log_action
from results.core.security.bans import short_digest
from results.core.security.digests import digest_network
from results.core.security.events import NETWORK_DIGITS
from results.models import NetworkBan, Submission
from results.models.choices import Action

_DIGEST = re.compile(rf"[0-9a-f]{{{NETWORK_DIGITS}}}(?:[0-9a-f]{{20}})?")


class UnknownNetworkError(Exception):
    """This doesn't identify a network; the message says why."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network by the digits of its digest; one from a submission is recognizable only until `known_until`."""

    digits: str
    known_until: datetime | None = None


def network_named(text: str) -> Network:
    """The network of an address, a digest as in the log, or the public id of a submission sent today.

    Raises UnknownNetworkError.
    """
    try:
        return Network(short_digest(digest_network(str(ipaddress.ip_interface(text).ip))))
    except ValueError:
        pass
    if _DIGEST.fullmatch(text):
        return Network(short_digest(text))
    submission = Submission.objects.filter(public_id=text).first()
    if submission is None:
        raise UnknownNetworkError("This isn't an address, a digest from the log, or a submission.")
    return _network_of(submission)


def _network_of(submission: Submission) -> Network:
    day_begins = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if submission.batch_id is not None or not submission.sender_digest:
        raise UnknownNetworkError(
            "This submission has no network: it was imported, has an owner, or was erased."
        )
    if submission.created_at < day_begins:
        raise UnknownNetworkError("The network of a submission is known only on the day it was sent (UTC).")
    return Network(short_digest(submission.sender_digest), known_until=day_begins + timedelta(days=1))


@transaction.atomic
def ban_network(network: Network, *, days: int, reason: str) -> NetworkBan:
    """Ban it for this many days, or replace its ban."""
    until = timezone.now() + timedelta(days=days)
    values = {"until": min(until, network.known_until or until), "reason": reason}
    ban, _ = NetworkBan.objects.update_or_create(network=network.digits, defaults=values)
    log_action(OPERATOR, Action.NETWORK_BANNED, reason=f"{ban.network}: {reason}")
    return ban


@transaction.atomic
def lift_network_ban(network: Network, *, reason: str) -> bool:
    """Return whether there was a ban."""
    removed, _ = NetworkBan.objects.filter(network=network.digits).delete()
    if removed:
        log_action(OPERATOR, Action.NETWORK_UNBANNED, reason=f"{network.digits}: {reason}")
    return bool(removed)
