"""Encryption with keys derived from the site's secret, so that a copy of the database alone reveals nothing."""

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def cipher(purpose: str, *, known_to_holder: str = "") -> MultiFernet:
    """Encrypts with the current secret, and decrypts with former ones, too.

    `known_to_holder` is something that isn't stored, such as an idempotency key: without it nothing is decrypted.
    """
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([_fernet(secret, purpose, known_to_holder) for secret in secrets])


def current_cipher(purpose: str) -> Fernet:
    """Decrypts only what was encrypted with the current secret."""
    return _fernet(settings.SECRET_KEY, purpose, "")


def _fernet(secret: str, purpose: str, known_to_holder: str) -> Fernet:
    salt = known_to_holder.encode() or None
    derived = HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
