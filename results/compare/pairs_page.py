"""The page that compares two results."""

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.charts.options import BadParameterError
from results.compare.flush import flush_note
from results.compare.pairs import (
    Condition,
    DifferentKindsError,
    MetricRatio,
    Pair,
    PairForm,
    find_pair,
)
from results.core.addresses import address, with_query
from results.core.formats import NOT_STATED
from results.core.head import Shared, Social
from results.core.public import public_page
from results.core.subject import subject_of
from results.models import Result


@public_page(PairForm)
def compare_results(request: HttpRequest) -> HttpResponse:
    form = PairForm(request.GET)
    ids = [form[name].value() or "" for name in form.fields]
    if form.errors and all(form.has_error(name, "required") for name in form.errors):
        return render(request, "results/compare/results.html", {"ids": ids})
    return render(request, "results/compare/results.html", {"ids": ids, **_context(pair_of(form))})


def pair_of(form: PairForm) -> Pair:
    """Find the pair; raises Http404 and BadParameterError with a message."""
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    try:
        return find_pair(form.cleaned_data["a"], form.cleaned_data["b"])
    except DifferentKindsError as error:
        raise BadParameterError(
            "b", "These two results measured different things, so their figures can’t be compared."
        ) from error


def pair_url(pair: Pair) -> str:
    return with_query(address("compare-results"), a=pair.a.public_id, b=pair.b.public_id)


def _context(pair: Pair) -> dict[str, Any]:
    title, summary = pair_title(pair), pair_summary(pair)
    preview = with_query(address("compare-results-preview"), a=pair.a.public_id, b=pair.b.public_id)
    return {
        "title": title,
        "summary": summary,
        "results": [_result(pair.a, "A"), _result(pair.b, "B")],
        "linked": _linked(pair),
        "flush_note": flush_note(pair),
        "ratios": [_ratio(one) for one in pair.ratios],
        "differences": [_condition(one) for one in pair.differences],
        "unknowns": [_condition(one) for one in pair.unknowns],
        "equal": [_condition(one) for one in pair.conditions if not one.differs and not one.is_unknown],
        "is_of_one_condition": pair.is_of_one_condition,
        "share": Shared(title, summary, pair_url(pair), preview).ways,
        "social": Social(title, summary, pair_url(pair), preview),
    }


def _linked(pair: Pair) -> dict[str, str] | None:
    """What links the two as before and after; None if nobody linked them."""
    one = pair.stored
    if one is None:
        return None
    return {
        "change": one.get_change_display(),
        "before": one.before_value or NOT_STATED,
        "after": one.after_value or NOT_STATED,
        "is_turned": "yes" if one.before_id != pair.a.pk else "",
        "sentence": one.sentence,
        "source_url": one.source_url,
        "host": urlsplit(one.source_url).hostname or "",
        "quality": one.get_quality_display().lower() if one.quality else "",
    }


def pair_title(pair: Pair) -> str:
    """The title: two devices, or one device under two conditions."""
    names = [_name(pair.a), _name(pair.b)]
    stored = pair.stored
    if stored is not None and stored.before_value and stored.after_value:
        values = (stored.before_value, stored.after_value)
        a, b = values if stored.before_id == pair.a.pk else values[::-1]
        name = f"{names[0]}: " if names[0] == names[1] else ""
        return f"{name}{stored.get_change_display()} {a} vs. {b}"
    if names[0] != names[1]:
        return f"{names[0]} vs. {names[1]}"
    differences = [one for one in pair.differences if one.key != "unit"]
    if len(differences) != 1:
        return f"{names[0]}: two runs"
    (one,) = differences
    return f"{names[0]}: {one.label.lower()} {one.a} vs. {one.b}"


def pair_summary(pair: Pair) -> str:
    """The first ratio and its certainty, in sentences."""
    if pair.a.method != pair.b.method:
        return "Measured by different methods, so their figures can’t be compared."
    if not pair.ratios:
        return "They have no figures in common."
    ratio = pair.ratios[0]
    return f"{_sentence(ratio)} {_certainty(ratio)}"


def _sentence(one: MetricRatio) -> str:
    more, less = max(one.a, one.b), min(one.a, one.b)
    figures = f"{one.metric.text(one.a, one.a_digits)} vs. {one.metric.with_unit(one.b, one.b_digits)}"
    if more / less < 1.005:
        return f"{one.metric.label}: the same, {figures}."
    if not one.metric.is_judged:
        return f"{one.metric.label}: {more / less:.3g} times as much in {'A' if one.a > one.b else 'B'}, {figures}."
    better = "A" if (one.a < one.b) == one.metric.is_lower_better else "B"
    return f"{one.metric.label}: {better} is {more / less:.3g} times as good, {figures}."


def _certainty(one: MetricRatio) -> str:
    match one.exceeds_noise:
        case True:
            return "Two units of one device usually differ by less."
        case False:
            return "Two units of one device can differ by as much, so this may be chance."
    return "We don’t know how much single runs vary here, so this may be chance."


def _name(result: Result) -> str:
    return subject_of(result).name


def _result(result: Result, letter: str) -> dict[str, str]:
    return {
        "letter": letter,
        "public_id": result.public_id,
        "url": result.get_absolute_url(),
        "subject": _name(result),
        "subject_url": subject_of(result).url,
    }


def _ratio(one: MetricRatio) -> dict[str, str]:
    return {
        "label": one.metric.label,
        "unit": one.metric.unit_beside_label,
        "a": one.metric.text(one.a, one.a_digits),
        "b": one.metric.text(one.b, one.b_digits),
        "ratio": f"{one.ratio:.3g}",
        "certainty": _certainty(one),
    }


def _condition(one: Condition) -> dict[str, str]:
    return {"label": one.label, "a": one.a or NOT_STATED, "b": one.b or NOT_STATED}
