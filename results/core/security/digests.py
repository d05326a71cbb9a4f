"""Digests that recognize a text, network or secret again, and can't be reversed."""

import hashlib
import hmac
import ipaddress
import secrets
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.utils import timezone

from results.models import DayKey

IPV4_NETWORK_BITS = 24
IPV6_NETWORK_BITS = 48


def _keyed_digest(purpose: str, value: str, *, length: int, key: str = "") -> str:
    message = f"{purpose}\0{value}".encode("utf-8", "surrogatepass")
    return hmac.digest((key or settings.UNIT_KEY).encode(), message, hashlib.sha256).hex()[:length]


def digest_of_key() -> str:
    """The fingerprint of SLOGDB_UNIT_KEY, which reveals a changed key."""
    return _keyed_digest("fingerprint", "", length=64)


def digest_text(text: str) -> str:
    """The identity of a paste, regardless of line endings and trailing whitespace."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip()
    return _keyed_digest("text", lines, length=64)


def digest_withdrawn(public_id: str) -> str:
    """What replaces the digest of a withdrawn submission's text once somebody else has sent that text."""
    return _keyed_digest("withdrawn", public_id, length=64)


def digest_author(host: str, name: str) -> str:
    """The digest of a forum's host and the name of an author there."""
    return _keyed_digest("author", f"{host}\0{name}", length=32)


def digest_account(number: int, joined_at: datetime) -> str:
    """The digest of an account: its number, which may be reused after a restore, and when it was created."""
    return _keyed_digest("account", f"{number}\0{joined_at.timestamp()}", length=64)


def digest_secret(text: str) -> str:
    """The stored form of a key or claim token: long and random, so an unkeyed digest is sufficient."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_sender(address: str) -> str:
    """The network of an anonymous submission, recognizable within one day only; "" without an address."""
    return _network_digest(address, key_of_the_day().hex()) if address else ""


def key_of_the_day() -> bytes:
    """The key for today's network digests (UTC), generated on first use. Keys of other days are deleted."""
    today = timezone.now().date()
    keys = DayKey.objects.filter(day=today).values_list("key", flat=True)
    if (key := keys.first()) is None:
        delete_old_keys()
        DayKey.objects.bulk_create([DayKey(day=today, key=secrets.token_bytes(32))], ignore_conflicts=True)
        key = keys.get()
    return bytes(key)


def delete_old_keys() -> None:
    """Delete the keys of past days, so that their digests can't be computed again."""
    DayKey.objects.filter(day__lt=timezone.now().date()).delete()


def digest_network(address: str) -> str:
    """The digest of the network that an address belongs to (/24, /48); "" without an address."""
    return _network_digest(address, settings.UNIT_KEY) if address else ""


def network_address(address: str) -> str:
    """The first address of that network, such as 192.0.2.0; "" without an address."""
    return str(_network(address).network_address) if address else ""


def digest_cache_key(key: str, prefix: str, version: int) -> str:
    """The key of a row in the cache: the library's keys contain networks and unkeyed digests of addresses."""
    return _keyed_digest("cache", f"{prefix}:{version}:{key}", length=64)


@lru_cache(maxsize=1000)
def _network_digest(address: str, key: str) -> str:
    """Digest of the network, cached for frequent senders: computing it takes as long as counting the request."""
    return _keyed_digest("network", str(_network(address)), length=32, key=key)


def _network(address: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    parsed = ipaddress.ip_address(address)
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed  # a listener on :: sees all of IPv4 as one /48
    bits = IPV4_NETWORK_BITS if parsed.version == 4 else IPV6_NETWORK_BITS
    return ipaddress.ip_network((parsed, bits), strict=False)
