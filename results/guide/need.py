"""The page that decides whether a SLOG would help, by five questions."""

from dataclasses import dataclass
from enum import StrEnum

from django import forms
from django.http import HttpRequest, HttpResponse

from results.advice.need import Answer, Loss, PoolMedium, Special, Sync, Verdict, Without, decide
from results.core.forms import canonical_redirect, faults, field_rows
from results.core.public import public_page
from results.guide.page import render_guide
from results.kinds.pool_sets import newest_answers

HINTS = {
    "sync": ("", "A SLOG only helps with writes that wait until they are safe."),
    "without": ("", "On a dataset with test data only: no SLOG can make it faster than sync=disabled."),
    "loss": ("", "That is the price of sync=disabled on a dataset."),
    "pool": ("", "Without a SLOG, the log is stored there."),
    "special": ("", "zpool status lists it under “special”; zfs version tells the version."),
}


class Tone(StrEnum):
    """How a verdict is highlighted."""

    YES = "notice-yes"
    NO = "notice"
    FIRST = "notice-warn"


VERDICTS = {
    Verdict.NOT_SYNC: (Tone.NO, "No. A SLOG would be idle."),
    Verdict.FIND_OUT: (Tone.FIRST, "First find out whether anything waits."),
    Verdict.FIX_THE_PATH: (Tone.FIRST, "No. First fix the path to the disks."),
    Verdict.TRY_WITHOUT: (
        Tone.FIRST,
        "Try that first: it takes a minute and shows the most that a SLOG can do.",
    ),
    Verdict.ALLOW_THE_LOSS: (Tone.NO, "No. Turn sync off for that dataset, knowing what that means."),
    Verdict.HARDLY: (Tone.NO, "Hardly. The pool’s SSDs already confirm writes from a protected cache."),
    Verdict.SPECIAL_IS_LOG: (Tone.NO, "Probably not. Your special vdev already holds the log."),
    Verdict.YES: (Tone.YES, "Yes. A SLOG with fast, protected flushes will help."),
}


def _choices(answers: type[Answer]) -> list[tuple[str, str]]:
    return [(answer.value, answer.text) for answer in answers]


class NeedForm(forms.Form):
    """The five questions, in order."""

    sync = forms.ChoiceField(
        label="1. Do the slow writes wait until they are safe?", choices=_choices(Sync), required=False
    )
    without = forms.ChoiceField(label="2. And with sync=disabled?", choices=_choices(Without), required=False)
    loss = forms.ChoiceField(label="3. May the last seconds be lost?", choices=_choices(Loss), required=False)
    pool = forms.ChoiceField(
        label="4. What is the pool made of?", choices=_choices(PoolMedium), required=False
    )
    special = forms.ChoiceField(
        label="5. Does it have a special vdev?", choices=_choices(Special), required=False
    )


@public_page(NeedForm)
def guide_need(request: HttpRequest) -> HttpResponse:
    if moved := canonical_redirect(request, NeedForm):
        return moved
    form = NeedForm(request.GET)
    status = 200 if form.is_valid() else 400
    more = {
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "sets": newest_answers(),
        "answer": _answer(form.cleaned_data) if request.GET and status == 200 else None,
    }
    return render_guide(request, "do-i-need-one", more, status=status)


@dataclass(frozen=True, slots=True)
class NeedAnswer:
    """The verdict, or None with the next question in `text`."""

    verdict: Verdict | None
    tone: Tone
    text: str


def _answer(data: dict[str, str]) -> NeedAnswer:
    decided = decide(**data)
    if isinstance(decided, Verdict):
        return NeedAnswer(decided, *VERDICTS[decided])
    return NeedAnswer(None, Tone.NO, f"Not decided yet. Next: {NeedForm.base_fields[decided].label}")
