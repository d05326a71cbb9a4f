"""Submit: paste or upload, see exactly what will be public, publish."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.decode import decode
from parsers.errors import ParseError
from parsers.kinds import Notice
from results.ingest.digests import digest_network
from results.ingest.receive import (
    PasteTooLongError,
    Preview,
    Sender,
    SubmissionRefusedError,
    join_parts,
    preview_text,
    receive_submission,
)
from results.network import sender_address
from results.tasks import hurry_ranking
from results.web.preview import preview_context

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
    handle = forms.CharField(label="Forum name", max_length=60, required=False)
    source_url = forms.URLField(
        label="Address of the post", max_length=500, required=False, assume_scheme="https"
    )

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
        return act(request, form, raw) if is_valid else _page(request, form, status=400)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], status=413)
    except SubmissionRefusedError as refused:
        return _page(request, form, errors=refused.notices, status=422)


def _publish(request: HttpRequest, form: SubmitForm, raw: str | bytes) -> HttpResponse:
    sender = Sender(
        network=digest_network(sender_address(request)),
        forum_handle=form.cleaned_data["handle"],
        source_url=form.cleaned_data["source_url"],
    )
    received = receive_submission(raw, sender)
    transaction.on_commit(lambda: hurry_ranking(received.boards))
    return redirect(received.submission)


def _preview(request: HttpRequest, form: SubmitForm, raw: str | bytes) -> HttpResponse:
    preview = preview_text(raw)
    if not preview.found.runs:
        raise SubmissionRefusedError([*preview.paste.warnings, *preview.found.notices])
    return _page(request, form, preview=preview)


def _page(
    request: HttpRequest,
    form: SubmitForm,
    *,
    preview: Preview | None = None,
    errors: Sequence[Notice] = (),
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "errors": errors,
        "preview": preview_context(preview) if preview else None,
        "nav": "submit",
    }
    return render(request, "results/submit.html", context, status=status)
