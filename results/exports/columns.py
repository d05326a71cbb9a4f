"""Contents of the exports: the columns of their tables with their meanings, and the queries that fill them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.db import connection
from django.db.models import (
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    DecimalField,
    Field,
    FloatField,
    IntegerField,
    JSONField,
    Model,
    QuerySet,
    TextField,
)
from django.db.models.expressions import BaseExpression

from results.catalogue.product_facts import DEVICES, DIGITS, FACTS, FactField, expressions, fact_fields
from results.core.described import meanings_of
from results.core.formats import FORMULA, JSON_SEMICOLON
from results.kinds.latency_curve.kind import LATENCY_CURVE
from results.kinds.latency_curve.tables import TAIL_FIGURES
from results.kinds.registry import KINDS, all_metrics
from results.models import Device, Result, ResultPair, Submission
from results.models.choices import DEVICE_CLASSES, Change, Origin, SubjectKind
from results.models.conditions import WEAR_CONDITIONS, WRITE_CONDITIONS
from results.models.fields import BLOCK_SIZES

Kind = Literal["text", "integer", "real", "double", "boolean", "date", "datetime", "json"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in every format, its SQL expression, its kind and its meaning."""

    name: str
    sql: str
    kind: Kind
    meaning: str


ORIGIN = Column(
    "origin",
    "CASE WHEN submission.survey_id IS NULL THEN 'submitted_here' ELSE 'published_elsewhere' END",
    "text",
    f"{' or '.join(Origin.values)}.",
)


def _kind_sql() -> str:
    """An expression for the key of the kind that a result's method belongs to."""
    cases = (
        f"WHEN result.measured_by = '{method}' THEN '{kind.key}'"
        for kind in KINDS.values()
        for method in kind.methods
    )
    return f"CASE {' '.join(cases)} END"


_KINDS: dict[type[Any], Kind] = {
    JSONField: "json",
    CharField: "text",
    TextField: "text",
    FloatField: "real",
    BooleanField: "boolean",
    IntegerField: "integer",
    DecimalField: "integer",
    DateTimeField: "datetime",
    DateField: "date",
}


def _kind_of_field(table: type[Model], name: str) -> Kind:
    field: Any = table._meta.get_field(name)
    stored = getattr(field, "output_field", field)  # of a generated one
    return next(kind for of, kind in _KINDS.items() if isinstance(stored, of))


def _column(table: type[Model], name: str) -> str:
    """The column of a field: results have one of their field's name that is 1.0.0's."""
    field = table._meta.get_field(name)
    return field.column or name if isinstance(field, Field) else name


def _stored(table: type[Model], meanings: Mapping[str, str]) -> list[Column]:
    """Columns of a table that are exported as they are; in the queries it is named as its model."""
    return [
        Column(name, f"{table._meta.model_name}.{_column(table, name)}", _kind_of_field(table, name), meaning)
        for name, meaning in meanings.items()
    ]


def _described(table: type[Model], names: Iterable[str]) -> list[Column]:
    """Like _stored, with meanings from the table's help texts and the allowed values of choices."""
    meanings = meanings_of(table)
    for name in meanings:
        field: Any = table._meta.get_field(name)
        if values := [value for value, _ in field.flatchoices if isinstance(value, str)]:
            meanings[name] += f" One of {', '.join(values)}."
    return _stored(table, {name: meanings[name] for name in names})


def _tails_sql() -> str:
    """An expression for the percentiles of a curve as a list of objects, as in the API; null for other kinds."""
    figures = ", ".join(f"'{name}', part.value -> {place}" for place, name in enumerate(TAIL_FIGURES))
    methods = ", ".join(f"'{method}'" for method in LATENCY_CURVE.methods)
    rows = (
        f"SELECT json_agg(json_build_object('block_size', size.key::int, 'part', part.key, {figures}) "  # noqa: S608 - contains no user input
        "ORDER BY size.key::int, part.key DESC) "  # the write before its flush
        "FROM jsonb_each(result.tails) size, jsonb_each(size.value) part"
    )
    return f"CASE WHEN result.measured_by IN ({methods}) THEN coalesce(({rows}), '[]'::json) END"


