"""The filters of lists, named like the parameters of the pages, and lookups of public devices and firmware."""

from collections.abc import Collection

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet
from rest_framework.exceptions import ValidationError

from results.api.errors import UnknownNameError
from results.core.security.rate_limits import QUERY_LIMIT
from results.kinds.conditions import LABELS
from results.kinds.flags import INCLUDED, without_rank
from results.kinds.registry import KIND_CHOICES, KINDS, METHOD_CHOICES
from results.models import Device, Firmware, Result
from results.models.choices import DEVICE_CLASSES, SubjectKind
from results.models.conditions import CONDITION_FILTERS
from results.models.result import ResultQuerySet

MOST_NAMES = 50
HOW_TO_FIND = "/api/v1/search/?q=… finds devices by their names."
PUBLISHED_FIRMWARE = Exists(Result.objects.published().filter(firmware=OuterRef("pk")))


class ChoicesFilter(django_filters.BaseInFilter, django_filters.ChoiceFilter):
    """Any of several choices."""


class NamesFilter(django_filters.BaseInFilter, django_filters.CharFilter):
    """Any of several names, at most MOST_NAMES."""


_FIRMWARE_OF = "/api/v1/devices/{slug}/firmware/ has those of a device."


class DeviceFilter(django_filters.FilterSet):
    """Filter devices by class and words."""

    q = django_filters.CharFilter(
        method="filter_words", max_length=QUERY_LIMIT, label="words of the model name or vendor"
    )

    def filter_words(self, queryset: QuerySet[Device], name: str, value: str) -> QuerySet[Device]:  # noqa: ARG002
        for word in value.split():
            queryset = queryset.filter(searched__icontains=word)
        return queryset


DeviceFilter.base_filters["class"] = ChoicesFilter(
    field_name="device_class", choices=list(DEVICE_CLASSES.items()), label="device class"
)


class ResultFilter(django_filters.FilterSet):
    """Filter results by id, device, firmware, kind, method, rank, writers and class."""

    id = NamesFilter(method="filter_ids", help_text="ids; those that are not public are left out.")
    device = NamesFilter(method="filter_device", help_text="slugs of devices; 404 for an unknown one.")
    firmware = NamesFilter(method="filter_firmware", help_text="firmware versions; 404 for an unknown one.")
    subject = ChoicesFilter(
        choices=SubjectKind.choices, method="filter_subject", help_text="what a result is about."
    )
    pool = NamesFilter(
        method="filter_pool", help_text="ids of pools; those that are not public are left out."
    )
    method = ChoicesFilter(choices=METHOD_CHOICES)
    kind = ChoicesFilter(choices=KIND_CHOICES, method="filter_kind")
    include = ChoicesFilter(
        choices=list(INCLUDED.items()),
        method="filter_include",
        label="what is listed beside ranked results",
        help_text="what is listed beside ranked results (ranked: nothing else); everything by default.",
    )
    writers = NamesFilter(
        method="filter_writers", help_text="how many wrote at the same time: one, several, or numbers."
    )

    def filter_condition(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        return queryset.with_conditions({name: value})

    def filter_subject(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        if set(value) >= set(SubjectKind.values):
            return queryset
        return queryset.filter(pool__isnull=SubjectKind.POOL not in value)

    def filter_pool(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        _refuse_too_many(name, value)
        return queryset.filter(pool__public_id__in=value)

    def filter_kind(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        return queryset.filter(method__in=[method for key in value for method in KINDS[key].methods])

    def filter_include(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:  # noqa: ARG002
        return queryset.filter(Q(is_ranked=True) | without_rank(value))

    def filter_writers(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        _refuse_too_many(name, value)
        try:
            return queryset.with_writers(value)
        except ValueError as error:
            raise ValidationError({name: [str(error)]}) from error

    def filter_device(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        return queryset.filter(device__in=self._devices(name, value))

    def _devices(self, name: str, slugs: list[str]) -> list[int]:
        """The ids of these devices; raises UnknownNameError for unknown slugs."""
        _refuse_too_many(name, slugs)
        found = {slug: find_device_id(slug) for slug in slugs}
        unknown = [slug for slug, device in found.items() if device is None]
        if unknown:
            messages = [f"There is no device “{slug}”. {HOW_TO_FIND}" for slug in unknown]
            raise UnknownNameError({name: messages})
        return [device for device in found.values() if device is not None]

    def filter_firmware(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        _refuse_too_many(name, value)
        slugs = self.form.cleaned_data["device"]
        devices = self._devices("device", slugs) if slugs else None
        unknown = [version for version in value if not has_firmware(version, devices=devices)]
        if unknown:
            messages = [f"There is no firmware version “{version}”. {_FIRMWARE_OF}" for version in unknown]
            raise UnknownNameError({name: messages})
        return queryset.filter(firmware__version__in=value)

    def filter_ids(self, queryset: ResultQuerySet, name: str, value: list[str]) -> ResultQuerySet:
        _refuse_too_many(name, value)
        return queryset.named(value)


def _refuse_too_many(name: str, values: list[str]) -> None:
    if len(values) > MOST_NAMES:
        raise ValidationError({name: [f"At most {MOST_NAMES} {name}s at once, not {len(values):,}."]})


for _name, _words in CONDITION_FILTERS.items():
    ResultFilter.declared_filters[_name] = ResultFilter.base_filters[_name] = ChoicesFilter(
        field_name=_name,
        choices=list(_words.items()),
        method="filter_condition",
        label=LABELS[_name].lower(),
        help_text=f"{LABELS[_name].lower()}; matches only results that state it.",
    )
ResultFilter.base_filters["class"] = ChoicesFilter(
    field_name="device__device_class", choices=list(DEVICE_CLASSES.items()), label="device class"
)


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
