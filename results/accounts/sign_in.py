"""Adapters for the accounts library: messages, reauthentication, forms' labels, refused passwords, URLs."""

import time
from typing import Any, ClassVar
from urllib.parse import urljoin, urlsplit

from allauth.account import app_settings, forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount import forms as social_forms
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django import forms as django_forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.forms import Field
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from results.accounts.known_browser import known_browser, remember_browser
from results.api.keys import revoke_keys, usable_keys
from results.core.security.digests import network_address
from results.core.security.events import log_event
from results.core.security.members import has_second_factor, member_of
from results.core.security.rate_limits import sender_address

ACCOUNT_FAULTS = {
    "account_inactive": "This account is closed.",
    "cannot_remove_primary_email": "An account needs at least one address.",
    "duplicate_email": "This is already your address.",
    "email_password_mismatch": "Incorrect e-mail address or password.",
    "email_taken": "Another account uses this address.",
    "enter_current_password": "Enter your current password.",
    "incorrect_code": "Incorrect code.",
    "incorrect_password": "Incorrect password.",
    "invalid_or_expired_key": "This no longer works. Request a new one.",
    "invalid_login": "Incorrect e-mail address or password.",
    "invalid_password_reset": "This link no longer works. Request a new one.",
    "too_many_login_attempts": "Too many failed attempts. Try again in a few minutes.",
    "unknown_email": "There is no account with this address.",
    "unverified_primary_email": "Confirm your address first.",
    "same_as_current": "This is already the current value.",
    "rate_limited": "Too many attempts. Try again in a few minutes.",
}
CODE_PAGE = "account-reauthenticate-code"
_CODE, _KEY = "mfa_reauthenticate", "mfa_reauthenticate:webauthn"
REAUTHENTICATION = {
    "reauthenticate": "Use your password",
    _CODE: "Use a code",
    _KEY: "Use a key",
    CODE_PAGE: "Get a code by mail",
}
SECOND_FACTOR_FAULTS = {
    "add_email_blocked": "You can't add an address while a second factor is set up.",
    "cannot_delete_authenticator": "You can't remove your last second factor.",
    "cannot_generate_recovery_codes": "Set up an app or a key before creating recovery codes.",
    "incorrect_code": "Incorrect code.",
    "unverified_email": "Confirm your address first.",
}


TOO_MANY = {"too_many_login_attempts", "rate_limited"}


