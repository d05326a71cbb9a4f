"""The filters of lists, named like the parameters of the pages, and lookups of public devices and firmware."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet
from rest_framework.exceptions import ValidationError

from results.api.errors import UnknownNameError
from results.api.parameters import DEPRECATED
from results.core.security.rate_limits import QUERY_LIMIT
from results.kinds.conditions import LABELS
from results.kinds.flags import INCLUDED, RANKED, without_rank
from results.kinds.registry import KIND_CHOICES, KINDS, METHOD_CHOICES
from results.models import Device, Firmware, Result
from results.models.choices import DEVICE_CLASSES, Origin, SubjectKind
from results.models.conditions import CONDITION_FILTERS
from results.models.result import ResultQuerySet

MAX_NAMES = 50
MAX_PARTS, MIN_PART_LENGTH = 2, 3  # of names, in one filter
HOW_TO_FIND = "/api/v1/search/?q=… finds devices by their names."
PUBLISHED_FIRMWARE = Exists(Result.objects.published().filter(firmware=OuterRef("pk")))


class ChoicesFilter(django_filters.BaseInFilter, django_filters.ChoiceFilter):
    """Any of several choices; with a `heading`, it is among the fields of the list's page, too."""

    def __init__(self, *args: Any, heading: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.heading = heading


class NamesFilter(django_filters.BaseInFilter, django_filters.CharFilter):
    """Any of several names, at most MAX_NAMES."""


_DAY_LOOKUPS = {"after": "gte", "before": "lt"}  # by the end of a parameter: with the day, and without it
_FIRMWARE_OF = "/api/v1/devices/{slug}/firmware/ has those of a device."


def _class_filter(column: str) -> ChoicesFilter:
    choices = list(DEVICE_CLASSES.items())
    return ChoicesFilter(column, choices=choices, label="device class", heading="Device class")


class DeviceFilter(django_filters.FilterSet):
    """Filter devices by class and words."""

    q = django_filters.CharFilter(
        method="filter_words", max_length=QUERY_LIMIT, label="words of the model name or vendor"
    )

    def filter_words(self, queryset: QuerySet[Device], name: str, value: str) -> QuerySet[Device]:  # noqa: ARG002
        for word in value.split():
            queryset = queryset.filter(searched__icontains=word)
        return queryset


class DayFilter(django_filters.DateFilter):
    """A day as in ISO 8601."""

    def __init__(self, **options: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], **options)


