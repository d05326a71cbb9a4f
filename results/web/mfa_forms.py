"""The forms of second factors with this site's labels."""

from allauth.mfa.base import forms
from allauth.mfa.totp.forms import ActivateTOTPForm as LibrarysActivateTOTPForm
from allauth.mfa.webauthn import forms as key_forms

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
