"""Networks from which nobody without an account may send anything. Only digests of them are stored."""

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from results.core.digests import digest_network, digest_sender
from results.core.events import NETWORK_DIGITS
from results.core.limits import sender_address
from results.models import NetworkBan


def find_network_ban(request: HttpRequest | Request) -> NetworkBan | None:
    """The ban of the request's network: by its lasting digest, or by the one of today's submissions."""
    address = sender_address(request)
    if not address:
        return None
    digests = [short_digest(digest_network(address)), short_digest(digest_sender(address))]
    return NetworkBan.objects.filter(network__in=digests, until__gt=timezone.now()).first()


def short_digest(digest: str) -> str:
    """As the log has it."""
    return digest[:NETWORK_DIGITS]


def why_network_may_not(action: str, ban: NetworkBan) -> str:
    until = f"{ban.until:%Y-%m-%d %H:%M} UTC"
    return f"Nobody without an account can {action} from your network until {until}: {ban.reason}"
