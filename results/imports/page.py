"""Import of a saved forum thread: first a preview, then the import of what is kept of the same posts."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.core.formats import format_count, format_date
from results.core.queue import enqueue
from results.core.security.bodies import reads_texts
from results.core.security.members import member_of, moderators_only
from results.imports.bulk import Text, import_kept
from results.imports.thread import Examined, begin_import, examine
from results.imports.thread_html import ThreadError, read_thread
from results.submissions.page import MultipleFileField

SALT = "thread import"
LIFETIME_S = 3600


class ImportForm(forms.Form):
    """The saved pages, or the texts found in them by the preview."""

    pages = MultipleFileField(label="Saved pages of the thread (HTML)", required=False)
    found = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("pages") and not cleaned.get("found"):
            raise forms.ValidationError("Choose the saved pages first.")
        return cleaned


@reads_texts
@moderators_only
def moderation_import(request: HttpRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    context: dict[str, Any] = {"form": form, "section": "import"}
    if request.method == "POST" and form.is_valid():
        try:
            if form.cleaned_data["found"]:
                return _import(request, form.cleaned_data["found"])
            context.update(_examined(form))
        except ThreadError as error:
            form.add_error(None, str(error))
        except signing.BadSignature:
            form.add_error(None, "This preview has expired. Choose the pages again.")
    status = 422 if form.errors else 200
    return render(request, "results/imports/page.html", context, status=status)


def _examined(form: ImportForm) -> dict[str, Any]:
    threads = [read_thread(page.read()) for page in form.cleaned_data["pages"]]
    title, address = threads[0].title, threads[0].address
    examined = [one for thread in threads for one in examine(thread.posts, address)]
    texts = [_as_json(one.kept) for one in examined if one.kept is not None and not one.is_known]
    return {
        "rows": [_row(one) for one in examined if one.runs],
        "post_count": len(examined),
        "new_count": len(texts),
        "found": signing.dumps(
            {"title": title, "address": address, "texts": texts}, salt=SALT, compress=True
        ),
    }


def _as_json(text: Text) -> dict[str, Any]:
    return {**asdict(text), "posted_on": str(text.posted_on or "")}


def _row(examined: Examined) -> dict[str, Any]:
    post = examined.post
    return {
        "author": post.author or "an unknown author",
        "posted": format_date(post.posted_on),
        "address": post.address,
        "runs": ", ".join(examined.runs),
        "remarks": " ".join(examined.reasons),
        "is_known": examined.is_known,
    }


def _import(request: HttpRequest, found: str) -> HttpResponse:
    """Leave the import to a worker, or do it here if Redis is away. Only kept texts pass through Redis."""
    preview = signing.loads(found, salt=SALT, max_age=LIFETIME_S)
    title, texts = preview["title"], preview["texts"]
    batch = begin_import(title, preview["address"], member_of(request))
    if not enqueue(import_kept, [batch.pk, texts]):
        import_kept(batch.pk, texts)
    count = format_count(len(texts), "result")
    messages.success(request, f"Importing {count} from “{title}”. This takes a few seconds.")
    return redirect("moderation-import")
