"""The comparison of devices in the API."""

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.api.errors import UnknownNameError
from results.api.parameters import values_of
from results.api.records import FOUND_TYPES, DeviceRankingRecord, DeviceRecord, rounded
from results.api.views import ReadEndpoint
from results.compare.devices.figures import metric_rows, point_rows
from results.compare.devices.names import MAX_NAME_LENGTH, Meanings, describe_unknown, resolve_names
from results.compare.devices.query import (
    SPEED_CLAIMS,
    ComparedDevice,
    UnknownDevicesError,
    compare_devices,
    find_differences,
    has_one_method,
)
from results.core.addresses import MAX_COMPARED, full_url
from results.core.forms import quoted
from results.core.record import Record, Row, Url, field
from results.kinds.series.figures import load_in_words
from results.models.choices import Method, StatedBy

MIN_DEVICES = 2
MAX_NAMED = 5  # of what a name may mean
_DEVICES_SCHEMA = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH, "pattern": "^[^\\x00,]+$"},
    "minItems": MIN_DEVICES,
    "maxItems": MAX_COMPARED,
    "uniqueItems": True,
}


class ConditionsOfDeviceRecord(Record):
    """The conditions that a device's ranked runs state, each value once."""

    systems: list[str] = field("the operating systems, each once")
    write_cache: list[str] = field("the states of the write cache", choices=["enabled", "disabled"])
    controllers: list[str] = field("drivers, such as mps")
    hbas: list[str] = field("according to owners")
    firmware_versions: list[str] = field("the versions of its firmware")
    sync_methods: list[str] = field("of fio")
    data_contents: list[str] = field("what fio wrote, in words")
    patterns: list[str] = field("the order of fio's writes, in words")
    page_caches: list[str] = field("whether fio bypassed the page cache, in words")


class UnrankedRecord(Record):
    """Results of a device that aren't ranked, by one method, through one layer and for one reason."""

    method: str = field("how it was measured")
    layer: str | None = field("such as ext4; null for the device itself")
    writers: int | None = field("null for a single one")
    reason: str = field("why it isn't ranked")
    latency_us: float | None = field("µs: the median of their sync writes", to=rounded)
    result_count: int = field("its results")
    newest: str = field("the id of the newest one")


class SustainedFigureRecord(Record):
    """What it sustains, by its newest result; never ranked beside others that were written in another way."""

    iops: float = field("writes per second", lambda row: row["metrics"]["sustained_iops"])
    load: str = field("how it was written, in words; empty if not stated", load_in_words)
    result: str = field("the id of the result", "public_id")


class SpeedClaimRecord(Record):
    """What a maker or reviewer states, which isn't measured."""

    quantity: str = field(
        "the quantity that is stated", choices=[(quantity.value, quantity.label) for quantity in SPEED_CLAIMS]
    )
    capacity_bytes: int | None = field("bytes; null for the entire line")
    value: float = field("the figure", to=float)
    is_below: bool = field("stated as less than the value")
    unit: str = field("of the value")
    stated_by: StatedBy = field("who states it")
    source_url: Url = field("of the source")


class ComparedDeviceRecord(DeviceRecord):
    """A device with its ranking and conditions; ranking is null if unranked.

    A product of which no device has been measured is an entry with its own slug, name and address.
    """

    type: str = field(
        "product: nobody has measured it",
        lambda drive: "product" if drive.is_product else "device",
        choices=FOUND_TYPES,
    )
    unranked: list[UnrankedRecord] = field(
        "through a file system; also on the device itself if it has no ranked result"
    )
    sustained: SustainedFigureRecord | None = field("sustained writes; null without any")
    claims: list[SpeedClaimRecord] = field("what sources state, by quantity; never ranked")
    ranking: DeviceRankingRecord | None = field(
        "its row of the ranking; null if it has no ranked result",
        lambda drive: drive.ranking and vars(drive.ranking),
    )
    conditions: ConditionsOfDeviceRecord = field("the conditions under which it was measured")


def _all_rounded(values: Sequence[float | None]) -> list[float | None]:
    return [rounded(value) for value in values]


