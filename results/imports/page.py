"""Import of a saved forum thread: first a preview, then the import of what is kept of the same posts."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.core.formats import format_count
from results.core.queue import enqueue
from results.core.security.bodies import reads_texts
from results.core.security.members import member_of, moderators_only
from results.imports.bulk import Text, import_kept
from results.imports.thread import Examined, begin_import, examine
from results.imports.thread_html import ThreadError, read_thread
from results.submissions.form.page import MultipleFileField

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
    preview = None
    if request.method == "POST" and form.is_valid():
        try:
            if form.cleaned_data["found"]:
                return _import(request, form.cleaned_data["found"])
            preview = _preview(form)
        except ThreadError as error:
            form.add_error(None, str(error))
        except signing.BadSignature:
            form.add_error(None, "This preview has expired. Choose the pages again.")
    status = 422 if form.errors else 200
    context = {"form": form, "preview": preview, "section": "import"}
    return render(request, "results/imports/page.html", context, status=status)


@dataclass(frozen=True, slots=True)
class ThreadPreview:
    """What was found in the saved pages of a thread; nothing is stored yet."""

    title: str
    address: str
    examined: Sequence[Examined]

    @property
    def rows(self) -> list[Examined]:
        return [examined for examined in self.examined if examined.runs]

    @property
    def new_texts(self) -> list[Text]:
        return [
            examined.kept for examined in self.examined if examined.kept is not None and not examined.is_known
        ]

    @property
    def found(self) -> str:
        """The kept texts, signed."""
        texts = [{**asdict(text), "posted_on": str(text.posted_on or "")} for text in self.new_texts]
        found = {"title": self.title, "address": self.address, "texts": texts}
        return signing.dumps(found, salt=SALT, compress=True)


def _preview(form: ImportForm) -> ThreadPreview:
    threads = [read_thread(page.read()) for page in form.cleaned_data["pages"]]
    first = threads[0]
    examined = [found for thread in threads for found in examine(thread.posts, first.address)]
    return ThreadPreview(first.title, first.address, examined)


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
