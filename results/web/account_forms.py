"""The forms of the accounts library with this site's labels, and no text in fields that repeats them."""

from typing import Any, ClassVar

from allauth.account import forms
from allauth.socialaccount import forms as forms_elsewhere
from django.forms import Field

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
    """A form whose fields are called what `labels` says, where it says it."""

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
    """Signing in."""


class SignupForm(Labelled, forms.SignupForm):
    """Making an account."""


class SocialSignupForm(Labelled, forms_elsewhere.SignupForm):
    """Making an account for somebody whom a forum has named."""


class ReauthenticateForm(Labelled, forms.ReauthenticateForm):
    """The password once more, before something that is worth asking again."""


class ConfirmEmailVerificationCodeForm(Labelled, forms.ConfirmEmailVerificationCodeForm):
    """The code in the mail to a new address."""


class ResetPasswordForm(Labelled, forms.ResetPasswordForm):
    """Asking for the link to a new password."""


class ChangePasswordForm(Labelled, forms.ChangePasswordForm):
    """Another password for whoever knows the one so far."""

    labels = LABELS | NEW_PASSWORD


class SetPasswordForm(Labelled, forms.SetPasswordForm):
    """A password for whoever came by a forum and has none."""

    labels = NEW_PASSWORD


class ResetPasswordFromKeyForm(Labelled, forms.ResetPasswordKeyForm):
    """Another password behind the link."""

    labels = NEW_PASSWORD