class ComparedFigureRecord(Record):
    """One figure of all devices, in their order."""

    key: str = field("its key", "figure.key")
    unit: str = field("empty for plain numbers", "figure.unit")
    block_size: int | None = field("bytes; null for figures that sum the device up", "figure.block_size")
    is_lower_better: bool = field("the lowest value is the best", "figure.is_lower_better")
    values: list[float | None] = field(
        "of each device, in their order; null where it wasn't measured", to=_all_rounded
    )
    marks: list[str | None] = field(
        "best: ahead by more than the intervals; tie: shares the lead; null: neither",
        to=lambda marks: [mark or None for mark in marks],
        choices=["best", "tie"],
    )
    times: list[float | None] = field(
        "multiples of the baseline's value; empty without a baseline", to=_all_rounded
    )


class DifferenceRecord(Record):
    """A condition in which the runs differ, and what they state by slug."""

    condition: str = field("the condition in which the runs differ")
    stated: dict[str, str | None] = field(
        "what each device's runs state, by slug; null if nothing",
        to=lambda stated: {slug: text or None for slug, text in stated.items()},
    )


class ComparisonRecord(Record):
    """Two to six devices side by side."""

    devices: list[ComparedDeviceRecord] = field("the devices")
    baseline: str | None = field("the slug of the device that others are compared with, or null")
    is_one_method: bool = field(
        "whether one method measured all; between two, only what exceeds the factor between them is marked"
    )
    differences: list[DifferenceRecord] = field("the conditions in which the runs differ")
    figures: list[ComparedFigureRecord] = field("the figures")


class Comparison(ReadEndpoint):
    """Two to six devices side by side: figures, leaders, ties, different conditions."""

    operation_id = "compare"
    query = (
        OpenApiParameter(
            "devices",
            _DEVICES_SCHEMA,
            required=True,
            style="form",
            explode=False,
            description="two to six different slugs or names of devices or products, separated by commas; of a "
            "product the device with most units; 404 for an unknown one, with similar names",
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
    )
    record = ComparisonRecord

    def find(self) -> Row:
        given = self.request.query_params
        slugs = _slugs(values_of(given, "devices"))
        method = given.get("method", "")
        if method and method not in Method.values:
            raise ValidationError({"method": [f"“{method}” is not one of: {', '.join(Method.values)}."]})
        baseline = given.get("baseline", "")
        if baseline and baseline not in slugs:
            raise UnknownNameError({"baseline": [f"{quoted(baseline)} is not among the devices."]})
        try:
            compared = compare_devices(slugs, method=method)
        except UnknownDevicesError as error:
            raise _unknown(dict.fromkeys(error.resolved.unknown, Meanings(()))) from error
        figures = [*metric_rows(compared, baseline=baseline), *point_rows(compared, baseline=baseline)]
        return {
            "devices": [_device(drive) for drive in compared],
            "baseline": baseline or None,
            "is_one_method": has_one_method(compared),
            "differences": DifferenceRecord.all_of(find_differences(compared)),
            "figures": ComparedFigureRecord.all_of(figures),
        }


def _slugs(query: Sequence[str]) -> Sequence[str]:
    """The current slugs of devices and products.

    Raises ValidationError for too few, too many or repeated ones, UnknownNameError for unknown ones.
    """
    if len(set(query)) < len(query) or not MIN_DEVICES <= len(query) <= MAX_COMPARED:
        message = f"Name {MIN_DEVICES} to {MAX_COMPARED} different devices, separated by commas."
        raise ValidationError({"devices": [message]})
    resolved = resolve_names(query)
    if resolved.unknown:
        raise _unknown(resolved.unknown)
    return resolved.slugs


def _unknown(names: Mapping[str, Meanings]) -> UnknownNameError:
    return UnknownNameError({"devices": [_unknown_name(name, meanings) for name, meanings in names.items()]})


def _unknown_name(name: str, meanings: Meanings) -> str:
    choices = ", ".join(
        f"{candidate.slug} ({candidate.name})" for candidate in meanings.candidates[:MAX_NAMED]
    )
    if choices and not meanings.is_similar:
        return f"{quoted(name)} may be: {choices}."
    return f"{describe_unknown([name])} Similar: {choices}." if choices else describe_unknown([name])


def _device(drive: ComparedDevice) -> Row:
    product = drive.device.product
    row = {
        **vars(drive.device),
        "product__slug": product and product.slug,
        "product__plp": product and product.plp,
        "product__plp_statements": product and product.plp_statements,
        "product__vendor__name": product and product.vendor.name,
        "product__name": product and product.name,
    }
    named = {"url": full_url(drive.path), "display_name": drive.name}
    return ComparedDeviceRecord.of(drive, **{**DeviceRecord.of(row), **named})
