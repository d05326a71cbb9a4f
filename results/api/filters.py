"""What lists can be filtered by; the names are those of the pages' URLs."""

import django_filters
from django.db.models import Q, QuerySet
from rest_framework.exceptions import ValidationError

from results.api.known import HOW_TO_FIND, device_called, has_firmware
from results.core.limits import QUERY_LIMIT
from results.models import Device, Product, Result
from results.models.choices import DeviceClassChoice, Method, Plp, Segment
from results.models.result import ResultQuerySet

MOST_IDS = 50
_FIRMWARE_OF = "/api/v1/devices/{slug}/firmware/ has those of a device."


class DeviceFilter(django_filters.FilterSet):
    """Devices by class, or by a part of their name."""

    q = django_filters.CharFilter(
        method="filter_words", max_length=QUERY_LIMIT, label="words of the model name or vendor"
    )

    class Meta:
        model = Device
        fields: list[str] = []

    def filter_words(self, queryset: QuerySet[Device], name: str, value: str) -> QuerySet[Device]:  # noqa: ARG002
        for word in value.split():
            queryset = queryset.filter(searched__icontains=word)
        return queryset


DeviceFilter.base_filters["class"] = django_filters.ChoiceFilter(
    field_name="device_class", choices=DeviceClassChoice.choices, label="device class"
)


class ProductFilter(django_filters.FilterSet):
    """Products by class, segment, protection, or a part of their name."""

    segment = django_filters.ChoiceFilter(choices=Segment.choices)
    plp = django_filters.ChoiceFilter(choices=Plp.choices, label="power-loss protection")
    q = django_filters.CharFilter(
        method="filter_words", max_length=QUERY_LIMIT, label="words of the name or vendor"
    )

    class Meta:
        model = Product
        fields: list[str] = []

    def filter_words(self, queryset: QuerySet[Product], name: str, value: str) -> QuerySet[Product]:  # noqa: ARG002
        for word in value.split():
            queryset = queryset.filter(Q(name__icontains=word) | Q(vendor__name__icontains=word))
        return queryset


ProductFilter.base_filters["class"] = django_filters.ChoiceFilter(
    field_name="device_class", choices=DeviceClassChoice.choices, label="device class"
)


class ResultFilter(django_filters.FilterSet):
    """Results by id, device, firmware, method and class."""

    id = django_filters.CharFilter(method="filter_ids", label=f"up to {MOST_IDS} ids, with commas")
    device = django_filters.CharFilter(method="filter_device", label="a device's slug")
    firmware = django_filters.CharFilter(method="filter_firmware", label="a firmware version")
    method = django_filters.ChoiceFilter(choices=Method.choices)

    class Meta:
        model = Result
        fields: list[str] = []

    def filter_device(self, queryset: QuerySet[Result], name: str, value: str) -> QuerySet[Result]:
        device = device_called(value)
        if device is None:
            raise ValidationError({name: [f"There is no device “{value}”. {HOW_TO_FIND}"]})
        return queryset.filter(device=device)

    def filter_firmware(self, queryset: QuerySet[Result], name: str, value: str) -> QuerySet[Result]:
        slug = self.form.cleaned_data["device"]
        if not has_firmware(value, device=device_called(slug) if slug else None):
            raise ValidationError({name: [f"There is no firmware version “{value}”. {_FIRMWARE_OF}"]})
        return queryset.filter(firmware__version=value)

    def filter_ids(self, queryset: ResultQuerySet, name: str, value: str) -> ResultQuerySet:  # noqa: ARG002
        ids = value.split(",")
        if len(ids) > MOST_IDS:
            raise ValidationError({"id": [f"At most {MOST_IDS} ids at once, not {len(ids):,}."]})
        return queryset.named(ids)


ResultFilter.base_filters["class"] = django_filters.ChoiceFilter(
    field_name="device__device_class", choices=DeviceClassChoice.choices, label="device class"
)
