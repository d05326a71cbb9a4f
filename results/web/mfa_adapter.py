"""Secrets of second factors are kept encrypted: a copy of the database alone opens no account."""

import base64
import logging
import os

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE = b"slogdb second factors"
_ENCRYPTED = "gAAAA"  # how every Fernet token begins; a secret in base 32 or 16 never does
_NOBODYS_BYTES = 20

logger = logging.getLogger(__name__)


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts TOTP secrets and the seeds of recovery codes by a key that is drawn from the site's secret."""

    def encrypt(self, text: str) -> str:
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that was kept before they were encrypted, as it is.

        Where the key is lost, a secret that nobody has, so that no code fits it.
        """
        if not encrypted_text.startswith(_ENCRYPTED):
            return encrypted_text
        try:
            return _keys().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.error("A second factor was encrypted by a key that SLOGDB_SECRET_KEY_FALLBACKS lacks")  # noqa: TRY400
            return base64.b32encode(os.urandom(_NOBODYS_BYTES)).decode()


def _keys() -> MultiFernet:
    """The present key, which encrypts, and those before it."""
    return MultiFernet([_key(one) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str) -> Fernet:
    drawn = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(drawn))
