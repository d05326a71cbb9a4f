"""Moderators merge a device that was pasted under a second name into the device that it is."""

import re

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from results.catalogue.matching.merge import MergeError, merge_devices
from results.core.security.audit import log_action
from results.core.security.members import member_of, moderators_only
from results.core.security.rate_limits import QUERY_LIMIT
from results.models import Device, Member, lengths
from results.models.choices import Action

_PAGE = re.compile(  # of a device
    r"(?:https?://[^/?#]+)?/(?:devices/(?P<slug>[-\w]+)|products/(?P<page>[-\w]+/[-\w]+(?:/[-\w]+)?))/?(?:[?#].*)?"
)


class MergeForm(forms.Form):
    """The device that another one really is, and how the moderator knows."""

    into = forms.CharField(
        label="Merge into", help_text="Paste the address of the other device’s page.", max_length=QUERY_LIMIT
    )
    reason = forms.CharField(
        label="Reason (owners of its results see it)", max_length=lengths.REASON - lengths.MODEL_NAME - 20
    )

    def clean_into(self) -> Device:
        match = _PAGE.fullmatch(self.cleaned_data["into"])
        slug, page = match.groups() if match else (None, None)
        called = Q(page=page) if page else Q(slug=slug) | Q(aliases__slug=slug)
        device = Device.objects.filter(called).distinct().first() if match else None
        if device is None:
            raise forms.ValidationError("There is no device at this address.")
        return device

    def clean_reason(self) -> str:
        return " ".join(self.cleaned_data["reason"].split())


@moderators_only
def moderation_device(request: HttpRequest, slug: str) -> HttpResponse:
    """A device, and the form that merges it into another one."""
    device = get_object_or_404(Device.objects.select_related("product__vendor"), slug=slug)
    form = MergeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        into = form.cleaned_data["into"]
        try:
            _merge(device, into, moderator=member_of(request), reason=form.cleaned_data["reason"])
        except MergeError as error:
            form.add_error("into", str(error))
        else:
            messages.success(request, f"Merged {device} into {into}.")
            return redirect("moderation")
    context = {"device": device, "form": form, "section": "queue"}
    return render(request, "results/moderation/device.html", context, status=422 if form.errors else 200)


@transaction.atomic
def _merge(device: Device, into: Device, *, moderator: Member, reason: str) -> None:
    name = str(device)
    merge_devices([device], into, reason=reason)
    log_action(moderator, Action.MERGED, device=into, reason=f"Merged {name} into it: {reason}")
