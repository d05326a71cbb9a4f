"""Second factors: their secrets are encrypted, and their forms have this site's labels.

The key is derived from the site's secret, so a copy of the database alone opens no account. Secrets that were not
encrypted, or were encrypted with a former key, are encrypted again.
"""

import base64
import json
import logging
import os
from typing import Any, ClassVar, NamedTuple

from allauth.core import context
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm as LibrarysActivateTOTPForm
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt
from allauth.mfa.webauthn import forms as key_forms
from cryptography.fernet import InvalidToken
from django import forms as django_forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import models, transaction

from results.accounts.sign_in import SECOND_FACTOR_FAULTS, LabelsMixin
from results.core.security.bodies import check_json
from results.core.security.events import log_event
from results.core.security.sealing import cipher, current_cipher

_PURPOSE = "slogdb second factors"
_SEALED = "gAAAA"  # how every Fernet token begins; a secret in base 32 or 16 never does


class LostKeyError(Exception):
    """The key isn't that of the site's secret or one of its fallbacks."""


def seal(text: str) -> str:
    """Encrypt with the current key; each call gives another token."""
    return cipher(_PURPOSE).encrypt(text.encode()).decode()


def unseal(stored: str) -> str:
    """Decrypt with the current or a former key; return plain text unchanged. Raises LostKeyError."""
    if not stored.startswith(_SEALED):
        return stored
    try:
        return cipher(_PURPOSE).decrypt(stored.encode()).decode()
    except InvalidToken as error:
        raise LostKeyError from error


def is_sealed_by_present_key(stored: str) -> bool:
    try:
        current_cipher(_PURPOSE).decrypt(stored.encode())
    except InvalidToken:
        return False
    return True


class Sealed(NamedTuple):
    """The numbers of authenticators that were changed, and of those whose key is unknown."""

    changed: int
    lost: int


@transaction.atomic
def seal_second_factors(authenticators: models.QuerySet[Any]) -> Sealed:
    """Encrypt all secrets with the current key. Idempotent."""
    changed = lost = 0
    for authenticator in authenticators.select_for_update().order_by("pk"):
        try:
            data = _sealed(authenticator.data)
        except LostKeyError:
            lost += 1
            continue
        if data != authenticator.data:
            authenticator.data = data
            authenticator.save(update_fields=["data"])
            changed += 1
    return Sealed(changed, lost)


def _sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The data with a sealed secret (of TOTP), seed or codes (of recovery codes)."""
    changed: dict[str, Any] = {name: _seal_again(data[name]) for name in ("secret", "seed") if name in data}
    if "migrated_codes" in data:  # from another program
        changed["migrated_codes"] = [_seal_again(authenticator) for authenticator in data["migrated_codes"]]
    return {**data, **changed}


def _seal_again(stored: str) -> str:
    return stored if is_sealed_by_present_key(stored) else seal(unseal(stored))


_RANDOM_SECRET_BYTES = 20

logger = logging.getLogger(__name__)


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts TOTP secrets and the seeds of recovery codes."""

    error_messages: ClassVar[dict[str, Any]] = {**DefaultMFAAdapter.error_messages, **SECOND_FACTOR_FAULTS}

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002
        """The default name of a new key."""
        return f"Key {Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1}"

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; if the key is lost, a random one, so that no code matches it."""
        try:
            return unseal(encrypted_text)
        except LostKeyError:
            logger.error("The key of a second factor is not among SLOGDB_SECRET_KEY_FALLBACKS")  # noqa: TRY400
            return base64.b32encode(os.urandom(_RANDOM_SECRET_BYTES)).decode()


class ShallowDecoder(json.JSONDecoder):
    """Rejects, as no JSON, what nests too deep for the library's forms and Django's fields, which recurse into it.

    Also numbers of thousands of digits, for which Python raises a plain ValueError.
    """

    def decode(self, s: str, *options: Any) -> Any:
        try:
            value = super().decode(s, *options)
            check_json(value)
        except (RecursionError, ValueError) as error:
            raise json.JSONDecodeError("no JSON, too much of it, or a number too long", "", 0) from error
        return value


class KeyForm(django_forms.Form):
    """A browser's response for a security key."""

    credential = django_forms.JSONField(widget=django_forms.HiddenInput, decoder=ShallowDecoder)


class AuthenticateForm(LabelsMixin, forms.AuthenticateForm):
    """The code of the app, or a recovery code, after the password."""


class ReauthenticateForm(LabelsMixin, forms.ReauthenticateForm):
    """The same again, before a sensitive operation."""

    helps = {"code": "From your app, or a recovery code."}


class ActivateTotpForm(LabelsMixin, LibrarysActivateTOTPForm):
    """The first code of an app that is being set up."""

    labels = {"code": "Code from the app"}


class AddWebauthnForm(LabelsMixin, KeyForm, key_forms.AddWebAuthnForm):
    """A new key or passkey."""

    labels = {"passwordless": "Use it to sign in without a password"}
    helps = {"passwordless": "You will need its PIN, your fingerprint or your face."}


class KeyRefused(KeyForm):
    """Logs a wrong key, and mentions keys in the message: the library uses one message for keys and codes."""

    event = "second_factor_failed"

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except ValidationError as error:
            if error.code != "incorrect_code":  # as after too many attempts
                raise
            member = getattr(self.user, "pk", None)  # type: ignore[attr-defined] # of the library's forms
            log_event(self.event, context.request, member=member, method="webauthn")
            raise ValidationError("The key was not accepted.", code=error.code) from error


class AuthenticateWebauthnForm(KeyRefused, key_forms.AuthenticateWebAuthnForm):
    """A key after the password."""


class ReauthenticateWebauthnForm(KeyRefused, key_forms.ReauthenticateWebAuthnForm):
    """A key again, before a sensitive operation."""

    event = "step_up_failed"


class LoginWebauthnForm(KeyRefused, key_forms.LoginWebAuthnForm):
    """A passkey instead of the password."""

    event = "sign_in_failed"


_LAST_COUNTER = "last_counter"  # of the newest code that was accepted


class AuthenticatorApp(totp.TOTP):
    """An authenticator app whose codes are accepted once each, and never if older than the last accepted one."""

    @transaction.atomic
    def validate_code(self, code: str) -> bool:
        stored = Authenticator.objects.select_for_update().filter(pk=self.instance.pk).first()
        if stored is None:
            return False
        secret, last = decrypt(stored.data["secret"]), stored.data.get(_LAST_COUNTER, -1)
        for counter in totp.yield_hotp_counters_from_time():
            expected = totp.format_hotp_value(totp.hotp_value(secret, counter))
            if counter > last and compare_user_code(actual=code, expected=expected):
                stored.data[_LAST_COUNTER] = counter
                stored.save(update_fields=["data"])
                return True
        return False


def replace_library_class() -> None:
    """Replace the library's class by `AuthenticatorApp`; the library looks it up by name."""
    totp.TOTP = AuthenticatorApp