_SLUG = "Slug of the device: /devices/<slug>/."
_OF_DEVICE = (
    *_stored(
        Device,
        {
            "model_name": "As reported by the device.",
            "capacity_bytes": "Bytes; empty if not stated.",
            "device_class": f"{', '.join(DEVICE_CLASSES)}.",
        },
    ),
    Column(
        "vendor",
        "coalesce(vendor.name, device.vendor)",
        "text",
        "The product's vendor, else as read from the text.",
    ),
    Column("product", "product.slug", "text", "Slug of the product in the catalogue; empty if none matches."),
    Column(
        "plp",
        "CASE WHEN device.id IS NOT NULL THEN coalesce(product.plp, 'unknown') END",
        "text",
        "Power-loss protection of the product, with its evidence on the product page.",
    ),
)
_COUNTS = _stored(
    Device,
    {
        "result_count": "Number of published results, ranked or not.",
        "elsewhere_count": "Number of results that were published elsewhere.",
    },
)
_BEFORE = (
    Column("id", "result.public_id", "text", "Public id: /results/<id>/."),
    Column("submission", "submission.public_id", "text", "Public id of the paste that contains it."),
    Column(
        "subject",
        "CASE WHEN result.pool_id IS NULL THEN 'device' ELSE 'pool' END",
        "text",
        f"What it is about: {' or '.join(SubjectKind.values)}. Columns about the other one are empty.",
    ),
    Column("pool", "pool.public_id", "text", "Public id of the pool: /pools/<id>/."),
    Column(
        "pool_layout", "pool.layout", "json", "Its top-level vdevs: role, type, members; [] if not stated."
    ),
    Column("pool_properties", "pool.properties", "json", "Of its datasets, as zfs prints them."),
    Column("device", "device.slug", "text", _SLUG),
    *_OF_DEVICE,
    Column("firmware_version", "firmware.version", "text", "Empty if not stated."),
    Column(
        "unit",
        "CASE WHEN result.has_unit THEN encode(substr(result.ranking_unit, 1, 8), 'hex') ELSE '' END",
        "text",
        "The same for all results of one unit; empty if unknown.",
    ),
    *_stored(
        Result,
        {
            "method": "How it was measured; a figure never mixes methods.",
            "measured_on": "According to the text or its sender; empty if unknown.",
        },
    ),
    Column(
        "submitted_at",
        "CASE WHEN submission.survey_id IS NULL THEN submission.created_at END",
        "datetime",
        "When it was submitted here (UTC); empty for a result that was published elsewhere.",
    ),
    *_stored(Submission, {"posted_on": "The day it was published or posted elsewhere."}),
    *_stored(Result, {"is_ranked": "Whether it is ranked.", "not_ranked_reason": "Why not."}),
)
_AFTER = (
    *(
        Column(
            f"latency_us_{size}",
            f"result.latency_us[{slot}]",
            "real",
            f"Microseconds per write of {size} bytes.",
        )
        for slot, size in enumerate(BLOCK_SIZES, start=1)
    ),
    *(
        replace(column, name=f"{kind.key}.{column.name}", sql=f"{kind.key}.{column.name}")
        for kind in KINDS.values()
        if kind.table
        for column in _described(
            kind.table, (name for name in kind.columns if name in meanings_of(kind.table))
        )
    ),
    *_described(Result, ("platform", "attachment", *WRITE_CONDITIONS)),
    Column(
        "writers",
        "coalesce(result.writers, 1)",
        "integer",
        "How many wrote at the same time; each of them waits for the latency.",
    ),
    Column(
        "latency_curve.tails",
        _tails_sql(),
        "json",
        "fio's p99, p99.9, p99.99 and max in µs by block size, of write and flush.",
    ),
    *_described(Result, ("sector_size", "power_on_hours")),
    Column(
        "percentage_used",
        "CASE WHEN result.wear_source IS NULL THEN result.wear_percent END",
        "integer",
        "Percentage of the rated endurance used, as stated by a tool.",
    ),
    *_described(Result, (name for name in WEAR_CONDITIONS if name != "power_on_hours")),
    *_stored(
        Result, {"flags": "Doubts about the run: code, effect, message.", "notes": "Written by the owner."}
    ),
    *_stored(Submission, {"note": "The sender's note about the submission, for all its results."}),
    ORIGIN,
    *_stored(
        Submission,
        {
            "source_url": "Where it was published before.",
            "figure": "What the source of a published result states.",
        },
    ),
    *_stored(Result, {"parser_version": "Version of the parsers that read it."}),
)
POINTS = (
    Column("result", "result.public_id", "text", "Public id of the result."),
    Column("device", "device.slug", "text", "Slug of the device."),
    Column("method", "result.measured_by", "text", "diskinfo or fio."),
    ORIGIN,
    Column("is_ranked", "result.is_ranked", "boolean", "Whether the result is ranked."),
    Column("writers", "coalesce(result.writers, 1)", "integer", "How many wrote at the same time."),
    Column("block_size", "(256 << point.slot::int)", "integer", "Bytes per write."),
    Column(
        "latency_us", "point.latency_us", "real", "Mean of one synchronous write and its flush, microseconds."
    ),
    Column(
        "throughput_mib_s",
        "round(((256 << point.slot::int) / point.latency_us / 1.048576 * coalesce(result.writers, 1))::numeric, 3)",
        "real",
        "writers * block_size / latency_us, MiB/s.",
    ),
)
TEXTS = (
    Column("submission", "submission.public_id", "text", "Public id of the paste."),
    Column(
        "text",
        # a paste of 4 MiB has 100,000 samples, which series.csv has as numbers
        "CASE WHEN EXISTS (SELECT FROM results_sustainedseries series JOIN results_result result "
        "ON result.id = series.result_id WHERE result.submission_id = submission.id) "
        r"THEN regexp_replace(submission.text, '^\s*-?[0-9.]+[,;\t][-0-9., ;\t]*\n', '', 'gn') "
        "ELSE submission.text END",
        "text",
        "The lines that we can read, with identifiers masked; without the samples of logs.",
    ),
)
SERIES = (
    Column("result", "", "text", "Public id of the result."),
    Column("quantity", "", "text", "iops, in 1/s, or latency, in microseconds."),
    Column("seconds", "", "real", "End of the sample, from the start of the series."),
    Column("value", "", "real", "Mean since the sample before."),
)
_SOURCE = """
FROM results_result result
JOIN results_submission submission ON submission.id = result.submission_id AND submission.state = 'published'
LEFT JOIN results_device device ON device.id = result.device_id
LEFT JOIN results_pool pool ON pool.id = result.pool_id
LEFT JOIN results_firmware firmware ON firmware.id = result.firmware_id
LEFT JOIN results_product product ON product.id = device.product_id
LEFT JOIN results_vendor vendor ON vendor.id = product.vendor_id
""" + "".join(
    f"LEFT JOIN {kind.table._meta.db_table} AS {kind.key} ON {kind.key}.result_id = result.id\n"
    for kind in KINDS.values()
    if kind.table
)
_SLOTS = """
CROSS JOIN LATERAL unnest(result.latency_us) WITH ORDINALITY AS point (latency_us, slot)
WHERE point.latency_us IS NOT NULL
"""
_DEVICE_SOURCE = """
FROM ({facts}) AS facts
JOIN results_device device ON device.id = facts.id
LEFT JOIN results_product product ON product.id = device.product_id
LEFT JOIN results_vendor vendor ON vendor.id = product.vendor_id
"""
_TEXT_SOURCE = (
    "FROM results_submission submission WHERE submission.state = 'published' AND submission.text <> ''"
)


