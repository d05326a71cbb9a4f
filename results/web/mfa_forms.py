"""The forms of second factors with this site's labels."""

import json
from typing import Any

from allauth.mfa.base import forms
from allauth.mfa.totp.forms import ActivateTOTPForm as LibrarysActivateTOTPForm
from allauth.mfa.webauthn import forms as key_forms
from django import forms as django_forms
from django.core.exceptions import ValidationError

from results.nesting import MAX_DEPTH, nests_deeper
from results.web.account_forms import Labelled


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
