"""Networks from which nobody may send anything without an account. Only their digests are stored."""

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from results.core.security.digests import digest_network, digest_sender
from results.core.security.events import NETWORK_DIGITS
from results.core.security.rate_limits import sender_address
from results.models import NetworkBan


def find_network_ban(request: HttpRequest | Request) -> NetworkBan | None:
    """The ban of the request's network: by its lasting digest, or by the one of today's submissions.

    One query while nobody is banned. There are never many bans, so they are compared here.
    """
    address = sender_address(request)
    bans = {ban.network: ban for ban in NetworkBan.objects.filter(until__gt=timezone.now())}
    if not address or not bans:
        return None
    return bans.get(short_digest(digest_network(address))) or bans.get(short_digest(digest_sender(address)))


def short_digest(digest: str) -> str:
    """The digits of a digest that the log has."""
    return digest[:NETWORK_DIGITS]


def why_network_may_not(action: str, ban: NetworkBan) -> str:
    until = f"{ban.until:%Y-%m-%d %H:%M} UTC"
    return f"Without an account, you can't {action} from your network until {until}: {ban.reason}"
