"""Import of a saved forum thread: first a preview, then the import of the same posts."""

from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from results.core.formats import format_count, format_date
from results.core.members import member_of, moderators_only
from results.imports.thread import Examined, begin_import, examine, import_posts
from results.imports.thread_html import Post, Thread, ThreadError, read_thread
from results.submissions.page import MultipleFileField

SALT = "thread import"
LIFETIME_S = 3600


class ImportForm(forms.Form):
    """The saved pages, or the posts found in them by the preview."""

    pages = MultipleFileField(label="Saved pages of the thread (HTML)", required=False)
    found = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("pages") and not cleaned.get("found"):
            raise forms.ValidationError("Choose the saved pages first.")
        return cleaned


@never_cache
@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
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
    examined = [one for thread in threads for one in examine(thread.posts)]
    wanted = [one.post for one in examined if one.runs and not one.is_known]
    found = {
        "title": threads[0].title,
        "address": threads[0].address,
        "posts": [{**asdict(post), "posted_on": str(post.posted_on or "")} for post in wanted],
    }
    return {
        "rows": [_row(one) for one in examined if one.runs],
        "post_count": len(examined),
        "new_count": len(wanted),
        "found": signing.dumps(found, salt=SALT, compress=True),
    }


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
    preview = signing.loads(found, salt=SALT, max_age=LIFETIME_S)
    posts = tuple(
        Post(**{**one, "posted_on": date.fromisoformat(one["posted_on"]) if one["posted_on"] else None})
        for one in preview["posts"]
    )
    thread = Thread(preview["title"], preview["address"], posts)
    batch = begin_import(thread.title, thread.address, member_of(request))
    new = sum(step.is_new for step in import_posts(thread.posts, batch))
    messages.success(request, f"Imported {format_count(new, 'result')} from “{thread.title}”.")
    return redirect("moderation-import")
