"""The submit page: paste or upload, preview exactly what will be public, publish."""

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.base.format import ParseError
from parsers.base.readings import Notice
from parsers.text.decode import NOT_TEXT, decode
from results.api.authentication import member_of
from results.api.errors import MAX_PROBLEMS, unlisted
from results.core.addresses import address
from results.core.forms import MAX_ECHO_LENGTH, CheckedField
from results.core.head import Social
from results.core.reader import ReadingError
from results.core.security.bans import find_network_ban, why_network_may_not
from results.core.security.bodies import reads_texts
from results.core.security.digests import digest_sender, digest_text
from results.core.security.rate_limits import Spent, sender_address, spend_write, wait_text
from results.kinds.answers import MAX_TIMINGS, NO_ANSWERS, SenderAnswers, check_size, clean_answers
from results.kinds.registry import all_questions
from results.models import Submission, lengths
from results.submissions.claim_cookie import published_here, remember_published
from results.submissions.form.commands import Builder, CommandForm
from results.submissions.form.preview import PreviewPage, preview_page
from results.submissions.form.published import published_page
from results.submissions.form.questions import QuestionField, find_questions, questions_for_refused
from results.submissions.intake.receive import (
    IMPOSSIBLE_DAY,
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    is_possible_day,
    join_parts,
    nothing_to_publish,
    parts_of_files,
    preview_text,
    receive_submission,
    refuse_banned,
)
from results.submissions.note import read_note, read_timings
from results.submissions.text.left_out import Unread

SUBMIT_DESCRIPTION = (
    "Paste the output of diskinfo or fio. It is read and ranked immediately, without an account."
)

HEAD_SIZE = 4096  # bytes: as much of a file as shows whether it is text, however large it is
TOO_MANY = "Too many submissions. Try again in {wait}. Your text is still in the box."
TOO_LONG = Notice(
    "too_long",
    "This is more than 4 MiB, the limit for logs; other text may have up to 512 KiB. Send only the output of "
    "the tools, or send it in several parts.",
)


_ANSWER = re.compile(r"told-(?P<about>all|(?:line|timing)-[1-9][0-9]{0,6})-(?P<key>[a-z_]{1,30})")


class MultipleFileInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class MultipleFileField(forms.FileField):
    """Any number of files; cleans to a list."""

    widget = MultipleFileInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [super(MultipleFileField, self).clean(upload, initial) for upload in data or []]


def _read_file(file: UploadedFile) -> bytes:
    """Its content. Raises SubmissionRefusedError, with the file's name, if it doesn't begin like text."""
    content: bytes = file.read()
    try:
        decode(content[:HEAD_SIZE])
    except ParseError as error:
        if error.code == "binary":
            name = (file.name or "")[:MAX_ECHO_LENGTH]
            raise SubmissionRefusedError([Notice(error.code, f"{name}: {error}")]) from error
    return content


class SubmitForm(forms.Form):
    """The submit form: text, files, or both; who measured it and where it was posted before."""

    text = forms.CharField(
        label="Terminal output",
        required=False,
        strip=False,
        error_messages={"null_characters_not_allowed": NOT_TEXT},
    )
    files = MultipleFileField(label="Files", required=False, allow_empty_file=True)  # type: ignore[assignment] # the field of the same name
    handle = forms.CharField(label="Forum name", max_length=lengths.HANDLE, required=False)
    source_url = forms.URLField(
        label="URL of the post", max_length=lengths.ADDRESS, required=False, assume_scheme="https"
    )
    measured_on = forms.DateField(
        label="Day of the run", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    note = CheckedField(
        read_note,
        label="What should readers know?",
        max_length=lengths.NOTE,
        error_messages={"max_length": f"A note can’t be longer than {lengths.NOTE} characters."},
    )
    timings = CheckedField(
        read_timings,
        label="Timings taken by hand",
        max_length=MAX_TIMINGS * lengths.NOTE,
        widget=forms.Textarea,
    )
    hides_unit = forms.BooleanField(required=False)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean_measured_on(self) -> date | None:
        day: date | None = self.cleaned_data["measured_on"]
        if day is not None and not is_possible_day(day):
            raise forms.ValidationError(IMPOSSIBLE_DAY)
        return day

    def clean(self) -> None:
        """The answers to the questions of the preview, and what is wrong with them (`faults`)."""
        self.answers = NO_ANSWERS
        self.faults: dict[tuple[str, str], str] = {}
        self.given: dict[str, dict[str, str]] = {}
        for field, value in self.data.items():
            if value and (match := _ANSWER.fullmatch(field)):
                self.given.setdefault(match["about"], {})[match["key"]] = str(value)
        try:
            check_size(self.given)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        answers, self.faults = clean_answers(self.given, all_questions())
        self.answers = SenderAnswers(answers, self.cleaned_data.get("timings", ()))

    def pasted(self) -> str | bytes:
        """The submitted text and files as one paste, also put into the text box, since a page can't resend files.

        For a form with errors, only its valid fields. Raises the same errors as join_parts.
        """
        files = self.cleaned_data.get("files", [])
        contents = parts_of_files((file.name, _read_file(file)) for file in files)
        raw = join_parts([self.cleaned_data.get("text", ""), *contents])
        if contents:
            sent = {name: self.data[name] for name in self.data}  # ** alone would copy lists of values
            with suppress(ParseError):
                self.data = {**sent, "text": decode(raw)}
        return raw

    def mark(self, raw: str | bytes) -> str:
        """A digest of everything that would be published, so that exactly what was previewed is published."""
        names = ("handle", "source_url", "measured_on", "note", "hides_unit")
        stated = [str(self.cleaned_data[name]) for name in names]
        stated.append(json.dumps(self.answers.stored, sort_keys=True))
        try:
            text = digest_text(decode(raw))
        except ParseError:
            text = ""  # it never had a preview
        return hashlib.sha256("\0".join([text, *stated]).encode()).hexdigest()


@reads_texts
@never_cache
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        owner = member_of(request)
        # shown with their results unless they remove it
        return _page(request, SubmitForm(initial={"handle": owner.forum_handle if owner else ""}))
    form = SubmitForm(request.POST, request.FILES)
    is_valid = form.is_valid()
    act = _publish if request.POST.get("action") == "publish" else _preview
    try:
        raw = form.pasted()
        refuse_banned(member_of(request))
        ban = None if member_of(request) else find_network_ban(request)
        if ban is not None:
            banned = Notice("banned", why_network_may_not("submit results", ban))
            return _page(request, form, errors=[banned], status=403)
        spent = spend_write(request)  # a preview costs as much as publishing
        if spent is not None and not spent.is_granted:
            return _wait(request, form, spent)
        return act(request, form, raw) if is_valid else _page(request, form, status=400)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], status=413)
    except SubmissionRefusedError as refused:
        unread = Unread(refused.left_out_lines)
        questions = (
            questions_for_refused(refused.notices, given=form.given, faults=form.faults) if is_valid else []
        )
        return _page(request, form, errors=refused.notices, unread=unread, questions=questions, status=422)
    except ReadingError as error:
        return _page(request, form, errors=[error.notice], status=422)