def result_columns() -> list[Column]:
    """The columns of the table of results, including all metrics."""
    metrics = (
        Column(
            metric.key,
            f"(result.metrics -> '{metric.key}')::double precision",
            "real",
            f"{metric.meaning} In {metric.unit}.",
        )
        for metric in all_metrics().values()
    )
    kind = Column("kind", _kind_sql(), "text", f"What was measured: {', '.join(KINDS)}.")
    return [*_BEFORE, *metrics, *_AFTER, kind]


def device_columns() -> list[Column]:
    """The columns of the table of devices; each product fact is one of them, or two with its date."""
    known = _device_facts().query.annotations
    facts = (
        Column(field.name, _fact_sql(field, kind), kind, field.meaning)
        for field in fact_fields(FACTS.values())
        for kind in [_kind(known[field.expression])]
    )
    return [Column("slug", "device.slug", "text", _SLUG), *_OF_DEVICE, *_COUNTS, *facts]


def _fact_sql(field: FactField, kind: Kind) -> str:
    """A fact as the API rounds it."""
    column = f"facts.{field.expression}"
    return f"round({column}::numeric, {DIGITS})::double precision" if kind == "double" else column


def _device_facts() -> QuerySet[Device, Any]:
    return Device.objects.shown().values("id", **expressions(FACTS.values(), DEVICES))


