"""The forms of second factors with this site's labels."""

from typing import Any

from allauth.mfa.base import forms
from allauth.mfa.totp.forms import ActivateTOTPForm as LibrarysActivateTOTPForm
from allauth.mfa.webauthn import forms as key_forms
from django.core.exceptions import ValidationError

from results.web.account_forms import Labelled


class AuthenticateForm(Labelled, forms.AuthenticateForm):
    """The code of the app, or a recovery code, after the password."""


class ReauthenticateForm(Labelled, forms.ReauthenticateForm):
    """The same once more, before something that is worth asking again."""


class ActivateTotpForm(Labelled, LibrarysActivateTOTPForm):
    """The first code of an app that is being set up."""

    labels = {"code": "The code that the app shows"}


class AddWebauthnForm(Labelled, key_forms.AddWebAuthnForm):
    """A new key or passkey."""

    labels = {"passwordless": "Sign in with it alone, without the password"}
    helps = {"passwordless": "It then asks for its PIN, your finger or your face."}


class KeyRefused:
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
