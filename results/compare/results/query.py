"""Comparison of two results: metric ratios, noise, and different conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django import forms

from results.advice.comparison import (
    UNITS,
    Comparable,
    Condition,
    Conditions,
    Ratio,
    Reading,
    find_ratios,
    pair_factor,
)
from results.compare.comparison import find_results
from results.compare.conditions import result_conditions
from results.core.addresses import address, with_query
from results.core.formats import format_number
from results.core.subject import subject_of
from results.kinds.metric import Metric
from results.kinds.registry import PAYLOADS, kind_of
from results.kinds.result_kind import ResultKind
from results.models import ClassRanking, Result, ResultPair
from results.models.choices import Change
from results.models.conditions import FLUSH_OFF
from results.models.result import PUBLIC_ID

FREE_FLUSH = 1.25  # times the write alone: two runs differ by as much
FREE = (
    "A flush costs nothing here: the cache is protected, or flushes are ignored or never sent (VWC 0, WCE off, write "
    "through)."
)
_FLUSHED = ("latency_4k_us", "zil_latency_us")
_MESSAGES = {
    "required": "Give the ids of two results: a=…&b=….",
    "invalid": "Not a result’s id: that is the last part of its address, such as bcdfghjkmn or bcdfghjkmn-2.",
}


class PairForm(forms.Form):
    """The public ids of two different results of one kind; `pair` has their comparison."""

    a = forms.RegexField(PUBLIC_ID, strip=True, error_messages=_MESSAGES)
    b = forms.RegexField(PUBLIC_ID, strip=True, error_messages=_MESSAGES)

    def clean(self) -> None:
        a, b = (self.cleaned_data.get(name) for name in ("a", "b"))
        if a and a == b:
            self.add_error("b", "Both ids are the same result. Choose two different results.")
        elif a and b:
            self.cleaned_data["pair"] = find_pair(a, b)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results with their conditions and, if of one method, common metrics."""

    a: Result
    b: Result
    kind: ResultKind
    conditions: Conditions
    ratios: Sequence[Ratio[Result, Metric]]
    stored: ResultPair | None = None  # that links them, in either order

    @property
    def results(self) -> list[tuple[str, Result, str]]:
        """Each with its letter and the name of its subject."""
        return [("A", self.a, subject_of(self.a).name), ("B", self.b, subject_of(self.b).name)]

    @property
    def is_reversed(self) -> bool:
        """Whether a was measured after the change that links them."""
        return self.stored is not None and self.stored.before_id != self.a.pk

    @property
    def path(self) -> str:
        return with_query(address("compare-results"), a=self.a.public_id, b=self.b.public_id)

    @property
    def title(self) -> str:
        """Two devices, or one device under two conditions."""
        (_, _, name), (_, _, other) = self.results
        single = f"{name}: " if name == other else ""
        stored = self.stored
        if stored is not None and stored.before_value and stored.after_value:
            values = (stored.before_value, stored.after_value)
            a, b = values[::-1] if self.is_reversed else values
            return f"{single}{stored.get_change_display()} {a} vs. {b}"
        if not single:
            return f"{name} vs. {other}"
        differences = [condition for condition in self.conditions.differences if condition.key != "unit"]
        if len(differences) != 1:
            return f"{single}two runs"
        (condition,) = differences
        return f"{single}{condition.label.lower()} {' vs. '.join(condition.stated)}"

    @property
    def first_ratio(self) -> str:
        """The first ratio with its figures; a sentence if there is none."""
        if self.a.method != self.b.method:
            return "Measured by different methods, so their figures can’t be compared."
        if not self.ratios:
            return "They have no figures in common."
        first = self.ratios[0]
        (a, b), metric = first.readings, first.metric
        figures = f"{a.text} vs. {metric.with_unit(b.value, self.b.submission.figure_digits)}"
        return f"{metric.label}: {first.describe()}, {figures}"

    @property
    def summary(self) -> str:
        """The first ratio and its certainty, in sentences."""
        is_compared = self.a.method == self.b.method and self.ratios
        return f"{self.first_ratio}. {self.ratios[0].certainty}" if is_compared else self.first_ratio

    @property
    def flush_note(self) -> str:
        """What a flush costs; "" unless one of two runs of a device, otherwise alike, flushed nothing."""
        a, b = self.a, self.b
        methods = {a.sync_method, b.sync_method}
        is_alike = a.device_id is not None and (a.device_id, a.writers) == (b.device_id, b.writers)
        if FLUSH_OFF not in methods or None in methods or len(methods) != 2 or not is_alike:
            return ""
        found = next((ratio for key in _FLUSHED for ratio in self.ratios if ratio.metric.key == key), None)
        if found is None:
            return ""
        values = [reading.value for reading in found.readings]
        plain, flushed = values if a.sync_method == FLUSH_OFF else reversed(values)
        if flushed / plain < FREE_FLUSH:
            return FREE
        return (
            f"A flush costs {format_number(flushed - plain)} µs here: a write takes {flushed / plain:.3g} times as "
            f"long with it as without ({found.metric.label})."
        )