class ResultFilter(django_filters.FilterSet):
    """Filter results by id, device, firmware, kind, method, rank, origin, days, writers and class."""

    id = NamesFilter(method="filter_ids", help_text="ids; those that are not public are left out.")
    device = NamesFilter(method="filter_device", help_text="slugs of devices; 404 for an unknown one.")
    firmware = NamesFilter(method="filter_firmware", help_text="firmware versions; 404 for an unknown one.")
    subject = ChoicesFilter(
        choices=SubjectKind.choices,
        method="filter_subject",
        help_text="what a result is about.",
        heading="What it is about",
    )
    pool = NamesFilter(
        method="filter_pool", help_text="ids of pools; those that are not public are left out."
    )
    kind = ChoicesFilter(choices=KIND_CHOICES, method="filter_kind", heading="What was measured")
    method = ChoicesFilter(choices=METHOD_CHOICES, heading="Method")
    include = ChoicesFilter(
        choices=list(INCLUDED.items()),
        method="filter_include",
        label="what is listed beside ranked results",
        help_text=f"{DEPRECATED} use ranking_state. It adds nothing: without it, all published results are listed. "
        "With it, ranked ones always are, and of the others those it names: none (ranked), unranked or waiting.",
    )
    ranking_state = ChoicesFilter(
        choices=list(INCLUDED.items()),
        method="filter_ranking_state",
        label="whether it is ranked",
        help_text="whether it is ranked; lists only what it names, and everything without it.",
    )
    origin = ChoicesFilter(
        choices=Origin.choices,
        method="filter_origin",
        label="whether it was submitted here",
        heading="Origin",
    )
    attachment = NamesFilter(
        method="filter_attachment",
        help_text="part of the HBA’s, driver’s or interface’s name, as the text or sender states it, in any case; "
        f"at most {MAX_PARTS}, each of {MIN_PART_LENGTH} characters or more.",
    )
    measured_after = DayFilter(method="filter_measured", help_text="measured on this day or later.")
    measured_before = DayFilter(method="filter_measured", help_text="measured before this day.")
    submitted_after = DayFilter(method="filter_submitted", help_text="sent on this day (UTC) or later.")
    submitted_before = DayFilter(method="filter_submitted", help_text="sent before this day (UTC).")
    writers = NamesFilter(
        method="filter_writers", help_text="how many wrote at the same time: one, several, or numbers."
    )

    def filter_queryset(self, queryset: QuerySet[Result]) -> QuerySet[Result]:
        for what in ("measured", "submitted"):
            after, before = (self.form.cleaned_data[f"{what}_{end}"] for end in _DAY_LOOKUPS)
            if after and before and after >= before:
                raise ValidationError({f"{what}_before": [f"Enter a day after {what}_after."]})
        found: QuerySet[Result] = super().filter_queryset(queryset)
        return found

    def filter_condition(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        return queryset.with_conditions({name: value})

    def filter_subject(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        if set(value) >= set(SubjectKind.values):
            return queryset
        return queryset.filter(pool__isnull=SubjectKind.POOL not in value)

    def filter_pool(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        refuse_too_many(name, value)
        return queryset.filter(pool__public_id__in=value)

    def filter_kind(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        kinds = [KINDS[key] for key in value]
        found = queryset.filter(method__in=[method for kind in kinds for method in kind.methods])
        have_curves = {"latency_us" in kind.columns for kind in kinds}
        # an index has the few results without a curve
        return found if len(have_curves) > 1 else found.filter(latency_us__isnull=have_curves == {False})

    def filter_include(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        return queryset.filter(Q(is_ranked=True) | without_rank(value))

    def filter_ranking_state(
        self,
        queryset: QuerySet[Result],
        name: str,  # noqa: ARG002
        value: list[str],
    ) -> QuerySet[Result]:
        ranked = Q(is_ranked=True) if RANKED in value else Q(pk=None)
        return queryset.filter(ranked | Q(is_ranked=False) & without_rank(value))

    def filter_origin(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        if set(value) >= set(Origin.values):
            return queryset
        return queryset.filter(submission__survey_id__isnull=Origin.SUBMITTED_HERE in value)

    def filter_measured(self, queryset: QuerySet[Result], name: str, value: date) -> QuerySet[Result]:
        return queryset.filter(**{f"measured_on__{_DAY_LOOKUPS[name.partition('_')[2]]}": value})

    def filter_submitted(self, queryset: QuerySet[Result], name: str, value: date) -> QuerySet[Result]:
        lookup = f"submission__created_at__{_DAY_LOOKUPS[name.partition('_')[2]]}"
        return queryset.filter(submission__survey_id=None, **{lookup: datetime.combine(value, time(), UTC)})

    def filter_attachment(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        # No index finds parts of names
        if len(value) > MAX_PARTS or any(len(part) < MIN_PART_LENGTH for part in value):
            refused = f"Enter at most {MAX_PARTS}, each of {MIN_PART_LENGTH} characters or more."
            raise ValidationError({name: [refused]})
        found = Q()
        for part in value:
            found |= Q(attachment__icontains=part) | Q(told_conditions__attachment__icontains=part)
        return queryset.filter(found)

    def filter_writers(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        refuse_too_many(name, value)
        try:
            return queryset.with_writers(value)
        except ValueError as error:
            raise ValidationError({name: [str(error)]}) from error

    def filter_device(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        return queryset.filter(device__in=self._devices(name, value))

    def _devices(self, name: str, slugs: list[str]) -> list[int]:
        """The ids of these devices; raises UnknownNameError for unknown slugs."""
        refuse_too_many(name, slugs)
        found = {slug: find_device_id(slug) for slug in slugs}
        unknown = [slug for slug, device in found.items() if device is None]
        if unknown:
            messages = [f"There is no device “{slug}”. {HOW_TO_FIND}" for slug in unknown]
            raise UnknownNameError({name: messages})
        return [device for device in found.values() if device is not None]

    def filter_firmware(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        refuse_too_many(name, value)
        slugs = self.form.cleaned_data["device"]
        devices = self._devices("device", slugs) if slugs else None
        unknown = [version for version in value if not has_firmware(version, devices=devices)]
        if unknown:
            messages = [f"There is no firmware version “{version}”. {_FIRMWARE_OF}" for version in unknown]
            raise UnknownNameError({name: messages})
        return queryset.filter(firmware__version__in=value)

    def filter_ids(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        refuse_too_many(name, value)
        return queryset.named(value)


def refuse_too_many(name: str, values: list[str]) -> None:
    """Raise ValidationError for more than MAX_NAMES values."""
    if len(values) > MAX_NAMES:
        raise ValidationError({name: [f"At most {MAX_NAMES} {name}s at once, not {len(values):,}."]})


# “class” is a keyword, and condition filters are named after the keys of CONDITION_FILTERS
DeviceFilter.base_filters["class"] = _class_filter("device_class")
ResultFilter.declared_filters |= {"class": _class_filter("device__device_class")} | {
    name: ChoicesFilter(
        name,
        choices=list(words.items()),
        method="filter_condition",
        label=LABELS[name].lower(),
        help_text=f"{LABELS[name].lower()}; matches only results that state it.",
        heading=LABELS[name],
    )
    for name, words in CONDITION_FILTERS.items()
}
ResultFilter.base_filters |= ResultFilter.declared_filters  # subclasses have the declared ones


def find_device_id(slug: str) -> int | None:
    """The id of the device with this slug, or with it as an alias."""
    known = Device.objects.shown().values_list("pk", flat=True)
    return known.filter(slug=slug).first() or known.filter(aliases__slug=slug).first()


def slug_of_alias(slug: str) -> str | None:
    """The slug of the device that this is an alias of."""
    return Device.objects.shown().filter(aliases__slug=slug).values_list("slug", flat=True).first()


def has_firmware(version: str, *, devices: Collection[int] | None = None) -> bool:
    """Whether a published result, optionally of these devices, has this version."""
    known = Firmware.objects.filter(PUBLISHED_FIRMWARE, version=version)
    return (known if devices is None else known.filter(device__in=devices)).exists()
