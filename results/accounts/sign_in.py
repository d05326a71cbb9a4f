"""Adapters for the accounts library: its messages, its forms' labels, refused passwords, URLs."""

import logging
from typing import Any, ClassVar
from urllib.parse import urljoin, urlsplit

from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount import forms as forms_elsewhere
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.forms import Field
from django.http import HttpRequest

from results.core.digests import digest_network
from results.core.limits import sender_address

ACCOUNT_FAULTS = {
    "account_inactive": "This account is closed.",
    "cannot_remove_primary_email": "An account has one address at least.",
    "duplicate_email": "That is your address already.",
    "email_password_mismatch": "No account has this address with this password.",
    "email_taken": "Another account has this address.",
    "enter_current_password": "Type the password that you have now.",
    "incorrect_code": "That is not the code.",
    "incorrect_password": "That is not the password.",
    "invalid_or_expired_key": "That no longer works: ask for another one.",
    "invalid_login": "No account has this address with this password.",
    "invalid_password_reset": "This link no longer works: ask for another one.",
    "too_many_login_attempts": "Too many failed attempts. Wait some minutes, then try again.",
    "unknown_email": "No account has this address.",
    "unverified_primary_email": "Confirm your address first.",
    "same_as_current": "That is what it is already.",
    "rate_limited": "That was too often. Wait a little, then try again.",
}
REAUTHENTICATION = {
    "reauthenticate": "Use the password",
    "mfa_reauthenticate": "Use a code",
    "mfa_reauthenticate:webauthn": "Use a key",
}
SECOND_FACTOR_FAULTS = {
    "add_email_blocked": "While a second factor is set up, no address is added.",
    "cannot_delete_authenticator": "The last second factor has to stay.",
    "cannot_generate_recovery_codes": "Recovery codes need an app or a key first.",
    "incorrect_code": "That is not the code.",
    "unverified_email": "Confirm your address first.",
}


logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """The site's overrides of the library's defaults."""

    error_messages: ClassVar[dict[str, Any]] = {**DefaultAccountAdapter.error_messages, **ACCOUNT_FAULTS}

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address by which attempts are counted: as seen by a trusted proxy, never as stated by the sender."""
        return sender_address(request)

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        logger.info("signed in: member %s from network %s", user.pk, _network(request))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        super().authentication_failed(request, **credentials)
        logger.warning("sign-in refused: from network %s", _network(request))

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """The methods for reauthentication, the usual one first."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**method, "description": REAUTHENTICATION[method["id"]]} for method in methods]

    def get_reset_password_from_key_url(self, key: str) -> str:
        """A link on SITE_URL, whatever host or port the request named."""
        address: str = super().get_reset_password_from_key_url(key)
        return urljoin(settings.SITE_URL, urlsplit(address).path)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Take as long as creating an account: the time must not reveal whose address is known."""
        make_password(email)
        super().send_account_already_exists_mail(email)


def _network(request: HttpRequest) -> str:
    """A digest that distinguishes networks without identifying them."""
    return digest_network(sender_address(request))[:12] or "unknown"


LABELS = {
    "login": "E-mail address",
    "email": "E-mail address",
    "remember": "Stay signed in",
    "oldpassword": "Password now",
}
NEW_PASSWORD = {"password1": "New password", "password2": "New password, again"}
HOW_TO_CHOOSE = (
    "At least 12 characters. Nothing that many people choose, not your address, "
    "and not the words of this field, such as truenas."
)


class Labelled:
    """A form whose labels and help texts are overridden by `labels` and `helps`."""

    fields: dict[str, Field]
    labels: ClassVar[dict[str, str]] = LABELS
    helps: ClassVar[dict[str, str]] = {"password1": HOW_TO_CHOOSE}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for name, field in self.fields.items():
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, field.help_text)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(Labelled, forms.LoginForm):
    """Sign-in."""


class SignupForm(Labelled, forms.SignupForm):
    """Sign-up."""


class SocialSignupForm(Labelled, forms_elsewhere.SignupForm):
    """Sign-up after signing in with a forum."""


class ReauthenticateForm(Labelled, forms.ReauthenticateForm):
    """The password again, before a sensitive operation."""


class ConfirmEmailVerificationCodeForm(Labelled, forms.ConfirmEmailVerificationCodeForm):
    """The code mailed to a new address."""


class ResetPasswordForm(Labelled, forms.ResetPasswordForm):
    """Request a link for setting a new password."""


class ChangePasswordForm(Labelled, forms.ChangePasswordForm):
    """A new password for a member who knows the current one."""

    labels = LABELS | NEW_PASSWORD


class SetPasswordForm(Labelled, forms.SetPasswordForm):
    """A password for a member who signed up with a forum and has none."""

    labels = NEW_PASSWORD


class ResetPasswordFromKeyForm(Labelled, forms.ResetPasswordKeyForm):
    """A new password, set with the mailed link."""

    labels = NEW_PASSWORD


WORDS = ("slogdb", "diskinfo", "smartctl", "truenas", "freenas", "benchmark", "password")
SHORTEST_REST = 8


class SiteWordsValidator:
    """Refuses a password that consists mostly of these words."""

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django's signature
        rest = password.lower()
        for word in WORDS:
            rest = rest.replace(word, "")
        if len(rest) < min(SHORTEST_REST, len(password)):
            raise ValidationError(self.get_help_text(), code="password_of_site_words")

    def get_help_text(self) -> str:
        return f"Your password can't be made of the words {', '.join(WORDS)}."
