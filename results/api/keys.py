"""API keys: drawn at random, shown once, kept as a digest, and looked up when a program brings one."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from results.core.digests import digest_secret
from results.models import ApiKey, Member, lengths
from results.models.choices import Scope

KEY_MARK = "slogdb_"  # by which people and secret scanners tell what it is
KEY_BYTES = 20
KEY_LENGTH = len(KEY_MARK) + 2 * KEY_BYTES  # a hexadecimal key is never taken for a claim token
SHOWN_LENGTH = 12
MOST_KEYS = 20  # a member, revoked and expired ones left out
USE_IS_NOTED_AFTER = timedelta(minutes=1)


class KeyRequestError(Exception):
    """A key can't be made like that; says why."""


class KeyRefusedError(Exception):
    """This key opens nothing; says why."""


class BannedError(Exception):
    """The key's owner may not use the site any longer; says why."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key to be shown once, and what is kept of it."""

    text: str
    kept: ApiKey


def make_key(
    owner: Member, *, name: str, scopes: Collection[str], expires_at: datetime | None = None
) -> NewKey:
    """A key of `owner`. Raises KeyRequestError."""
    name = " ".join(name.split())
    if not 0 < len(name) <= lengths.KEY_NAME:
        raise KeyRequestError(f"A key needs a name of at most {lengths.KEY_NAME} characters.")
    if not scopes or not set(scopes) <= set(Scope.values):
        raise KeyRequestError(f"A key is for one or more of: {', '.join(Scope.values)}.")
    if expires_at is not None and expires_at <= timezone.now():
        raise KeyRequestError("A key can't expire in the past.")
    if usable_keys(owner).count() >= MOST_KEYS:
        raise KeyRequestError(f"There are {MOST_KEYS} keys already: revoke one that is not used any more.")
    text = KEY_MARK + secrets.token_hex(KEY_BYTES)
    kept = ApiKey.objects.create(
        owner=owner,
        name=name,
        prefix=text[:SHOWN_LENGTH],
        digest=digest_secret(text),
        scopes=[scope for scope in Scope.values if scope in scopes],
        expires_at=expires_at,
    )
    return NewKey(text, kept)


def usable_keys(owner: Member) -> QuerySet[ApiKey]:
    """The keys of `owner` that open something now, the newest first."""
    keys = owner.api_keys.filter(revoked_at__isnull=True)
    return keys.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())).order_by("-id")


def find_key(text: str) -> ApiKey:
    """The key that `text` is, with its owner, and its use noted. One query, two once a minute.

    Raises KeyRefusedError for one that is unknown, revoked or expired, BannedError for one of a banned member.
    """
    if len(text) != KEY_LENGTH or not text.startswith(KEY_MARK):
        raise KeyRefusedError(f"A key begins with {KEY_MARK} and has {KEY_LENGTH} characters.")
    key = ApiKey.objects.select_related("owner").filter(digest=digest_secret(text)).first()
    if key is None or not key.owner.is_active:
        raise KeyRefusedError("Nobody has this key.")
    now = timezone.now()
    if key.revoked_at is not None:
        raise KeyRefusedError("This key was revoked.")
    if key.expires_at is not None and key.expires_at <= now:
        raise KeyRefusedError("This key has expired.")
    if key.owner.banned_at is not None:
        raise BannedError(key.owner.ban_reason)
    if key.last_used_at is None or key.last_used_at <= now - USE_IS_NOTED_AFTER:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def revoke_key(owner: Member, key_id: int) -> bool:
    """Let a key of `owner` open nothing any more; whether there was such a one. Idempotent."""
    keys = ApiKey.objects.filter(owner=owner, pk=key_id)
    keys.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
    return keys.exists()
