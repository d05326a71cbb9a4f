"""The API's devices in the order of a mix of block sizes."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.advice.mix import EXAMPLE, LONGEST, MixError, parse_mix
from results.api.filters import ChoicesFilter
from results.api.lists import RowList
from results.api.records import DEVICE_FIELDS, DeviceRecord, device_of, rounded
from results.catalogue.facets import filter_by_facets
from results.catalogue.product_facts import RANKINGS
from results.core.record import Record, Row, field
from results.leaderboard.query import rank_by_mix
from results.leaderboard.workload import OPTIONS, mix_latencies
from results.models import DeviceRanking
from results.models.device import for_device

_FIELDS = ("mix_us", "method", "median_us", "unit_count", *for_device(*DEVICE_FIELDS))


class SizeLatencyRecord(Record):
    """The latency at one of the mix's sizes."""

    block_size: int = field("in bytes")
    latency_us: float = field("the median over the device's units, in µs")


class WorkloadRowRecord(Record):
    """A device with the mean latency of a write of the mix: the reader's order, not a place of the ranking."""

    position: int = field("in this order")
    mix_us: float = field("the mean of the latencies, weighted by the mix, in µs", to=rounded)
    latencies: list[SizeLatencyRecord] = field("of the sizes with a weight")
    method: str = field("of the device's main row on the board `zil`")
    unit_count: int = field("measured units")
    device: DeviceRecord = field("the device that was measured", device_of, to=dict)


class WorkloadFilter(FilterSet):
    """Which devices are put in order."""

    plp = ChoiceFilter(
        choices=list(OPTIONS["plp"].items()), method="filter_facet", label="only protected devices"
    )

    def filter_facet(self, queryset: QuerySet, name: str, value: str) -> QuerySet:
        return filter_by_facets(queryset, {name: [value]}, RANKINGS)


WorkloadFilter.base_filters["class"] = ChoicesFilter(
    field_name="device_class", choices=list(OPTIONS["class"].items()), label="device class"
)


class Workload(RowList):
    """Devices of the board `zil` by the mean latency of a write of a mix of block sizes."""

    queryset = DeviceRanking.objects.none()
    record = WorkloadRowRecord
    operation_id = "workload"
    query = (
        OpenApiParameter(
            "mix",
            {"type": "string", "minLength": 1, "maxLength": LONGEST},
            required=True,
            description=f"sizes of 4k to 128k with their weights, like {EXAMPLE}",
        ),
    )
    filterset_class = WorkloadFilter
    ordering_fields = {"mix_us": "mix_us"}

    def get_queryset(self) -> QuerySet:
        try:
            self._weights = parse_mix(self.request.query_params.get("mix", ""))
        except MixError as error:
            raise ValidationError({"mix": [str(error)]}) from None
        return rank_by_mix(self._weights)

    def details(self, found: QuerySet) -> QuerySet:
        return found.values(*_FIELDS)

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return [
            WorkloadRowRecord.of(
                row,
                position=position,
                latencies=[
                    {"block_size": size, "latency_us": latency_us}
                    for size, latency_us in mix_latencies(row, self._weights)
                ],
            )
            for position, row in enumerate(page, start=self.start)
        ]
