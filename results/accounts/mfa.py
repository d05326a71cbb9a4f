"""Second factors: their secrets are encrypted, and their forms have this site's labels.

The key is derived from the site's own secret, so a copy of the database alone opens no account. Secrets from before
they were encrypted, and those of a former key, are encrypted again.
"""

import base64
import json
import logging
import os
import struct
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm as LibrarysActivateTOTPForm
from allauth.mfa.webauthn import forms as key_forms
from allauth.mfa.webauthn.internal import auth
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django import forms as django_forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import models, transaction
from fido2.webauthn import AuthenticatorData

from results.accounts.sign_in import SECOND_FACTOR_FAULTS, Labelled
from results.core.nesting import MAX_DEPTH, nests_deeper

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


_ONE = ("secret", "seed")  # of TOTP, of recovery codes
_MANY = ("migrated_codes",)  # of recovery codes that another program made


class Sealed(NamedTuple):
    """How many authenticators were changed, and how many are of a key that nobody told."""

    changed: int
    lost: int


@transaction.atomic
def seal_second_factors(authenticators: models.QuerySet[Any]) -> Sealed:
    """Encrypt the secrets of all of them by the present key. Idempotent."""
    changed = lost = 0
    for one in authenticators.select_for_update().order_by("pk"):
        try:
            data = _sealed(one.data)
        except LostKeyError:
            lost += 1
            continue
        if data != one.data:
            one.data = data
            one.save(update_fields=["data"])
            changed += 1
    return Sealed(changed, lost)


def _sealed(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _WAYS[name](value) if name in _WAYS else value for name, value in data.items()}


def _seal_one(kept: str) -> str:
    return kept if is_sealed_by_present_key(kept) else seal(unseal(kept))


def _seal_each(kept: list[str]) -> list[str]:
    return [_seal_one(one) for one in kept]


_WAYS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_ONE, _seal_one),
    **dict.fromkeys(_MANY, _seal_each),
}


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


class ShallowDecoder(json.JSONDecoder):
    """Rejects JSON that nests too deep, because the library's forms and Django's fields recurse into it."""

    def decode(self, s: str, *options: Any) -> Any:
        try:
            value = super().decode(s, *options)
        except RecursionError as error:
            raise json.JSONDecodeError("nested too deep", "", 0) from error
        if nests_deeper(value, MAX_DEPTH):
            raise json.JSONDecodeError("nested too deep", "", 0)
        return value


class KeyForm(django_forms.Form):
    """A browser's response for a security key."""

    credential = django_forms.JSONField(widget=django_forms.HiddenInput, decoder=ShallowDecoder)


class AuthenticateForm(Labelled, forms.AuthenticateForm):
    """The code of the app, or a recovery code, after the password."""


class ReauthenticateForm(Labelled, forms.ReauthenticateForm):
    """The same once more, before something that is worth asking again."""


class ActivateTotpForm(Labelled, LibrarysActivateTOTPForm):
    """The first code of an app that is being set up."""

    labels = {"code": "The code that the app shows"}


class AddWebauthnForm(Labelled, KeyForm, key_forms.AddWebAuthnForm):
    """A new key or passkey."""

    labels = {"passwordless": "Sign in with it alone, without the password"}
    helps = {"passwordless": "It then asks for its PIN, your finger or your face."}


class KeyRefused(KeyForm):
    """Says of a key that does not fit what it is: the library has one sentence for keys and codes."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except ValidationError as error:
            if error.code != "incorrect_code":  # as after too many attempts
                raise
            raise ValidationError("That key was not accepted.", code=error.code) from error


class AuthenticateWebauthnForm(KeyRefused, key_forms.AuthenticateWebAuthnForm):
    """A key after the password."""


class ReauthenticateWebauthnForm(KeyRefused, key_forms.ReauthenticateWebAuthnForm):
    """A key, once more."""


class LoginWebauthnForm(KeyRefused, key_forms.LoginWebAuthnForm):
    """A passkey in the place of the password."""


_UNREADABLE = (ValidationError, LookupError, TypeError, ValueError, AttributeError, struct.error)
_UNNAMED = "Key"


class _NoCredential:
    """In the place of what an unreadable record would tell: false, and no id is like its own."""

    credential_id = None

    def __bool__(self) -> bool:
        return False


class _NoData:
    credential_data = _NoCredential()


class Key(auth.WebAuthn):
    """One key; its owner sees it in the list, and can rename it or take it away."""

    @property
    def name(self) -> str:
        return str(self._record().get("name", _UNNAMED))

    @name.setter
    def name(self, name: str) -> None:
        self.instance.data = {**self._record(), "name": name}

    @property
    def authenticator_data(self) -> AuthenticatorData | _NoData:
        try:
            found: AuthenticatorData = super().authenticator_data
        except _UNREADABLE as error:
            logger.error(  # noqa: TRY400 - its message may quote the record
                "key %d of a member can't be read, and is passed over: %s",
                self.instance.pk,
                type(error).__name__,
            )
            return _NoData()
        return found

    @property
    def is_passwordless(self) -> bool | None:
        try:
            told: bool | None = super().is_passwordless
        except _UNREADABLE:
            return None
        return told

    def _record(self) -> dict[str, Any]:
        return self.instance.data if isinstance(self.instance.data, dict) else {}


def read_keys_with_care() -> None:
    """Have the library take `Key` for its own class, of which it asks by that name."""
    auth.WebAuthn = Key