def _kind(expression: BaseExpression) -> Kind:
    match expression.output_field:
        case CharField() | TextField():
            return "text"
        case IntegerField():
            return "integer"
    return "double"


def select_devices(*, for_spreadsheets: bool = False) -> str:
    operations: Any = connection.ops  # PostgreSQL's: COPY takes no parameters
    facts = operations.compose_sql(*_device_facts().query.sql_with_params())
    source = _DEVICE_SOURCE.format(facts=facts)
    return f"SELECT {_expressions(device_columns(), for_spreadsheets)} {source}"


def select_results(*, for_spreadsheets: bool = False) -> str:
    return f"SELECT {_expressions(result_columns(), for_spreadsheets)} {_SOURCE}"


def select_points(*, for_spreadsheets: bool = False) -> str:
    return f"SELECT {_expressions(POINTS, for_spreadsheets)} {_SOURCE} {_SLOTS}"


PAIRS = (
    Column("before", "before.public_id", "text", "Public id of the first result."),
    Column("after", "after.public_id", "text", "Public id of the second result."),
    *_stored(
        ResultPair,
        {
            "change": f"What was changed: {', '.join(Change.values)}.",
            "before_value": "What it was before; empty if not stated.",
            "after_value": "What it was after; empty if not stated.",
            "sentence": "What its owner or its source says.",
            "source_url": "Where both were published, if elsewhere.",
            "quality": "Quality of that source; empty for a member’s pair.",
        },
    ),
)
_PAIR_SOURCE = (
    "FROM results_resultpair AS resultpair "
    "JOIN results_result before ON before.id = resultpair.before_id "
    "JOIN results_result after ON after.id = resultpair.after_id "
    "JOIN results_submission first ON first.id = before.submission_id AND first.state = 'published' "
    "JOIN results_submission second ON second.id = after.submission_id AND second.state = 'published' "
    "ORDER BY resultpair.id"
)


SETS = (
    Column("set", "", "text", "Public id of the submission whose runs these are."),
    Column("workload", "", "text", "What was written, in words."),
    Column("metric", "", "text", "Key of the metric that is compared."),
    Column("threads", "", "integer", "Writers at the same time."),
    Column("base", "", "text", "The configuration compared with: log device and sync mode."),
    Column("other", "", "text", "The configuration that is compared."),
    Column("ratio", "", "double", "How many times as good the other is."),
    Column(
        "noise_factor", "", "double", "Nine in ten pairs of repeated runs differ less; empty for single runs."
    ),
    Column("differences", "", "text", "What else differs."),
    Column("not_stated", "", "text", "What one or both don't state."),
    Column("a", "", "text", "Public id of the first result of the base."),
    Column("b", "", "text", "Public id of the first result of the other."),
)


def select_pairs(*, for_spreadsheets: bool = False) -> str:
    return f"SELECT {_expressions(PAIRS, for_spreadsheets)} {_PAIR_SOURCE}"


def select_result_objects() -> str:
    """One JSON object a row."""
    return f"SELECT row_to_json(line) FROM (SELECT {_named(result_columns())} {_SOURCE}) line"  # noqa: S608 - contains no user input


def select_text_objects() -> str:
    """One JSON object a row."""
    return f"SELECT row_to_json(line) FROM (SELECT {_named(TEXTS)} {_TEXT_SOURCE}) line"  # noqa: S608 - the same


def _named(columns: Sequence[Column]) -> str:
    return ", ".join(f'{one.sql} AS "{one.name}"' for one in columns)


def _expressions(columns: Sequence[Column], for_spreadsheets: bool) -> str:
    """The cells of CSV: booleans and times as in the API's."""
    cells = (replace(one, sql=_text(one)) for one in columns)
    return _named([replace(one, sql=_cell(one)) if for_spreadsheets else one for one in cells])


def _text(column: Column) -> str:
    if column.kind == "datetime":
        return f"""to_char(({column.sql}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""
    return f"({column.sql})::text" if column.kind == "boolean" else column.sql


def _cell(column: Column) -> str:
    """The expression, escaped like `defused` and `defused_json`."""
    if column.kind == "text":
        return f"regexp_replace({column.sql}, '{FORMULA}', '\\1''', 'g')"
    return f"replace(({column.sql})::text, ';', '{JSON_SEMICOLON}')" if column.kind == "json" else column.sql