def _wait(request: HttpRequest, form: SubmitForm, spent: Spent) -> HttpResponse:
    response = _page(request, form, errors=[too_many_attempts_notice(spent)], status=429)
    response["Retry-After"] = str(spent.retry_after_s)
    return response


def too_many_attempts_notice(spent: Spent) -> Notice:
    """The notice for a sender who has exceeded a limit."""
    return Notice("too_many", TOO_MANY.format(wait=wait_text(spent)))


def _sender(request: HttpRequest, form: SubmitForm) -> Sender:
    owner = member_of(request)
    return Sender(
        owner=owner,
        keeps_unit=not form.cleaned_data["hides_unit"],
        sender_digest=digest_sender(sender_address(request)),
        forum_handle=form.cleaned_data["handle"],
        source_url=form.cleaned_data["source_url"],
        measured_on=form.cleaned_data["measured_on"],
        note=form.cleaned_data["note"],
        answers=form.answers,
    )


def _publish(request: HttpRequest, form: SubmitForm, raw: str | bytes) -> HttpResponse:
    sender = _sender(request, form)
    seen = form.cleaned_data["seen"]
    if form.faults or (seen and seen != form.mark(raw)):
        return _preview(request, form, raw, is_changed=not form.faults)
    received = receive_submission(raw, sender)
    status = HTTPStatus.CREATED if received.is_new else HTTPStatus.OK
    response = render(
        request,
        "results/submissions/published.html",
        {"page": published_page(received, note=sender.note, sent=_sent_before(request))},
        status=status,
    )
    response["Location"] = received.submission.get_absolute_url()
    if received.claim_token:
        remember_published(request, response, received.submission.public_id)
    return response


def _sent_before(request: HttpRequest) -> QuerySet[Submission]:
    """What the member has sent, or what was sent from this browser and has no owner."""
    owner = member_of(request)
    if owner is not None:
        return Submission.objects.filter(owner=owner)
    return Submission.objects.filter(owner=None, public_id__in=published_here(request))


def _preview(
    request: HttpRequest, form: SubmitForm, raw: str | bytes, *, is_changed: bool = False
) -> HttpResponse:
    sender = _sender(request, form)
    preview = preview_text(raw, sender)
    if not preview.found.runs:
        raise nothing_to_publish(preview.paste, preview.found)
    questions = find_questions(preview, given=form.given, faults=form.faults)
    shown = preview_page(preview, sender, questions, seen=form.mark(raw), is_changed=is_changed)
    return _page(request, form, preview=shown)


def _page(
    request: HttpRequest,
    form: SubmitForm,
    *,
    preview: PreviewPage | None = None,
    errors: Sequence[Notice] = (),
    unread: Unread | None = None,
    questions: Sequence[QuestionField] = (),
    status: int = 200,
) -> HttpResponse:
    more = unlisted(len(errors) - MAX_PROBLEMS)
    context = {
        "form": form,
        "errors": [*errors[:MAX_PROBLEMS], *([Notice("more", more.strip())] if more else [])],
        "unread": unread,
        "questions": questions,
        "preview": preview,
        "builder": Builder(CommandForm()),
        "social": Social("Submit a result", SUBMIT_DESCRIPTION, address("submit")),
    }
    return render(request, "results/submissions/page.html", context, status=status)
