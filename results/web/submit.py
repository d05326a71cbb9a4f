"""Submit: paste or upload, see exactly what will be public, publish."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.base.format import ParseError
from parsers.base.readings import Notice
from parsers.text.decode import decode
from results.addresses import address
from results.ingest.digests import digest_network, digest_sender, digest_text
from results.ingest.receive import (
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    join_parts,
    preview_text,
    receive_submission,
    refuse_banned,
)
from results.models import Member, lengths
from results.network import sender_address
from results.rate_limits import Spent, limit_called, spend
from results.web.commands import CommandForm, builder_context
from results.web.preview import preview_context
from results.web.published import published_context
from results.web.social import page_social

SUBMIT_SAYS = "Paste what diskinfo or fio printed: it is read, masked and ranked at once, without an account."

TOO_MANY = "That was much at once. Try again in {minutes}; your text is kept in the box until then."
TOO_LONG = Notice(
    "too_long",
    "This is more than 512 KiB. Paste only the output of diskinfo and smartctl, or send it in several parts.",
)


class MultipleFileInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class MultipleFileField(forms.FileField):
    """Any number of files; cleans to a list."""

    widget = MultipleFileInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [super(MultipleFileField, self).clean(one, initial) for one in data or []]


class SubmitForm(forms.Form):
    """What can be sent: text, files, or both; who measured it and where it stood before."""

    text = forms.CharField(label="Terminal output", required=False, strip=False)
    files = MultipleFileField(label="Files", required=False, allow_empty_file=True)  # type: ignore[assignment] # the field of that name
    handle = forms.CharField(label="Forum name", max_length=lengths.HANDLE, required=False)
    source_url = forms.URLField(
        label="Address of the post", max_length=lengths.ADDRESS, required=False, assume_scheme="https"
    )
    hides_unit = forms.BooleanField(required=False)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def pasted(self) -> str | bytes:
        """What was sent, as one paste, also put into the box, as a page can't send files again.

        Of a form with errors what is right of it. Raises what join_parts does.
        """
        contents = [one.read() for one in self.cleaned_data.get("files", [])]
        raw = join_parts([self.cleaned_data.get("text", ""), *contents])
        if contents:
            sent = {name: self.data[name] for name in self.data}  # a bare ** would copy lists of values
            with suppress(ParseError):
                self.data = {**sent, "text": decode(raw)}
        return raw

    def mark(self, raw: str | bytes) -> str:
        """Tells all that would be published from anything else: what a preview shows, publishing must bring."""
        stated = [str(self.cleaned_data[name]) for name in ("handle", "source_url", "hides_unit")]
        try:
            text = digest_text(decode(raw))
        except ParseError:
            text = ""  # no preview was ever made of it
        return hashlib.sha256("\0".join([text, *stated]).encode()).hexdigest()


@never_cache
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return _page(request, SubmitForm())
    form = SubmitForm(request.POST, request.FILES)
    is_valid = form.is_valid()
    act = _publish if request.POST.get("action") == "publish" else _preview
    try:
        raw = form.pasted()
        refuse_banned(_owner(request))
        spent = _count(request)
        if spent is not None and not spent.is_granted:
            return _wait(request, form, spent)
        return act(request, form, raw) if is_valid else _page(request, form, status=400)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], status=413)
    except SubmissionRefusedError as refused:
        return _page(request, form, errors=refused.notices, status=422)


def _owner(request: HttpRequest) -> Member | None:
    return request.user if isinstance(request.user, Member) else None


def _count(request: HttpRequest) -> Spent | None:
    """What came of counting this attempt, as the API counts its own: a preview costs as much as publishing."""
    owner = _owner(request)
    if owner:
        return spend(limit_called("member-write"), str(owner.pk))
    return spend(limit_called("anonymous-write"), digest_network(sender_address(request)))


def _wait(request: HttpRequest, form: SubmitForm, spent: Spent) -> HttpResponse:
    minutes = -(-spent.retry_after_s // 60)
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    response = _page(request, form, errors=[Notice("too_many", TOO_MANY.format(minutes=wait))], status=429)
    response["Retry-After"] = str(spent.retry_after_s)
    return response


def _sender_digest(request: HttpRequest) -> str:
    return "" if _owner(request) else digest_sender(sender_address(request))


def _publish(request: HttpRequest, form: SubmitForm, raw: str | bytes) -> HttpResponse:
    sender = Sender(
        owner=_owner(request),
        keeps_unit=not form.cleaned_data["hides_unit"],
        sender_digest=_sender_digest(request),
        forum_handle=form.cleaned_data["handle"],
        source_url=form.cleaned_data["source_url"],
    )
    seen = form.cleaned_data["seen"]
    if seen and seen != form.mark(raw):
        return _preview(request, form, raw, is_changed=True)
    received = receive_submission(raw, sender)
    status = HTTPStatus.CREATED if received.is_new else HTTPStatus.OK
    response = render(request, "results/published.html", published_context(received), status=status)
    response["Location"] = received.submission.get_absolute_url()
    return response


def _preview(
    request: HttpRequest, form: SubmitForm, raw: str | bytes, *, is_changed: bool = False
) -> HttpResponse:
    preview = preview_text(raw, owner=_owner(request), sender_digest=_sender_digest(request))
    if not preview.found.runs:
        raise SubmissionRefusedError([*preview.paste.warnings, *preview.found.notices])
    context = preview_context(
        preview,
        handle=form.cleaned_data["handle"],
        source_url=form.cleaned_data["source_url"],
        keeps_unit=not form.cleaned_data["hides_unit"],
    )
    return _page(request, form, preview={**context, "seen": form.mark(raw), "is_changed": is_changed})


def _page(
    request: HttpRequest,
    form: SubmitForm,
    *,
    preview: dict[str, Any] | None = None,
    errors: Sequence[Notice] = (),
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "errors": errors,
        "preview": preview,
        **builder_context(CommandForm()),
        **page_social("Submit a result", SUBMIT_SAYS, address("submit")),
    }
    return render(request, "results/submit.html", context, status=status)