class AccountAdapter(DefaultAccountAdapter):
    """The site's overrides of the library's defaults."""

    error_messages: ClassVar[dict[str, Any]] = {**DefaultAccountAdapter.error_messages, **ACCOUNT_FAULTS}

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network for rate limits, sessions and mails: as seen by a trusted proxy, not as stated."""
        return network_address(sender_address(request))

    def validation_error(self, code: str, *arguments: Any) -> ValidationError:
        """The error for a form; those of the library's limits are logged."""
        if code in TOO_MANY:
            log_event("sign_in_throttled", context.request, member=context.request.user.pk)
        error: ValidationError = super().validation_error(code, *arguments)
        return error

    def clean_password(self, password: str, user: AbstractBaseUser | None = None) -> str:
        """Refuse a password for one reason at a time."""
        try:
            cleaned: str = super().clean_password(password, user)
        except ValidationError as error:
            raise ValidationError(error.messages[0]) from error
        return cleaned

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **options: Any) -> HttpResponse:
        """Remember the browser, so that other people's failed attempts don't lock its owner out."""
        response: HttpResponse = super().post_login(request, user, **options)
        remember_browser(response, user.get_username())
        return response

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The key that failed attempts are counted by: the address, and the browser if the member used it before."""
        counted: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{counted} {known_browser(request, credentials.get('email', ''))}".rstrip()

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Ask for reauthentication unless it's recent; the library would let forums' members pass.

        Raises ReauthenticationRequired, as its callers do.
        """
        if super().is_reauthentication_required(app=app, **options) and not stepped_up(context.request):
            raise ReauthenticationRequired
        return False

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """A second factor of those who have one, else the password, else a mailed code; the usual one first."""
        if not user.is_authenticated:
            return []
        methods = {method["id"]: method for method in super().get_reauthentication_methods(user)}
        factors = [name for name in (_CODE, _KEY) if name in methods] if has_second_factor(user) else []
        if _KEY in factors and not is_mfa_enabled(user, [Authenticator.Type.TOTP]):
            factors.reverse()  # the codes are recovery codes
        methods[CODE_PAGE] = {"id": CODE_PAGE, "url": reverse(CODE_PAGE)}
        chosen = factors or ["reauthenticate" if "reauthenticate" in methods else CODE_PAGE]
        return [{**methods[name], "description": REAUTHENTICATION[name]} for name in chosen]

    def get_reset_password_from_key_url(self, key: str) -> str:
        """A link on SITE_URL, whatever host or port the request named."""
        address: str = super().get_reset_password_from_key_url(key)
        return urljoin(settings.SITE_URL, urlsplit(address).path)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Take as long as creating an account, so that timing doesn't reveal known addresses."""
        make_password(email)
        super().send_account_already_exists_mail(email)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """What the site accepts from forums."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:  # noqa: ARG002 - the library's
        """Confirm each new address by a mailed code, whatever the forum says about it."""
        for address in sociallogin.email_addresses:
            address.verified = False


def stepped_up(request: HttpRequest) -> bool:
    """Whether the member has just proved again who they are, with a second factor if they have one."""
    member = member_of(request)
    proofs = [
        record for record in get_authentication_records(request, member) if record.get("reauthenticated")
    ]
    if has_second_factor(member):
        proofs = [proof for proof in proofs if proof["method"] == "mfa"]
    return bool(proofs) and time.time() - proofs[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT


LABELS = {
    "login": "E-mail address",
    "email": "E-mail address",
    "remember": "Stay signed in",
    "oldpassword": "Current password",
}
NEW_PASSWORD = {"password1": "New password", "password2": "Repeat the new password"}
HOW_TO_CHOOSE = (
    "At least 12 characters. Avoid common passwords, your address, and terms such as truenas or benchmark."
)


class LabelsMixin:
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


class LoginForm(LabelsMixin, forms.LoginForm):
    """Sign-in."""


class SignupForm(LabelsMixin, forms.SignupForm):
    """Sign-up."""


class SocialSignupForm(LabelsMixin, social_forms.SignupForm):
    """Sign-up after signing in with a forum."""


class ReauthenticateForm(LabelsMixin, forms.ReauthenticateForm):
    """The password again, before a sensitive operation."""


class ConfirmEmailVerificationCodeForm(LabelsMixin, forms.ConfirmEmailVerificationCodeForm):
    """The code mailed to a new address."""


class ResetPasswordForm(LabelsMixin, forms.ResetPasswordForm):
    """Request a link for setting a new password."""


class ChangePasswordForm(LabelsMixin, forms.ChangePasswordForm):
    """A new password for a member who knows the current one; those who have API keys can revoke them as well."""

    labels = LABELS | NEW_PASSWORD
    revoke_keys = django_forms.BooleanField(
        label="Revoke my API keys, too",
        help_text="Do this if somebody else may know your password. Programs that use your keys will need new ones.",
        required=False,
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if not usable_keys(self.user).exists():
            del self.fields["revoke_keys"]

    def save(self) -> None:
        super().save()
        if self.cleaned_data.get("revoke_keys"):
            revoke_keys(self.user)


class SetPasswordForm(LabelsMixin, forms.SetPasswordForm):
    """A password for a member who signed up with a forum and has none."""

    labels = NEW_PASSWORD


class ResetPasswordFromKeyForm(LabelsMixin, forms.ResetPasswordKeyForm):
    """A new password, set with the mailed link."""

    labels = NEW_PASSWORD


WORDS = ("slogdb", "diskinfo", "smartctl", "truenas", "freenas", "benchmark", "password")
MIN_REMAINDER = 8


class SiteWordsValidator:
    """Refuses a password that consists mostly of these words."""

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django's signature
        remainder = password.lower()
        for word in WORDS:
            remainder = remainder.replace(word, "")
        if len(remainder) < min(MIN_REMAINDER, len(password)):
            raise ValidationError(self.get_help_text(), code="password_of_site_words")

    def get_help_text(self) -> str:
        return "Your password consists mainly of words that are easy to guess here."
