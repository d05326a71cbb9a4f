"""API keys: generated at random, shown once, stored as digests."""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from results.core.security.digests import digest_secret
from results.core.security.events import log_event
from results.models import ApiKey, Member, lengths
from results.models.choices import Scope

KEY_PREFIX = "slogdb_"  # identifies keys to people and secret scanners
KEY_BYTES = 20
KEY_LENGTH = len(KEY_PREFIX) + 2 * KEY_BYTES  # a hexadecimal key is never mistaken for a claim token
_HEADER = re.compile(
    rf"bearer +{KEY_PREFIX}[0-9a-f]{{{2 * KEY_BYTES}}}", re.IGNORECASE
)  # nginx.conf has it, too
SHOWN_LENGTH = 12
MAX_KEYS = 20  # per member, without revoked and expired ones
LAST_USED_RESOLUTION = timedelta(minutes=1)


class KeyRequestError(Exception):
    """The key can't be created; the message says why."""


class KeyRefusedError(Exception):
    """The key is invalid; the message says why."""


class BannedError(Exception):
    """The key's owner is banned; the message is the reason."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """The text of a new key, to be shown once, and its row."""

    text: str
    stored: ApiKey


def make_key(
    owner: Member, *, name: str, scopes: Collection[str], expires_at: datetime | None = None
) -> NewKey:
    """Create a key for `owner`. Raises KeyRequestError."""
    name = " ".join(name.split())
    if not 0 < len(name) <= lengths.KEY_NAME:
        raise KeyRequestError(f"A key needs a name of at most {lengths.KEY_NAME} characters.")
    if not scopes or not set(scopes) <= set(Scope.values):
        raise KeyRequestError(f"Choose one or more scopes: {', '.join(Scope.values)}.")
    if expires_at is not None and expires_at <= timezone.now():
        raise KeyRequestError("The expiry date must be in the future.")
    if usable_keys(owner).count() >= MAX_KEYS:
        raise KeyRequestError(f"You already have {MAX_KEYS} keys: revoke one that you no longer use.")
    text = KEY_PREFIX + secrets.token_hex(KEY_BYTES)
    stored = ApiKey.objects.create(
        owner=owner,
        name=name,
        prefix=text[:SHOWN_LENGTH],
        digest=digest_secret(text),
        scopes=[scope for scope in Scope.values if scope in scopes],
        expires_at=expires_at,
    )
    log_event("key_created", member=owner.pk)
    return NewKey(text, stored)


def usable_keys(owner: Member) -> QuerySet[ApiKey]:
    """The owner's valid keys, newest first."""
    keys = owner.api_keys.filter(revoked_at__isnull=True)
    return keys.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())).order_by("-id")


def carries_key(authorization: str) -> bool:
    """Whether an Authorization header has the form of a key; one that doesn't can't be meant for the API."""
    return bool(authorization) and _HEADER.fullmatch(authorization.strip()) is not None


def find_key(text: str) -> ApiKey:
    """Find a key by its text, with its owner, and record its use.

    One query, two once a minute. Raises KeyRefusedError for an unknown, revoked or expired key, and BannedError for
    a banned owner.
    """
    if len(text) != KEY_LENGTH or not text.startswith(KEY_PREFIX):
        raise KeyRefusedError(f"A key begins with {KEY_PREFIX} and has {KEY_LENGTH} characters.")
    key = ApiKey.objects.select_related("owner").filter(digest=digest_secret(text)).first()
    if key is None or not key.owner.is_active:
        raise KeyRefusedError("This key does not exist.")
    now = timezone.now()
    if key.revoked_at is not None:
        raise KeyRefusedError("This key was revoked.")
    if key.expires_at is not None and key.expires_at <= now:
        raise KeyRefusedError("This key has expired.")
    if key.owner.is_banned:
        raise BannedError(key.owner.ban_reason)
    if key.last_used_at is None or key.last_used_at <= now - LAST_USED_RESOLUTION:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def revoke_key(owner: Member, key_id: int) -> bool:
    """Revoke a key of `owner`; return whether it exists. Idempotent."""
    keys = ApiKey.objects.filter(owner=owner, pk=key_id)
    if keys.filter(revoked_at__isnull=True).update(revoked_at=timezone.now()):
        log_event("key_revoked", member=owner.pk)
    return keys.exists()


def revoke_keys(owner: Member) -> None:
    """Revoke all keys of `owner`."""
    for _ in range(owner.api_keys.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())):
        log_event("key_revoked", member=owner.pk)
