"""The forms of the accounts library with this site's labels, and no text in fields that repeats them."""

from typing import Any

from allauth.account import forms
from django.forms import Field

LABELS = {
    "login": "E-mail address",
    "email": "E-mail address",
    "remember": "Stay signed in",
    "oldpassword": "Password now",
}
NEW_PASSWORD = {"password1": "New password", "password2": "New password, again"}


def _label(fields: dict[str, Field], labels: dict[str, str]) -> None:
    for name, field in fields.items():
        field.label = labels.get(name, field.label)
        field.widget.attrs.pop("placeholder", None)


class LoginForm(forms.LoginForm):
    """Signing in."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _label(self.fields, LABELS)


class SignupForm(forms.SignupForm):
    """Making an account."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _label(self.fields, LABELS)


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asking for the link to a new password."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _label(self.fields, LABELS)


class ChangePasswordForm(forms.ChangePasswordForm):
    """Another password for whoever knows the one so far."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _label(self.fields, LABELS | NEW_PASSWORD)


class ResetPasswordFromKeyForm(forms.ResetPasswordKeyForm):
    """Another password behind the link."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _label(self.fields, NEW_PASSWORD)
