"""The list of all results, newest first, with filters by subject, kind, method, class, conditions and writers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.api.filters import ChoicesFilter, ResultFilter
from results.catalogue.lists import ListLink, choice_field
from results.charts.options import BadParameterError
from results.core.addresses import address, with_query
from results.core.formats import ELSEWHERE
from results.core.head import Social
from results.core.paging import PAGE_SIZE
from results.core.public import public_page
from results.kinds.dates import date_of_result
from results.kinds.flags import ranking_state
from results.kinds.registry import NAMED_PAYLOADS, kind_of, method_label
from results.kinds.result_kind import ResultKind
from results.kinds.tables import Measure
from results.models import Result
from results.models.result import ONE_WRITER, SEVERAL_WRITERS, WRITERS, ResultQuerySet
from results.submissions.result_summary import ListedRun, result_figures

MAX_OF_SUBMISSION = 3  # rows in a list of several submissions


@dataclass(frozen=True, slots=True)
class ResultRow(ListedRun):
    """A result of the list; the last shown of a submission has the number of its other runs, and their URL."""

    more: int = 0
    more_url: str = ""

    @property
    def kind(self) -> ResultKind:
        return kind_of(self.run.method)

    @property
    def method(self) -> str:
        return method_label(self.run.method)

    @property
    def figure(self) -> Measure | None:
        return next(iter(result_figures(self.run)), None)

    @property
    def state(self) -> str:
        """Why it isn't ranked, or what it is waiting for; "" if it is ranked, or its kind never is."""
        reason = self.run.not_ranked_reason if self.kind.ranked_by else ""
        return f"{ranking_state(reason, self.run.flags)}: {reason}" if reason else ""

    @property
    def origin(self) -> str:
        return ELSEWHERE if self.run.submission.is_from_elsewhere else ""

    @property
    def date(self) -> str:
        return date_of_result(self.run)


Choices = dict[str, tuple[str, dict[str, str]]]  # by parameter: its label, and the values with their labels


def filter_choices() -> Choices:
    """The API filters that the page has, too, each with its label and its labeled values."""
    return {
        name: (choices.heading, dict(choices.extra["choices"]))
        for name, choices in ResultFilter.base_filters.items()
        if isinstance(choices, ChoicesFilter) and choices.heading
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


@public_page(ResultsForm, *filter_choices(), in_sitemap=True)
def results(request: HttpRequest) -> HttpResponse:
    form = ResultsForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    choices = {**filter_choices(), "writers": ("Writers", writers_choices(form.cleaned_data["writers"]))}
    chosen = {name: form.cleaned_data[name] for name in choices}
    submission = form.cleaned_data["submission"]
    asked_for = {**chosen, "submission": submission}
    older = form.cleaned_data["before"]
    published = (Result.objects.all() if older is None else older).published()
    found: ResultQuerySet = ResultFilter(chosen, published).qs.newest_first()
    if submission:
        found = found.filter(submission__public_id=submission)
    # A subquery selects the page; otherwise all rows of the list would be joined before they are sorted
    page = Result.objects.filter(pk__in=found.values("pk")[: PAGE_SIZE + 1]).newest_first()
    loaded = page.select_related("device__product__vendor", "pool", "submission", *NAMED_PAYLOADS)
    runs = list(loaded.defer("submission__text"))
    shown = runs[:PAGE_SIZE]
    older_url = (
        with_query(address("results"), **asked_for, before=shown[-1].public_id)
        if len(runs) > PAGE_SIZE
        else ""
    )
    context = {
        "fields": [
            choice_field(name, label, options, chosen[name]) for name, (label, options) in choices.items()
        ],
        "rows": [ResultRow(run) for run in shown] if submission else _folded(shown, chosen),
        "submission": submission,
        "older_url": older_url,
        "newest_url": with_query(address("results"), **asked_for) if form.cleaned_data["before"] else "",
        "chips": [
            ListLink(options[chosen[name]], with_query(address("results"), **{**asked_for, name: ""}))
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


def _folded(runs: Iterable[Result], chosen: dict[str, str]) -> list[ResultRow]:
    """The first rows of each submission."""
    shown = []
    for submission, group in groupby(runs, key=lambda run: run.submission):
        rows = [ResultRow(run) for run in group]
        shown += rows[:MAX_OF_SUBMISSION]
        if len(rows) > MAX_OF_SUBMISSION:
            more_url = with_query(address("results"), **chosen, submission=submission.public_id)
            shown[-1] = replace(shown[-1], more=len(rows) - MAX_OF_SUBMISSION, more_url=more_url)
    return shown
