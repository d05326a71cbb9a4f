"""Comparison of two results: metric ratios, noise, and different conditions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from django import forms
from django.http import Http404

from results.compare.query import cache_state, driver_of
from results.core.subject import describe_layout, subject_of
from results.core.systems import system_of
from results.kinds.conditions import LABELS, WHERE_STATED, in_words
from results.kinds.latency_curve.metrics import CONFIDENCE
from results.kinds.metric import Metric
from results.kinds.registry import PAYLOADS, kind_of
from results.kinds.result_kind import ResultKind
from results.models import ClassRanking, Result, ResultPair
from results.models.choices import Change, SubjectKind
from results.models.conditions import FLUSH_OFF, SYNC_METHODS
from results.models.result import PUBLIC_ID
from results.ranking.standing import device_name

_MESSAGES = {
    "required": "Give the ids of two results: a=…&b=….",
    "invalid": "Not a result’s id: that is the last part of its address, such as bcdfghjkmn or bcdfghjkmn-2.",
}


class DifferentKindsError(Exception):
    """The two results measured different things."""


class PairForm(forms.Form):
    """The public ids of two different results."""

    a = forms.RegexField(PUBLIC_ID, strip=True, error_messages=_MESSAGES)
    b = forms.RegexField(PUBLIC_ID, strip=True, error_messages=_MESSAGES)

    def clean(self) -> None:
        ids = self.cleaned_data
        if "a" in ids and ids["a"] == ids.get("b"):
            self.add_error("b", "Both ids are the same result. Choose two different results.")


@dataclass(frozen=True, slots=True)
class Condition:
    """What each result states; empty if nothing, which equals no value."""

    key: str
    label: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        return bool(self.a and self.b) and self.a.casefold() != self.b.casefold()

    @property
    def is_unknown(self) -> bool:
        """Whether at least one result doesn't state it, so that it may differ."""
        return not (self.a and self.b)


@dataclass(frozen=True, slots=True)
class MetricRatio:
    """A metric that both results have, and b's value divided by a's.

    `exceeds_noise` compares the ratio with how much two units of one device differ in the class; it is None if that
    is unknown.
    """

    metric: Metric
    a: float
    b: float
    noise_factor: float | None  # nine in ten pairs of single runs of one device model differ by less
    a_digits: int | None = None  # of the published figure that it is computed from
    b_digits: int | None = None

    @property
    def ratio(self) -> float:
        return self.b / self.a

    @property
    def exceeds_noise(self) -> bool | None:
        if self.noise_factor is None:
            return None
        return max(self.ratio, 1 / self.ratio) > self.noise_factor


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results with their conditions and, if of one method, common metrics."""

    a: Result
    b: Result
    kind: ResultKind
    conditions: tuple[Condition, ...]
    ratios: tuple[MetricRatio, ...]
    stored: ResultPair | None = None  # that links them, in either order

    @property
    def differences(self) -> list[Condition]:
        return [one for one in self.conditions if one.differs]

    @property
    def unknowns(self) -> list[Condition]:
        return [one for one in self.conditions if one.is_unknown]

    @property
    def is_of_one_condition(self) -> bool:
        """Whether exactly one condition differs and none is unknown."""
        return len(self.differences) == 1 and not self.unknowns


def find_pair(a: str, b: str) -> Pair:
    """Find the two results by public id. Two queries, and one for the noise.

    Raises Http404 and DifferentKindsError.
    """
    first, second = find_results(
        [a, b], "device__product__vendor", "pool", "firmware", "submission", *PAYLOADS
    )
    kind = kind_of(first.method)
    if second.method not in kind.methods:
        raise DifferentKindsError
    ids = [first.pk, second.pk]
    linked = ResultPair.objects.filter(before__in=ids, after__in=ids)
    stored = linked.select_related("before", "after").first()
    conditions = _conditions_of(first, second, kind)
    if stored is not None:
        conditions = _with_change(conditions, stored, is_turned=stored.before_id != first.pk)
    return Pair(first, second, kind, conditions, _ratios(first, second, kind), stored)


def find_results(ids: Sequence[str], *related: str) -> list[Result]:
    """The published results with these public ids, in their order. One query; raises Http404 for an unknown one."""
    rows = Result.objects.published().select_related(*related).named(ids)
    found = {one.public_id: one for one in rows.defer("submission__text")}
    for public_id in ids:
        if public_id not in found:
            raise Http404(f"There is no published result “{public_id}”.")
    return [found[public_id] for public_id in ids]


# The condition that a linked pair states better than the texts do
_CHANGED = {
    Change.HBA: "hba",
    Change.DRIVER: "controller",
    Change.FIRMWARE: "firmware",
    Change.SYSTEM: "system",
    Change.LOG_DEVICE: "log device",
    Change.SYNC: "sync",
    Change.WRITE_CACHE: "write_cache",
    Change.LAYOUT: "layout",
}


def _with_change(
    conditions: tuple[Condition, ...], stored: ResultPair, *, is_turned: bool
) -> tuple[Condition, ...]:
    """The conditions with the change that links them, unless both results state it themselves."""
    key = _CHANGED.get(Change(stored.change), stored.change)
    if any(one.key == key and not one.is_unknown for one in conditions):
        return conditions
    values = stored.before_value, stored.after_value
    a, b = values[::-1] if is_turned else values
    others = tuple(one for one in conditions if one.key != key)
    return (Condition(key, Change(stored.change).label, a, b), *others)


def _conditions_of(first: Result, second: Result, kind: ResultKind) -> tuple[Condition, ...]:
    stated = [_stated(one, kind) for one in (first, second)]
    is_of_pools = kind.subject == SubjectKind.POOL
    conditions = [
        Condition(key, label, stated[0].get(key, ""), stated[1].get(key, ""))
        for key, label in (_LABELS_OF_POOLS if is_of_pools else _LABELS).items()
        if key not in WHERE_STATED or any(one[key] for one in stated)
    ]
    if is_of_pools:
        other = ONE_POOL if _is_one_pool(first, second) else ANOTHER_POOL
        conditions.append(Condition("pool", "Pool", ONE_POOL, other))
    elif first.unit and second.unit:
        other = FIRST_UNIT if first.unit == second.unit else SECOND_UNIT
        conditions.append(Condition("unit", "Unit", FIRST_UNIT, other))
    else:
        conditions.append(Condition("unit", "Unit", "", ""))
    of_kind = [kind.conditions(kind.payload_of_result(one)) for one in (first, second)]
    further = [
        Condition(label.lower(), label, of_kind[0].get(label, ""), of_kind[1].get(label, ""))
        for label in dict.fromkeys([*of_kind[0], *of_kind[1]])
    ]
    return (*conditions, *further)


FIRST_UNIT, SECOND_UNIT = "one unit", "another unit"  # a digest of a serial number is never shown
ONE_POOL, ANOTHER_POOL = "one pool", "another pool, or the same one sent again"


def _is_one_pool(first: Result, second: Result) -> bool:
    """Whether both are about one pool: of one submission, or by their owner's statement."""
    pools = [one.pool for one in (first, second) if one.pool]
    return len({pool.same_as_id or pool.pk for pool in pools}) == 1


