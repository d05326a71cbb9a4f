"""Devices: the list, and one with what was measured of it."""

from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.filters import DeviceFilter
from results.api.lists import DevicePagination, RowList
from results.api.rows import (
    DEVICE_FIELDS,
    RANKING_FIELDS,
    Row,
    absolute,
    device_record,
    ranking_record,
    spread_records,
)
from results.api.serializers import DeviceDetailSerializer, DeviceSerializer, ProblemSerializer
from results.models import Device, DeviceAlias, DeviceRanking, Firmware


class DeviceList(RowList):
    """Devices by model name."""

    queryset = Device.objects.order_by("model_name", "capacity_bytes", "id").values(*DEVICE_FIELDS)
    serializer_class = DeviceSerializer
    pagination_class = DevicePagination
    filterset_class = DeviceFilter

    @staticmethod
    def record(row: Row) -> Row:
        return device_record(row)


class DeviceDetail(APIView):
    """One device with its firmware versions and its row of the ranking a method; a merged spelling leads to it."""

    @extend_schema(responses={200: DeviceDetailSerializer, 301: None, 404: ProblemSerializer})
    def get(self, request: Request, slug: str) -> Response | HttpResponseBase:  # noqa: ARG002 - a view gets its request
        row = Device.objects.filter(slug=slug).values("id", *DEVICE_FIELDS).first()
        if row is None:
            own_slug = DeviceAlias.objects.filter(slug=slug).values_list("device__slug", flat=True).first()
            if own_slug is None:
                raise Http404
            return redirect("api-device", own_slug, permanent=True)
        rankings = DeviceRanking.objects.filter(device=row["id"]).order_by("method")
        versions = Firmware.objects.filter(device=row["id"]).order_by("version")
        curves = ("median_us", "lowest_us", "highest_us")
        return Response(
            {
                **device_record(row),
                "firmware_versions": list(versions.values_list("version", flat=True)),
                "rankings": [_with_points(one) for one in rankings.values(*RANKING_FIELDS, *curves)],
                "results_url": absolute(f"{reverse('api-results')}?device={slug}"),
            }
        )


def _with_points(row: Row) -> Row:
    points = spread_records(row["median_us"], row["lowest_us"], row["highest_us"])
    return {**ranking_record(row), "points": points}
