"""The tables of the exports: their columns, and where their rows are from."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as with_default
from datetime import date
from itertools import islice
from pathlib import Path

from results.api.records import DEVICE_FIELDS, DeviceRecord
from results.catalogue.api import product_records, product_rows
from results.catalogue.matching.match import patterns_of
from results.catalogue.product_facts import DEVICES, FACTS, expressions
from results.catalogue.records import (
    FACTS_OF_ROW,
    CaveatRecord,
    FactsRecord,
    LifeCycleRecord,
    ListedProductRecord,
    PriceSightingRecord,
    ProductClaimRecord,
)
from results.core.record import Record, Row, Url, field
from results.devices.api import FirmwareRecord, find_figures, firmware_rows
from results.exports.columns import (
    PAIR_SOURCE,
    PAIRS,
    POINT_SOURCE,
    POINTS,
    RESULT_SOURCE,
    ExportColumn,
    Former,
    columns_of,
    result_columns,
    select_cells,
    select_known,
    with_former,
)
from results.exports.files import copy_csv, copy_json_lines, write_csv, write_json_lines
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool_sets import FoundSet, find_sets
from results.kinds.series.models import SustainedSeries
from results.kinds.series.samples import Series, unpack
from results.models import Caveat, Claim, Device, LifeCycle, PriceSighting, Product
from results.models.choices import State
from results.models.fields import BLOCK_SIZES
from results.pools.api import PoolList, PoolRecord, pool_records

# Grows if a column goes, or changes its type or meaning: not if one is added, or renamed and kept as Former
SCHEMA_VERSION = 1
SERIES_AT_ONCE = 20  # of up to 100,000 samples
SETS_AT_ONCE = 50  # of up to 100 runs
ROWS_AT_ONCE = 500
_SINCE_1_0_0 = date(2027, 2, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTable:
    """A table, from a query (`source` is its FROM clause) or from records.

    `key` and `index` are columns for SQLite, where `view` is the query of one that other tables have the rows of.
    """

    name: str
    contents: str
    listed: Callable[[], Sequence[ExportColumn]]
    source: str = ""
    records: Callable[[], Iterable[Row]] = tuple
    formerly: Mapping[str, Former] = with_default(default_factory=dict)
    key: str = ""
    index: str = ""
    view: str = ""
    has_json_lines: bool = False  # also as a public file, of a query

    @property
    def columns(self) -> list[ExportColumn]:
        return with_former(self.listed(), self.formerly)

    def write_csv(self, path: Path) -> int:
        """Write the rows, safe for spreadsheets; return their number."""
        if self.source:
            return copy_csv(select_cells(self.columns, self.source), path)
        return write_csv(self.columns, self.records(), path)

    def write_json_lines(self, path: Path) -> int:
        """Write the rows without what isn't known, for `write_parquet` and `write_sqlite`; return their number."""
        if self.source:
            return copy_json_lines(select_known(self.columns, self.source), path)
        return write_json_lines(self.columns, self.records(), path)


class ExportedDeviceRecord(DeviceRecord):
    """A device with the facts of its product at its capacity."""

    result_count: int = field("published results, ranked or not")
    facts: FactsRecord = FACTS_OF_ROW


class ExportedProductRecord(ListedProductRecord):
    """A product with the names that people and shops use for it."""

    aliases: list[str] = field("other names for it", to=list)


class _OfProductRecord(Record):
    product: str = field("the slug of its product", "product.slug")


class ExportedPriceRecord(_OfProductRecord, PriceSightingRecord):
    """A price of a product."""

    price: float = field(source="price", to=float)


class ExportedClaimRecord(_OfProductRecord, ProductClaimRecord):
    """A claim for a product."""


class ExportedCaveatRecord(_OfProductRecord, CaveatRecord):
    """A known problem of a product."""


class ExportedLifeCycleRecord(_OfProductRecord, LifeCycleRecord):
    """A statement about the life of a product."""


class ExportedFirmwareRecord(FirmwareRecord):
    """A firmware version of a device."""

    device: str = field("the slug of the device", "device__slug")


class PatternRecord(Record):
    """A pattern of model names."""

    product: str = field("the slug of the product")
    pattern: str = field(
        "a Python regular expression: if it is found in the model name that a drive reports, the drive is of this "
        "product; if patterns of several products match, of none"
    )


class OemNameRecord(Record):
    """A name under which others sell a product."""

    product: str = field("the slug of the product")
    name: str = field("such as a system maker’s part number")
    source_url: Url = field("the address of a source, or empty", "url")


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    return iter(lambda: list(islice(rows, ROWS_AT_ONCE)), [])