def find_pair(a: str, b: str) -> Pair:
    """Find the two results by public id. Two queries, and one for the noise.

    Raises Http404, and forms.ValidationError if they measured different things.
    """
    first, second = find_results(
        [a, b], "device__product__vendor", "pool", "firmware", "submission", *PAYLOADS
    )
    kind = kind_of(first.method)
    if kind_of(second.method) is not kind:
        message = "These two results measured different things, so their figures can’t be compared."
        raise forms.ValidationError({"b": message})
    ids = [first.pk, second.pk]
    linked = ResultPair.objects.filter(before__in=ids, after__in=ids)
    stored = linked.select_related("before", "after").first()
    conditions = result_conditions(first, second, kind)
    if stored is not None:
        conditions = _with_change(conditions, stored, is_reversed=stored.before_id != first.pk)
    return Pair(first, second, kind, conditions, _ratios(first, second, kind), stored)


# Changes whose condition goes by a different key
_CHANGED = {Change.DRIVER: "controller", Change.LOG_DEVICE: "log device"}


def _with_change(conditions: Conditions, stored: ResultPair, *, is_reversed: bool) -> Conditions:
    """The conditions with the change that links them, unless both results state it themselves."""
    key = _CHANGED.get(Change(stored.change), stored.change)
    if any(condition.key == key and not condition.is_unknown for condition in conditions):
        return conditions
    values = tuple((value,) if value else () for value in (stored.before_value, stored.after_value))
    changed = Condition(key, Change(stored.change).label, values[::-1] if is_reversed else values)
    return Conditions([changed, *(condition for condition in conditions if condition.key != key)])


def _ratios(first: Result, second: Result, kind: ResultKind) -> list[Ratio[Result, Metric]]:
    """The ratios of the metrics that both have; figures of two methods are not comparable."""
    if first.method != second.method:
        return []
    noise = _noise(first, second, kind)
    is_complete = first.is_complete and second.is_complete
    metrics = [metric for metric in kind.metrics.values() if is_complete or not metric.is_of_all_sizes]
    return find_ratios(_comparable("A", first, metrics, noise), _comparable("B", second, metrics, noise))


def _comparable(
    letter: str, result: Result, metrics: Sequence[Metric], noise: Mapping[str, float]
) -> Comparable[Result, Metric]:
    digits = result.submission.figure_digits
    readings = {
        metric: Reading(
            *(value, value, value),
            is_lower_better=metric.is_lower_better if metric.is_judged else None,
            noise=UNITS._replace(factor=noise.get(metric.key)),
            text=metric.text(value, digits),
        )
        for metric in metrics
        if (value := result.metrics.get(metric.key))
    }
    return Comparable(letter, result, readings)


def _noise(first: Result, second: Result, kind: ResultKind) -> dict[str, float]:
    """How much single runs of one device model differ, by metric: that of single writers, of boards' metrics alone.

    It is from the pooled spread of the class that both devices are of, if that was measured. One query.
    """
    classes = {result.device.device_class for result in (first, second) if result.device}
    if first.writers or second.writers or first.device is None or second.device is None or len(classes) != 1:
        return {}
    boards = ClassRanking.objects.filter(
        board__in=kind.ranked_by, method=first.method, device_class__in=classes, spread_source="class"
    )
    spreads = boards.values_list("board", "spread")
    return {kind.ranked_by[board]: pair_factor(spread) for board, spread in spreads if spread is not None}
