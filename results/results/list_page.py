"""The list of all results, newest first, with filters by subject, kind, method, class, conditions and writers."""

from itertools import groupby
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.catalogue.lists import Link, choice_field
from results.charts.options import BadParameterError
from results.core.addresses import PAGE_SIZE, address, with_query
from results.core.formats import writers_label
from results.core.head import Social
from results.core.public import public_page
from results.core.subject import SUBJECT_FIELDS, subject_of_row
from results.kinds.conditions import LABELS
from results.kinds.dates import DATE_FIELDS, date_of_run, origin_of_run
from results.kinds.flags import ranking_state
from results.kinds.pool_io.stored_sets import NAME_FIELDS, run_name_of_row
from results.kinds.registry import KINDS, all_methods, kind_of
from results.kinds.tables import measures
from results.models import Result
from results.models.choices import DEVICE_CLASSES, SubjectKind
from results.models.conditions import CONDITION_FILTERS
from results.models.result import ONE_WRITER, SEVERAL_WRITERS, WRITERS, ResultQuerySet, submission_id_of

MOST_OF_SUBMISSION = 3  # rows in a list of several submissions

_FIELDS = (
    *NAME_FIELDS,
    *SUBJECT_FIELDS,
    "not_ranked_reason",
    "flags",
    *DATE_FIELDS,
    "submission__figure_digits",
)


Choices = dict[str, tuple[str, dict[str, str]]]  # by parameter: its label, and the values with their labels


def filter_choices() -> Choices:
    """The filters of the list, each with its label and its labelled values."""
    return {
        "subject": ("What it is about", dict(SubjectKind.choices)),
        "kind": ("What was measured", {one.key: one.label for one in KINDS.values()}),
        "method": ("Method", all_methods()),
        "class": ("Device class", DEVICE_CLASSES),
        **{name: (LABELS[name], dict(words)) for name, words in CONDITION_FILTERS.items()},
    }


def writers_choices(chosen: str) -> dict[str, str]:
    """The choices for the number of writers: common numbers, and the chosen one."""
    numbers = sorted({2, 4, 8, 16, 32, 64, *([int(chosen)] if WRITERS.fullmatch(chosen) else [])} - {1})
    return {
        ONE_WRITER: "One writer",
        SEVERAL_WRITERS: "Several writers",
        **{str(number): f"{number} at the same time" for number in numbers},
    }


class ResultsForm(forms.Form):
    """The parameters of the list; all are optional."""

    before = forms.CharField(required=False, max_length=14)
    writers = forms.CharField(required=False)
    submission = forms.CharField(required=False, max_length=14)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        for name, (_, options) in filter_choices().items():
            message = {"invalid_choice": f"None of {', '.join(options)}."}
            self.fields[name] = forms.ChoiceField(
                choices=list(options.items()), required=False, error_messages=message
            )

    def clean_writers(self) -> str:
        writers: str = self.cleaned_data["writers"]
        if writers and writers not in {ONE_WRITER, SEVERAL_WRITERS} and not WRITERS.fullmatch(writers):
            raise forms.ValidationError(f"{ONE_WRITER}, {SEVERAL_WRITERS} or a number such as 8.")
        return ONE_WRITER if writers == "1" else writers

    def clean_before(self) -> ResultQuerySet | None:
        """The results from which the page continues."""
        public_id = self.cleaned_data["before"]
        try:
            return Result.objects.all().older_than(public_id) if public_id else None
        except Result.DoesNotExist as error:
            raise forms.ValidationError("That result is no longer public. Start from the newest.") from error


@public_page(ResultsForm, *filter_choices())
def results(request: HttpRequest) -> HttpResponse:
    form = ResultsForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    choices = {
        **filter_choices(),
        "writers": ("Writers", writers_choices(form.cleaned_data["writers"])),
    }
    chosen = {name: form.cleaned_data[name] for name in choices}
    submission = form.cleaned_data["submission"]
    found = _found(chosen, form.cleaned_data["before"])
    if submission:
        found = found.filter(submission__public_id=submission)
    rows: list[Any] = list(found.values(*_FIELDS)[: PAGE_SIZE + 1])
    shown = rows[:PAGE_SIZE]
    older = (
        with_query(address("results"), **chosen, submission=submission, before=shown[-1]["public_id"])
        if len(rows) > PAGE_SIZE
        else ""
    )
    context = {
        "fields": [
            choice_field(name, label, options, chosen[name]) for name, (label, options) in choices.items()
        ],
        "rows": [_row(row) for row in shown] if submission else _folded(shown, chosen),
        "submission": submission,
        "older_url": older,
        "newest_url": with_query(address("results"), **chosen) if form.cleaned_data["before"] else "",
        "chips": [
            Link(options[chosen[name]], with_query(address("results"), **{**chosen, name: ""}))
            for name, (_, options) in choices.items()
            if chosen[name]
        ],
        "clear_url": address("results"),
        "social": Social(
            "All results",
            "Every measurement of a SLOG device or a pool shared here, newest first.",
            address("results"),
        ),
    }
    return render(request, "results/results/list.html", context)


def _found(chosen: dict[str, str], older: ResultQuerySet | None) -> QuerySet[Result]:
    found: ResultQuerySet = (Result.objects.all() if older is None else older).published()
    if chosen["subject"]:
        found = found.filter(pool__isnull=chosen["subject"] != SubjectKind.POOL)
    if chosen["kind"]:
        kind = KINDS[chosen["kind"]]
        found = found.filter(method__in=kind.methods, latency_us__isnull="latency_us" not in kind.columns)
    if chosen["method"]:
        found = found.filter(method=chosen["method"])
    if chosen["class"]:
        found = found.filter(device__device_class=chosen["class"])
    found = found.with_conditions({name: [chosen[name]] for name in CONDITION_FILTERS if chosen[name]})
    if chosen["writers"]:
        found = found.with_writers([chosen["writers"]])
    return found.newest_first()


def _folded(rows: list[Any], chosen: dict[str, str]) -> list[dict[str, Any]]:
    """The first rows of each submission; the last of them has the number of the others, and their URL."""
    shown = []
    for submission, group in groupby(rows, key=lambda row: submission_id_of(row["public_id"])):
        of_one = list(group)
        shown += [_row(row) for row in of_one[:MOST_OF_SUBMISSION]]
        if len(of_one) > MOST_OF_SUBMISSION:
            more_url = with_query(address("results"), **chosen, submission=submission)
            shown[-1] |= {"more": len(of_one) - MOST_OF_SUBMISSION, "more_url": more_url}
    return shown


def _row(row: dict[str, Any]) -> dict[str, Any]:
    kind = kind_of(row["method"])
    found = measures(row["metrics"], kind.metrics.values(), digits=row["submission__figure_digits"])
    subject, what = subject_of_row(row), run_name_of_row(row)
    return {
        "url": address("result", row["public_id"]),
        "subject": subject.name,
        "class_label": subject.class_label,
        "kind": kind.label,
        "method": kind.methods[row["method"]],
        "what": what,
        "writers": "" if what else writers_label(row["writers"]),
        "figure": found[0] if found else None,
        "state": _state(row) if kind.ranked_by else "",
        "origin": origin_of_run(row),
        "date": date_of_run(row),
    }


def _state(row: dict[str, Any]) -> str:
    """Why a result isn't ranked, or what it is waiting for; "" if it is ranked."""
    reason = row["not_ranked_reason"]
    return f"{ranking_state(reason, row['flags'])}: {reason}" if reason else ""