def _devices() -> Iterator[Row]:
    facts = expressions(FACTS.values(), DEVICES)
    rows = Device.objects.shown().order_by("pk").values(*DEVICE_FIELDS, "result_count", **facts)
    return map(ExportedDeviceRecord.of, rows.iterator(ROWS_AT_ONCE))


def _products() -> Iterator[Row]:
    aliases = dict(Product.objects.values_list("slug", "aliases"))
    for rows in _batches(product_rows(Product.objects.order_by("slug")).iterator(ROWS_AT_ONCE)):
        for record in product_records(rows):
            yield {**record, "aliases": aliases[record["slug"]]}


def _stated(record: type[Record], table: type[PriceSighting | Claim | Caveat | LifeCycle]) -> Iterator[Row]:
    facts = table.objects.select_related("product").order_by("product__slug", "pk")
    return map(record.of, facts.iterator(ROWS_AT_ONCE))


def _firmware() -> Iterator[Row]:
    for found in _batches(firmware_rows().order_by("device_id", "version").iterator(ROWS_AT_ONCE)):
        figures = find_figures(found)
        for row in found:
            yield ExportedFirmwareRecord.of(row, figures=figures[row["device_id"], row["version"]])


def _pools() -> Iterator[Row]:
    for rows in _batches(PoolList.queryset.order_by("id").iterator(ROWS_AT_ONCE)):
        yield from pool_records(rows)


def _patterns() -> Iterator[Row]:
    for product in Product.objects.order_by("slug").iterator(ROWS_AT_ONCE):
        for pattern in patterns_of(product):
            yield {"product": product.slug, "pattern": pattern}


def _oem_names() -> Iterator[Row]:
    for product in Product.objects.order_by("slug").iterator(ROWS_AT_ONCE):
        for sold_as in product.oem_names:
            yield OemNameRecord.of(sold_as, product=product.slug)


SERIES = (
    ExportColumn("result", "", "text", "Public id of the result."),
    ExportColumn("quantity", "", "text", "iops, in 1/s, or latency, in microseconds."),
    ExportColumn("seconds", "", "real", "End of the sample, from the start of the series."),
    ExportColumn("value", "", "real", "Mean since the previous sample."),
)


def _series() -> Iterator[Row]:
    stored = SustainedSeries.objects.filter(result__submission__state=State.PUBLISHED).order_by("result_id")
    rows = stored.values_list("result__public_id", "iops", "latency")
    for public_id, iops, latency in rows.iterator(SERIES_AT_ONCE):
        for quantity, packed in (("iops", iops), ("latency", latency)):
            series = unpack(bytes(packed)) if packed else Series((), ())
            for time, value in zip(series.times, series.values, strict=True):
                sample = (public_id, quantity, round(time, 3), float(f"{value:.7g}"))
                yield dict(zip(("result", "quantity", "seconds", "value"), sample, strict=True))


SETS = (
    ExportColumn("set", "", "text", "Public id of the submission with these runs."),
    ExportColumn("workload", "", "text", "The workload, in words."),
    ExportColumn("metric", "", "text", "Key of the compared metric."),
    ExportColumn("threads", "", "integer", "Number of simultaneous writers."),
    ExportColumn("base", "", "text", "The baseline configuration: log device and sync mode."),
    ExportColumn("other", "", "text", "The configuration compared with it."),
    ExportColumn("ratio", "", "double", "How many times as good `other` is as `base`."),
    ExportColumn(
        "noise_factor",
        "",
        "double",
        "Nine in ten pairs of repeated runs differ by less; empty for single runs.",
    ),
    ExportColumn("differences", "", "text", "What else differs."),
    ExportColumn("not_stated", "", "text", "What one or both don’t state."),
    ExportColumn("a", "", "text", "Public id of the first result of the base."),
    ExportColumn("b", "", "text", "Public id of the first result of the other."),
)


def _sets() -> Iterator[Row]:
    ids = list(submissions_with_sets().values_list("pk", flat=True))
    for at in range(0, len(ids), SETS_AT_ONCE):
        for found in find_sets(ids[at : at + SETS_AT_ONCE]).values():
            yield from _ratios(found)


def _ratios(found: FoundSet) -> Iterator[Row]:
    for panel in found.runs.panels:
        for comparison in panel.comparisons:
            for ratio in comparison.ratios:
                noise = ratio.noise.factor
                yield {
                    "set": found.key,
                    "workload": panel.workload.name,
                    "metric": panel.metric.key,
                    "threads": ratio.base.subject.threads,
                    "base": comparison.base.label,
                    "other": comparison.other.label,
                    "ratio": float(f"{ratio.gain:.6g}"),
                    "noise_factor": None if noise is None else float(f"{noise:.6g}"),
                    "differences": ", ".join(map(str, ratio.conditions.differences)),
                    "not_stated": ", ".join(condition.label for condition in ratio.conditions.unknowns),
                    "a": ratio.base.subject.first.public_id,
                    "b": ratio.other.subject.first.public_id,
                }


