"""The comparison of devices in the API."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from results.api.errors import UnknownNameError
from results.api.rows import (
    DEVICE_FIELDS,
    RANKING_FIELDS,
    Row,
    device_record,
    ranking_record,
    rounded,
    spread_records,
)
from results.api.serializers import DeviceRankingSerializer, DeviceSerializer, values_of
from results.api.views import Endpoint
from results.compare.figures import FigureRow, metric_rows, point_rows
from results.compare.query import (
    Compared,
    UnknownDevicesError,
    compare_devices,
    find_differences,
    has_one_method,
    resolve_devices,
)
from results.core.links import MOST_COMPARED
from results.models.choices import Method

FEWEST_DEVICES = 2
_DEVICES_SCHEMA = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    "minItems": FEWEST_DEVICES,
    "maxItems": MOST_COMPARED,
    "uniqueItems": True,
}


class ConditionsOfDeviceSerializer(serializers.Serializer):
    """The conditions that a device's ranked runs state, each value once."""

    systems = serializers.ListField(child=serializers.CharField())
    write_cache = serializers.ListField(child=serializers.ChoiceField(choices=["enabled", "disabled"]))
    controllers = serializers.ListField(child=serializers.CharField(), help_text="drivers, such as mps")
    hbas = serializers.ListField(child=serializers.CharField(), help_text="according to owners")
    firmware_versions = serializers.ListField(child=serializers.CharField())
    sync_methods = serializers.ListField(child=serializers.CharField(), help_text="of fio")
    data_contents = serializers.ListField(child=serializers.CharField(), help_text="what fio wrote, in words")
    patterns = serializers.ListField(
        child=serializers.CharField(), help_text="the order of fio's writes, in words"
    )
    page_caches = serializers.ListField(
        child=serializers.CharField(), help_text="whether fio bypassed the page cache, in words"
    )


class ComparedDeviceSerializer(DeviceSerializer):
    """A device with its ranking and conditions; ranking is null if unranked."""

    ranking = DeviceRankingSerializer(allow_null=True)
    conditions = ConditionsOfDeviceSerializer()


class ComparedFigureSerializer(serializers.Serializer):
    """One figure of all devices, in their order."""

    key = serializers.CharField()
    unit = serializers.CharField()
    block_size = serializers.IntegerField(
        allow_null=True, help_text="bytes; null for figures that sum the device up"
    )
    is_lower_better = serializers.BooleanField()
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    marks = serializers.ListField(
        child=serializers.ChoiceField(choices=["best", "tie", ""]),
        help_text="best: ahead by more than the intervals; tie: shares the lead",
    )
    times = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="multiples of the baseline's value; empty without a baseline",
    )


class DifferenceSerializer(serializers.Serializer):
    """A condition in which the runs differ, and what they state by slug."""

    condition = serializers.CharField()
    stated = serializers.DictField(child=serializers.CharField(allow_blank=True))


class ComparisonSerializer(serializers.Serializer):
    """Two to six devices side by side."""

    devices = ComparedDeviceSerializer(many=True)
    baseline = serializers.CharField(allow_null=True)
    is_one_method = serializers.BooleanField(
        help_text="whether one method measured all; between two, only what exceeds the factor between them is marked"
    )
    differences = DifferenceSerializer(many=True)
    figures = ComparedFigureSerializer(many=True)


class Comparison(Endpoint):
    """Two to six devices side by side: figures, leaders, ties, different conditions."""

    parameters = ("devices", "method", "baseline")
    record = ComparisonSerializer

    def plural_parameters(self) -> set[str]:
        return {*super().plural_parameters(), "devices"}

    @extend_schema(
        operation_id="compare",
        parameters=[
            OpenApiParameter(
                "devices",
                _DEVICES_SCHEMA,
                required=True,
                style="form",
                explode=False,
                description="two to six different slugs, separated by commas; 404 for an unknown one",
            ),
            OpenApiParameter(
                "method",
                str,
                enum=Method.values,
                description="if left out, the one each device was measured with",
            ),
            OpenApiParameter(
                "baseline",
                str,
                description="the device whose values the others are shown as multiples of; 404 for another",
            ),
        ],
        responses=ComparisonSerializer,
    )
    def get(self, request: Request) -> HttpResponse:
        slugs = _slugs(values_of(request.query_params, "devices"))
        method = request.query_params.get("method", "")
        if method and method not in Method.values:
            raise ValidationError({"method": [f"“{method}” is not one of: {', '.join(Method.values)}."]})
        baseline = request.query_params.get("baseline", "")
        if baseline and baseline not in slugs:
            raise UnknownNameError({"baseline": [f"“{baseline}” is not among the devices."]})
        try:
            compared = compare_devices(slugs, method=method)
        except UnknownDevicesError as error:
            raise _unknown(error.resolved.unknown) from error
        figures = [*metric_rows(compared, baseline=baseline), *point_rows(compared, baseline=baseline)]
        return self.answer(
            {
                "devices": [_device(one) for one in compared],
                "baseline": baseline or None,
                "is_one_method": has_one_method(compared),
                "differences": [
                    {"condition": one.condition, "stated": dict(one.stated)}
                    for one in find_differences(compared)
                ],
                "figures": [_figure(row) for row in figures],
            }
        )


def _slugs(query: Sequence[str]) -> Sequence[str]:
    """The devices' current slugs.

    Raises ValidationError for too few, too many or repeated ones, UnknownNameError for unknown ones.
    """
    if len(set(query)) < len(query) or not FEWEST_DEVICES <= len(query) <= MOST_COMPARED:
        message = f"Name {FEWEST_DEVICES} to {MOST_COMPARED} different devices, separated by commas."
        raise ValidationError({"devices": [message]})
    resolved = resolve_devices(query)
    if resolved.unknown:
        raise _unknown(resolved.unknown)
    return resolved.slugs


def _unknown(slugs: Sequence[str]) -> UnknownNameError:
    return UnknownNameError({"devices": [f"There is no device “{slug}”." for slug in slugs]})


def _device(one: Compared) -> Row:
    product = one.device.product
    row: dict[str, Any] = {name: getattr(one.device, name, None) for name in DEVICE_FIELDS}
    row |= {
        "product__slug": product and product.slug,
        "product__plp": product and product.plp,
        "product__vendor__name": product and product.vendor.name,
    }
    conditions = one.conditions
    return {
        **device_record(row),
        "ranking": _ranking(one),
        "conditions": {
            "systems": conditions.systems,
            "write_cache": conditions.write_cache,
            "controllers": conditions.controllers,
            "hbas": conditions.hbas,
            "firmware_versions": conditions.firmware_versions,
            "sync_methods": conditions.sync_methods,
            "data_contents": conditions.data_contents,
            "patterns": conditions.patterns,
            "page_caches": conditions.page_caches,
        },
    }


def _ranking(one: Compared) -> Row | None:
    ranking = one.ranking
    if ranking is None:
        return None
    points = spread_records(ranking.median_us, ranking.lowest_us, ranking.highest_us)
    return {**ranking_record({name: getattr(ranking, name) for name in RANKING_FIELDS}), "points": points}


def _figure(row: FigureRow) -> Row:
    return {
        "key": row.key,
        "unit": row.unit,
        "block_size": row.block_size,
        "is_lower_better": row.is_lower_better,
        "values": [rounded(value) for value in row.values],
        "marks": row.marks,
        "times": [rounded(value) for value in row.times],
    }
