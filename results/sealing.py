"""Secrets that the database keeps encrypted, by a key that is drawn from the site's own secret."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE = b"slogdb second factors"
_SEALED = "gAAAA"  # how every Fernet token begins; a secret in base 32 or 16 never does


class LostKeyError(Exception):
    """It was encrypted by a key of which neither the site's secret nor its fallbacks know."""


def seal(text: str) -> str:
    """Encrypted by the present key; every time otherwise."""
    return _keys().encrypt(text.encode()).decode()


def unseal(kept: str) -> str:
    """What was sealed by the present key or one before it; what never was, as it is. Raises LostKeyError."""
    if not kept.startswith(_SEALED):
        return kept
    try:
        return _keys().decrypt(kept.encode()).decode()
    except InvalidToken as error:
        raise LostKeyError from error


def is_sealed_by_present_key(kept: str) -> bool:
    try:
        _key(settings.SECRET_KEY).decrypt(kept.encode())
    except InvalidToken:
        return False
    return True


def _keys() -> MultiFernet:
    """The present key, which encrypts, and those before it."""
    return MultiFernet([_key(one) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str) -> Fernet:
    drawn = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(drawn))
