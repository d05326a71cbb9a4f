"""What lists can be filtered by; the names are those of the pages' URLs."""

import django_filters
from django.db.models import Q, QuerySet

from results.models import Device, Result
from results.models.choices import DeviceClassChoice, Method


class DeviceFilter(django_filters.FilterSet):
    """Devices by class, or by a part of their name."""

    q = django_filters.CharFilter(method="filter_words", label="words of the model name or vendor")

    class Meta:
        model = Device
        fields: list[str] = []

    def filter_words(self, queryset: QuerySet[Device], name: str, value: str) -> QuerySet[Device]:  # noqa: ARG002
        for word in value.split():
            queryset = queryset.filter(Q(model_name__icontains=word) | Q(vendor__icontains=word))
        return queryset


DeviceFilter.base_filters["class"] = django_filters.ChoiceFilter(
    field_name="device_class", choices=DeviceClassChoice.choices, label="device class"
)


class ResultFilter(django_filters.FilterSet):
    """Results by device, firmware, method and class."""

    device = django_filters.CharFilter(field_name="device__slug", label="a device's slug")
    firmware = django_filters.CharFilter(field_name="firmware__version", label="a firmware version")
    method = django_filters.ChoiceFilter(choices=Method.choices)

    class Meta:
        model = Result
        fields: list[str] = []


ResultFilter.base_filters["class"] = django_filters.ChoiceFilter(
    field_name="device__device_class", choices=DeviceClassChoice.choices, label="device class"
)
