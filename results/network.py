"""Who is asking, as far as an address tells; only proxies that the operator named are believed."""

import ipaddress
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest


def sender_address(request: HttpRequest) -> str:
    """The address of the client: the hop that the outermost trusted proxy saw; "" where none is known."""
    hops = [request.META.get("REMOTE_ADDR", "")]
    if settings.TRUSTED_PROXY_COUNT:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        hops = [hop.strip() for hop in forwarded][-settings.TRUSTED_PROXY_COUNT :] + hops
    return next((hop for hop in hops if _is_address(hop)), "")


@lru_cache(maxsize=1000)
def _is_address(hop: str) -> bool:
    try:
        ipaddress.ip_address(hop)
    except ValueError:
        return False
    return True