def _points_view() -> str:
    """A query for the curves as rows, as in points.csv."""
    return " UNION ALL ".join(
        f"SELECT id AS result, device, method, origin, is_ranked, writers, {size} AS block_size, "  # noqa: S608
        f"latency_us_{size} AS latency_us, {size} / latency_us_{size} / 1.048576 * writers AS throughput_mib_s "
        f"FROM results WHERE latency_us_{size} IS NOT NULL"
        for size in BLOCK_SIZES
    )


def _from(record: type[Record], without: Collection[str] = ()) -> Callable[[], list[ExportColumn]]:
    return lambda: columns_of(record, without=without)


# Of a product's record, what has the name of another fact or is about a line what each capacity has its own of
_TWICE = (
    "url",
    "endurance_tbw",
    "facts.endurance_tbw",
    "facts.form_factors",
    "facts.launch_year",
    "endurance_dwpd",
)
TABLES = (
    ExportTable(
        name="results",
        contents="A row per result, with the curve as columns.",
        listed=result_columns,
        source=RESULT_SOURCE,
        formerly={
            "id": Former("result", _SINCE_1_0_0),
            "firmware_version": Former("firmware", _SINCE_1_0_0),
            "file_sync.layer": Former("file_sync__layer", _SINCE_1_0_0),
            "file_sync.rows": Former("file_sync__rows", _SINCE_1_0_0),
        },
        key="id",
        index="device",
        has_json_lines=True,
    ),
    ExportTable(
        name="points",
        contents="A row per point of a curve; a view in SQLite.",
        listed=lambda: POINTS,
        source=POINT_SOURCE,
        view=_points_view(),
    ),
    ExportTable(
        name="series",
        contents="A row per sample of a series of IOPS or latency.",
        listed=lambda: SERIES,
        records=_series,
        index="result",
    ),
    ExportTable(
        name="pairs",
        contents="A row per pair of results before and after a change.",
        listed=lambda: PAIRS,
        source=PAIR_SOURCE,
    ),
    ExportTable(
        name="sets",
        contents="A row per ratio of a comparison set of pools.",
        listed=lambda: SETS,
        records=_sets,
    ),
    ExportTable(
        name="devices",
        contents="A row per device, with facts about its product at its capacity, such as the latest price.",
        listed=_from(ExportedDeviceRecord, without=["url"]),
        records=_devices,
        formerly={"slug": Former("device", _SINCE_1_0_0)},
        key="slug",
    ),
    ExportTable(
        name="products",
        contents="A row per product of the catalogue, measured or not.",
        listed=_from(ExportedProductRecord, without=_TWICE),
        records=_products,
        key="slug",
    ),
    ExportTable(
        name="prices",
        contents="A row per price seen for a product.",
        listed=_from(ExportedPriceRecord),
        records=lambda: _stated(ExportedPriceRecord, PriceSighting),
        index="product",
    ),
    ExportTable(
        name="claims",
        contents="A row per figure or component that a source states for a product.",
        listed=_from(ExportedClaimRecord),
        records=lambda: _stated(ExportedClaimRecord, Claim),
        index="product",
    ),
    ExportTable(
        name="caveats",
        contents="A row per known problem of a product.",
        listed=_from(ExportedCaveatRecord),
        records=lambda: _stated(ExportedCaveatRecord, Caveat),
        index="product",
    ),
    ExportTable(
        name="life_cycle",
        contents="A row per statement about a product’s launch, end of sale or successor.",
        listed=_from(ExportedLifeCycleRecord),
        records=lambda: _stated(ExportedLifeCycleRecord, LifeCycle),
        index="product",
    ),
    ExportTable(
        name="firmware",
        contents="A row per firmware version of a device, with its figures.",
        listed=_from(ExportedFirmwareRecord),
        records=_firmware,
        index="device",
    ),
    ExportTable(
        name="pools",
        contents="A row per pool that results are about.",
        listed=_from(PoolRecord, without=["url", "results_url"]),
        records=_pools,
        key="id",
    ),
    ExportTable(
        name="model_patterns",
        contents="A row per pattern that matches a product’s model names.",
        listed=_from(PatternRecord),
        records=_patterns,
        index="product",
    ),
    ExportTable(
        name="oem_names",
        contents="A row per name under which others sell a product.",
        listed=_from(OemNameRecord),
        records=_oem_names,
        index="product",
    ),
)