_LABELS = {
    "device": "Device",
    "method": "Method",
    "firmware": "Firmware",
    "write_cache": "Write cache",
    "sync_method": "Sync method",
    **{name: LABELS[name] for name in WHERE_STATED},
    "writers": "Writers",
    "system": "Operating system",
    "controller": "Controller",
    "hba": "HBA",
}


_LABELS_OF_POOLS = {
    "layout": "Layout",
    "method": "Method",
    "sync_method": "Sync method",
    **{name: LABELS[name] for name in WHERE_STATED},
    "writers": "Writers",
    "system": "Operating system",
}


def _stated(one: Result, kind: ResultKind) -> Mapping[str, str]:
    """The conditions that the text states, or else its owner."""
    by_owner = one.told_conditions
    cache = "" if one.write_cache_enabled is None else "enabled" if one.write_cache_enabled else "disabled"
    return {
        "device": device_name(one.device)
        if one.device
        else subject_of(one).name,  # by its model, not its line
        "layout": describe_layout(one.pool.layout) if one.pool and one.pool.layout else "",
        "method": kind.methods[one.method],
        "firmware": one.firmware.version if one.firmware else "",
        "sync_method": SYNC_METHODS[FLUSH_OFF] if one.sync_method == FLUSH_OFF else one.sync_method or "",
        **{name: in_words(name, getattr(one, name)) for name in WHERE_STATED},
        "writers": str(one.writers or 1),
        "write_cache": cache or cache_state(by_owner.get("write_cache")) or "",
        "system": system_of(one.platform or by_owner.get("platform", "")),
        "controller": driver_of(one.attachment),
        "hba": by_owner.get("attachment", ""),
    }


def _ratios(first: Result, second: Result, kind: ResultKind) -> tuple[MetricRatio, ...]:
    if first.method != second.method:
        return ()  # figures of two methods are not comparable
    noise = _noise_factors(first, second, kind)
    is_load = bool(first.writers or second.writers)  # the noise is that of single writers
    return tuple(
        MetricRatio(
            metric,
            first.metrics[key],
            second.metrics[key],
            noise.get(key) if not is_load else None,
            first.submission.figure_digits,
            second.submission.figure_digits,
        )
        for key, metric in kind.metrics.items()
        if first.metrics.get(key)
        and second.metrics.get(key)
        and not (metric.is_of_all_sizes and not (first.is_complete and second.is_complete))
    )


def _noise_factors(first: Result, second: Result, kind: ResultKind) -> dict[str, float]:
    """The factors from the class's pooled spreads between units, by the key of the metric that has one."""
    if first.device is None or second.device is None:
        return {}
    if first.device.device_class != second.device.device_class:
        return {}
    of_class = ClassRanking.objects.filter(
        board__in=kind.ranked_by,
        method=first.method,
        device_class=first.device.device_class,
        spread_source="class",
    )
    quantile = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return {
        kind.ranked_by[board]: math.exp(quantile * math.sqrt(2) * spread)
        for board, spread in of_class.values_list("board", "spread")
        if spread is not None
    }
