"""The account page: a member's profile and API keys."""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from results.accounts.results_page import offered_submissions
from results.api.keys import KeyRequestError, NewKey, make_key, revoke_key
from results.core.security.members import member_of, member_page, posted_from
from results.models import ApiKey, Member, lengths
from results.models.choices import Scope


class SecureURLField(forms.URLField):
    """A URL; https is assumed if it has no scheme."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(assume_scheme="https", **kwargs)


class ProfileForm(forms.ModelForm):
    """A member's names, and which mails they want."""

    class Meta:
        model = Member
        field_classes = {"forum_url": SecureURLField}
        fields = ("forum_handle", "forum_url", "wants_decision_mail", "wants_report_mail", "display_name")
        labels = {
            "display_name": "Name for moderators",
            "forum_handle": "Forum name",
            "forum_url": "URL of your forum profile",
        }
        help_texts = {
            "display_name": "Nobody else sees it.",
            "forum_handle": "Shown with results that you submit from now on. Leave it empty to stay anonymous.",
        }


@member_page
def account(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=member_of(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("account")
    status = 422 if form.errors else 200
    context = {"form": form, "section": "profile", "offered": offered_submissions(request)}
    return render(request, "results/accounts/profile.html", context, status=status)


LIFETIMES = [("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "never")]


class KeyForm(forms.Form):
    name = forms.CharField(label="Purpose", max_length=lengths.KEY_NAME)
    scopes = forms.MultipleChoiceField(
        label="Permissions",
        choices=Scope.choices,
        initial=[Scope.SUBMIT],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(label="Expires after", choices=LIFETIMES, initial="365", required=False)


@member_page
@reauthentication_required
def account_keys(request: HttpRequest) -> HttpResponse:
    form = KeyForm(request.POST or None)
    new_key = None
    if request.method == "POST" and form.is_valid():
        try:
            new_key = _make_key(request, form)
        except KeyRequestError as error:
            form.add_error(None, str(error))
        else:
            form = KeyForm()
    keys = ApiKey.objects.filter(owner=member_of(request)).order_by("-pk")
    context = {"form": form, "keys": keys, "new_key": new_key, "section": "keys"}
    return render(request, "results/accounts/keys.html", context, status=422 if form.errors else 200)


@posted_from("account-keys")
def account_key_revoke(request: HttpRequest, key_id: int) -> HttpResponse:
    if revoke_key(member_of(request), key_id):
        messages.success(request, "Revoked. This key no longer works.")
    else:
        messages.error(request, "You don't have this key.")
    return redirect("account-keys")


@transaction.atomic
def _make_key(request: HttpRequest, form: KeyForm) -> NewKey:
    """Create the key and mail its owner; if the mail can't be sent, no key is created."""
    days = form.cleaned_data["days"]
    new_key = make_key(
        member_of(request),
        name=form.cleaned_data["name"],
        scopes=form.cleaned_data["scopes"],
        expires_at=timezone.now() + timedelta(days=int(days)) if days else None,
    )
    mailed = {"key": new_key.stored}
    get_adapter().send_notification_mail("account/email/api_key_created", member_of(request), mailed)
    return new_key
