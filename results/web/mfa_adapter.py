"""Secrets of second factors are kept encrypted: a copy of the database alone opens no account."""

import base64
import logging
import os
from typing import Any, ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser

from results.sealing import LostKeyError, seal, unseal
from results.web.account_words import SECOND_FACTOR_FAULTS

_NOBODYS_BYTES = 20

logger = logging.getLogger(__name__)


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts TOTP secrets and the seeds of recovery codes."""

    error_messages: ClassVar[dict[str, Any]] = {**DefaultMFAAdapter.error_messages, **SECOND_FACTOR_FAULTS}

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002
        """What a new key is called until its owner says otherwise."""
        return f"Key {Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1}"

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; where the key is lost, one that nobody has, so that no code fits it."""
        try:
            return unseal(encrypted_text)
        except LostKeyError:
            logger.error("A second factor was encrypted by a key that SLOGDB_SECRET_KEY_FALLBACKS lacks")  # noqa: TRY400
            return base64.b32encode(os.urandom(_NOBODYS_BYTES)).decode()
