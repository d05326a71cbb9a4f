"""A member's own data: take all of it along, or close the account."""

from tempfile import SpooledTemporaryFile

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from results.ingest.leave import close_account, write_archive
from results.web.member import member_of

ARCHIVE_IN_MEMORY_BYTES = 8 * 1024 * 1024  # a larger one waits on disk: it holds masked text only


class CloseForm(forms.Form):
    results = forms.ChoiceField(
        label="Your results",
        choices=[("keep", "Leave them, without any name"), ("erase", "Erase them, too")],
        widget=forms.RadioSelect,
    )
    confirm = forms.BooleanField(label="Close my account for good")


@never_cache
@login_required
@reauthentication_required
@require_http_methods(["GET", "POST"])
def account_data(request: HttpRequest) -> HttpResponse:
    form = CloseForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        member = member_of(request)
        logout(request)
        close_account(member, keeps_results=form.cleaned_data["results"] == "keep")
        return render(request, "results/account/closed.html")
    context = {"form": form, "section": "data"}
    return render(request, "results/account/data.html", context, status=422 if form.errors else 200)


@require_GET
@never_cache
@login_required
@reauthentication_required
def account_archive(request: HttpRequest) -> FileResponse:
    file = SpooledTemporaryFile(max_size=ARCHIVE_IN_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
    write_archive(member_of(request), file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename="slogdb-my-data.zip")
