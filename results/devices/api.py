"""Devices: the list, one device with its measurements, and a comparison of its firmware versions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from results.api.filters import HOW_TO_FIND, PUBLISHED_FIRMWARE, DeviceFilter, slug_of_alias
from results.api.lists import RowList
from results.api.paging import ByChangeOrPage
from results.api.records import (
    CURVE_FIELDS,
    DEVICE_FIELDS,
    DeviceRankingRecord,
    DeviceRecord,
    ListedDeviceRecord,
    RecommendedRecord,
    recommendation_of,
    rounded,
)
from results.api.views import Endpoint
from results.core.addresses import address, full_url, with_query
from results.core.record import Record, Row, Url, field
from results.devices.firmware import firmware_figures
from results.models import Device, DeviceRanking, Firmware
from results.models.choices import Board, Method, State
from results.ranking.leaders import find_recommended
from results.ranking.recommend import recommended_devices

_PUBLISHED_RESULTS = Count("results", filter=Q(results__submission__state=State.PUBLISHED))


class DeviceDetailRecord(ListedDeviceRecord):
    """A device with its rankings and firmware versions."""

    firmware_versions: list[str] = field("the versions of its firmware")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    is_first_choice: bool = field("whether it is the recommendation of its class")
    rankings: list[DeviceRankingRecord] = field("its row for each board and method, main rows first")
    results_url: Url = field("the address of its results in the API")


class FirmwareFigureRecord(Record):
    """The ranked results of one firmware version by one method."""

    method: Method = field("how it was measured")
    unit_count: int = field("the number of measured units that ran this version")
    latency_us: float = field("4 KiB latency: the median over the units, in µs", to=rounded)
    low_us: float = field("lower end of the interval, in µs", "interval.low", to=rounded)
    high_us: float = field("upper end of the interval, in µs", "interval.high", to=rounded)


class FirmwareRecord(Record):
    """A firmware version of a device."""

    version: str = field("as the device reports it")
    result_count: int = field("published results, ranked or not")
    figures: list[FirmwareFigureRecord] = field("the figures")


class DeviceList(RowList):
    """Devices by model name."""

    queryset = (
        Device.objects.shown()
        .annotate(
            is_recommended=recommended_devices(), shown_vendor=Coalesce("product__vendor__name", "vendor")
        )
        .order_by("model_name", "capacity_bytes", "id")
        .values(*DEVICE_FIELDS, "changed_at", "is_recommended", "id")
    )
    record = ListedDeviceRecord
    filterset_class = DeviceFilter
    pagination_class = ByChangeOrPage
    resource = "devices"
    ordering_fields = {
        **{name: name for name in ("slug", "model_name", "capacity_bytes", "device_class", "changed_at")},
        "vendor": "shown_vendor",
        "product": "product__slug",
        "plp": "product__plp",
        "is_recommended": "is_recommended",
    }


class DeviceDetail(Endpoint):
    """One device with its firmware versions and its ranking by each method; merged spellings redirect to it."""

    record = DeviceDetailRecord

    @extend_schema(operation_id="device", responses={200: DeviceDetailRecord, 301: None})
    def get(self, request: Request, slug: str) -> HttpResponse:  # noqa: ARG002 - a view gets its request
        device = Device.objects.shown().filter(slug=slug).values("pk", "changed_at", *DEVICE_FIELDS).first()
        if device is None:
            return redirect("api-device", merged_slug(slug), permanent=True)
        versions = Firmware.objects.filter(PUBLISHED_FIRMWARE, device=device["pk"]).order_by("version")
        rankings = (
            DeviceRanking.objects.filter(device=device["pk"])
            .order_by("board", "-is_main")
            .values(*CURVE_FIELDS)
        )
        record = {
            **DeviceRecord.of(device),
            "changed_at": device["changed_at"],
            "id": device["pk"],
            **recommendation_of(find_recommended([device["pk"]]).get(device["pk"])),
            "firmware_versions": list(versions.values_list("version", flat=True)),
            "rankings": DeviceRankingRecord.all_of(rankings),
            "results_url": full_url(with_query(address("api-results"), device=slug)),
        }
        return self.answer(record)


class DeviceFirmware(RowList):
    """The firmware versions of a device, with figures from the ranked results of each."""

    queryset = Firmware.objects.none()
    record = FirmwareRecord
    ordering_fields = {"version": "version", "result_count": "result_count"}

    @extend_schema(operation_id="device_firmware")
    def get(self, request: Request, slug: str) -> Any:
        device = Device.objects.shown().filter(slug=slug).values_list("pk", flat=True).first()
        if device is None:
            return redirect("api-device-firmware", merged_slug(slug), permanent=True)
        self._device = device
        return super().get(request, slug)

    def get_queryset(self) -> QuerySet:
        return firmware_rows().filter(device=self._device).order_by("version")

    def rows(self, page: Sequence[Row]) -> list[Row]:
        figures = find_figures(page)
        return [FirmwareRecord.of(row, figures=figures[row["device_id"], row["version"]]) for row in page]


def firmware_rows() -> QuerySet[Firmware, Any]:
    """The versions with published results."""
    counted = Firmware.objects.annotate(result_count=_PUBLISHED_RESULTS).filter(result_count__gt=0)
    return counted.values("device_id", "device__slug", "version", "result_count")


def find_figures(rows: Sequence[Row]) -> Mapping[tuple[int, str], list[Row]]:
    """The figures of rows of firmware_rows, by device and version. One query."""
    figures: defaultdict[tuple[int, str], list[Row]] = defaultdict(list)
    devices = {row["device_id"] for row in rows}
    rankings = DeviceRanking.objects.filter(device__in=devices, board=Board.SYNC_WRITE)
    for ranking in rankings.order_by("device", "method"):
        for figure in firmware_figures(ranking):
            figures[ranking.device_id, figure.version].append(
                FirmwareFigureRecord.of(figure, method=ranking.method)
            )
    return figures


def merged_slug(slug: str) -> str:
    """The slug of the device that this spelling was merged into; raises Http404."""
    found = slug_of_alias(slug)
    if found is None:
        raise Http404(f"There is no device “{slug}”. {HOW_TO_FIND}")
    return found
