"""The account page: who a member is here, and how to change it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from results.models import Member
from results.web.member import member_of


class SecureURLField(forms.URLField):
    """An address; one without a scheme is taken for https."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(assume_scheme="https", **kwargs)


class ProfileForm(forms.ModelForm):
    """What a member chooses to be called, and what they want to hear of."""

    class Meta:
        model = Member
        field_classes = {"forum_url": SecureURLField}
        fields = ("display_name", "forum_handle", "forum_url", "wants_decision_mail", "wants_report_mail")
        labels = {"forum_url": "Address of your profile in a forum", "forum_handle": "Forum name"}
        help_texts = {
            "display_name": "What moderators call you. Other people see it nowhere.",
            "forum_handle": "Stands beside results that you send from now on. Leave it empty to stay unnamed.",
        }


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=member_of(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("account")
    status = 422 if form.errors else 200
    return render(
        request, "results/account/profile.html", {"form": form, "section": "profile"}, status=status
    )
