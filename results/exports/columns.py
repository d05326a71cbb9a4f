"""Contents of the exports: the columns of their tables with their meanings, and the queries that fill them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, NamedTuple

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
    TextField,
)
from rest_framework import serializers

from results.api.records import PLP_PROBABLY, VdevRecord
from results.api.renderers import table_columns
from results.api.result_records import FlagRecord
from results.core.described import meanings_of
from results.core.formats import FORMULA, JSON_SEMICOLON
from results.core.record import Record
from results.core.today import today
from results.kinds.curve.tables import TAIL_FIGURES
from results.kinds.registry import KINDS, all_metrics
from results.models import Device, Result, ResultPair, Submission
from results.models.choices import DEVICE_CLASSES, Change, Origin, SubjectKind
from results.models.conditions import WEAR_CONDITIONS, WRITE_CONDITIONS
from results.models.fields import BLOCK_SIZES

Kind = Literal["text", "integer", "real", "double", "boolean", "date", "datetime", "json"]


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column: its name in every format, its SQL expression or path in a record, its kind and its meaning.

    Nested values, of the kind json, have the API's `field`, which says what they consist of.
    """

    name: str
    sql: str
    kind: Kind
    meaning: str
    field: "serializers.Field[Any, Any, Any, Any] | None" = None
    path: Sequence[str] = ()


class Former(NamedTuple):
    """The name that a column had, which it keeps beside the new one until that day: 90 days after the change."""

    name: str
    until: date


def with_former(columns: Iterable[ExportColumn], formerly: Mapping[str, Former]) -> list[ExportColumn]:
    """The columns; at the end, the renamed ones under their former names, as long as these are kept."""
    found = list(columns)
    kept = {name: former for name, former in formerly.items() if today() <= former.until}
    return found + [
        replace(
            column,
            name=kept[column.name].name,
            meaning=f"The former name of {column.name}, until {kept[column.name].until}.",
        )
        for column in found
        if column.name in kept
    ]


ORIGIN = ExportColumn(
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


def columns_of(record: type[Record], *, without: Collection[str] = ()) -> list[ExportColumn]:
    """The columns of a record of the API, as in its CSV."""
    fields = record().fields
    return [
        _column_of(name, path, fields) for name, path in table_columns(fields, fields) if name not in without
    ]


def _column_of(name: str, path: Sequence[str], fields: Mapping[str, Any]) -> ExportColumn:
    field = fields[path[0]]
    for part in path[1:]:
        field = field.fields[part]
    kinds = (kind for of, kind in _KINDS_IN_API.items() if isinstance(field, of))
    values = field.choices if isinstance(field, serializers.ChoiceField) else ()
    one_of = f"; one of {', '.join(map(str, values))}" if values else ""
    return ExportColumn(name, "", next(kinds, "text"), f"{field.help_text}{one_of}", field, path)


_KINDS_IN_API: Mapping[Any, Kind] = {
    serializers.BooleanField: "boolean",
    serializers.IntegerField: "integer",
    serializers.FloatField: "double",
    serializers.DateTimeField: "datetime",
    serializers.DateField: "date",
    serializers.ListField: "json",
    serializers.DictField: "json",
    serializers.BaseSerializer: "json",
}


def _kind_of_field(table: type[Model], name: str) -> Kind:
    field: Any = table._meta.get_field(name)
    stored = getattr(field, "output_field", field)  # of a generated one
    return next(kind for of, kind in _KINDS.items() if isinstance(stored, of))


def _column(table: type[Model], name: str) -> str:
    """The column of a field: results have one of their field's name that is 1.0.0's."""
    field = table._meta.get_field(name)
    return field.column or name if isinstance(field, Field) else name


def _stored(table: type[Model], meanings: Mapping[str, str]) -> list[ExportColumn]:
    """Columns of a table that are exported as they are; in the queries it is named as its model."""
    return [
        ExportColumn(
            name, f"{table._meta.model_name}.{_column(table, name)}", _kind_of_field(table, name), meaning
        )
        for name, meaning in meanings.items()
    ]


def _described(table: type[Model], names: Iterable[str]) -> list[ExportColumn]:
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
    methods = ", ".join(f"'{method}'" for method in KINDS["latency_curve"].methods)
    rows = (
        f"SELECT json_agg(json_build_object('block_size', size.key::int, 'part', part.key, {figures}) "  # noqa: S608 - contains no user input
        "ORDER BY size.key::int, part.key DESC) "  # the write before its flush
        "FROM jsonb_each(result.tails) size, jsonb_each(size.value) part"
    )
    return f"CASE WHEN result.measured_by IN ({methods}) THEN coalesce(({rows}), '[]'::json) END"


_SLUG = "Slug of the device: /devices/<slug>/."
# results.models.choices.is_probably_protected
_IS_PROBABLY_PROTECTED = """
CASE WHEN device.id IS NOT NULL THEN coalesce(
    product.plp = 'unknown' AND product.plp_statements @> '[{"value": "yes", "evidence": "indirect"}]'
    AND NOT product.plp_statements @? '$[*] ? (@.value != "yes")', false
) END
"""
_OF_DEVICE = (
    *_stored(
        Device,
        {
            "model_name": "As reported by the device.",
            "capacity_bytes": "Bytes; empty if not stated.",
            "device_class": f"{', '.join(DEVICE_CLASSES)}.",
        },
    ),
    ExportColumn(
        "vendor",
        "coalesce(vendor.name, device.vendor)",
        "text",
        "The product's vendor, else as read from the text.",
    ),
    ExportColumn(
        "product", "product.slug", "text", "Slug of the product in the catalogue; empty if none matches."
    ),
    ExportColumn(
        "plp",
        "CASE WHEN device.id IS NOT NULL THEN coalesce(product.plp, 'unknown') END",
        "text",
        "Power-loss protection of the product, with its evidence on the product page.",
    ),
    ExportColumn("plp_probably", _IS_PROBABLY_PROTECTED, "boolean", PLP_PROBABLY),
)
_BEFORE = (
    ExportColumn("id", "result.public_id", "text", "Public id: /results/<id>/."),
    ExportColumn("submission", "submission.public_id", "text", "Public id of the paste that contains it."),
    ExportColumn(
        "subject",
        "CASE WHEN result.pool_id IS NULL THEN 'device' ELSE 'pool' END",
        "text",
        f"What it is about: {' or '.join(SubjectKind.values)}. Columns about the other one are empty.",
    ),
    ExportColumn("pool", "pool.public_id", "text", "Public id of the pool: /pools/<id>/."),
    ExportColumn(
        "pool_layout",
        "pool.layout",
        "json",
        "Its top-level vdevs: role, type, members; [] if not stated.",
        VdevRecord(many=True),
    ),
    ExportColumn(
        "pool_properties",
        "pool.properties",
        "json",
        "Of its datasets, as zfs prints them.",
        serializers.DictField(child=serializers.CharField()),
    ),
    ExportColumn("device", "device.slug", "text", _SLUG),
    *_OF_DEVICE,
    ExportColumn("firmware_version", "firmware.version", "text", "Empty if not stated."),
    ExportColumn(
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
    ExportColumn(
        "submitted_at",
        "CASE WHEN submission.survey_id IS NULL THEN submission.created_at END",
        "datetime",
        "When it was submitted here (UTC); empty for a result that was published elsewhere.",
    ),
    ExportColumn("changed_at", "result.changed_at", "datetime", "When a field of it last changed."),
    *_stored(Submission, {"posted_on": "The day it was published or posted elsewhere."}),
    *_stored(Result, {"is_ranked": "Whether it is ranked.", "not_ranked_reason": "Why not."}),
)
_AFTER = (
    *(
        ExportColumn(
            f"latency_us_{size}",
            f"result.latency_us[{slot}]",
            "real",
            f"Microseconds per write of {size} bytes.",
        )
        for slot, size in enumerate(BLOCK_SIZES, start=1)
    ),
    *(
        replace(
            column,
            name=f"{kind.key}.{column.name}",
            sql=f"{kind.key}.{column.name}",
            field=kind.record().fields.get(column.name),
        )
        for kind in KINDS.values()
        if kind.table
        for column in _described(
            kind.table, (name for name in kind.columns if name in meanings_of(kind.table))
        )
    ),
    *_described(Result, ("platform", "attachment", *WRITE_CONDITIONS)),
    ExportColumn(
        "writers",
        "coalesce(result.writers, 1)",
        "integer",
        "How many wrote at the same time; each of them waits for the latency.",
    ),
    ExportColumn(
        "latency_curve.tails",
        _tails_sql(),
        "json",
        "fio's p99, p99.9, p99.99 and max in µs by block size, of write and flush.",
        KINDS["latency_curve"].record().fields["tails"],
    ),
    *_described(Result, ("sector_size", "power_on_hours")),
    ExportColumn(
        "percentage_used",
        "CASE WHEN result.wear_source IS NULL THEN result.wear_percent END",
        "integer",
        "Percentage of the rated endurance used, as stated by a tool.",
    ),
    *_described(Result, (name for name in WEAR_CONDITIONS if name != "power_on_hours")),
    ExportColumn(
        "flags", "result.flags", "json", "Doubts about the run: code, effect, message.", FlagRecord(many=True)
    ),
    *_stored(Result, {"notes": "Written by the owner."}),
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
    ExportColumn("result", "result.public_id", "text", "Public id of the result."),
    ExportColumn("device", "device.slug", "text", "Slug of the device."),
    ExportColumn("method", "result.measured_by", "text", "diskinfo, slogprobe or fio."),
    ORIGIN,
    ExportColumn("is_ranked", "result.is_ranked", "boolean", "Whether the result is ranked."),
    ExportColumn("writers", "coalesce(result.writers, 1)", "integer", "How many wrote at the same time."),
    ExportColumn("block_size", "(256 << point.slot::int)", "integer", "Bytes per write."),
    ExportColumn(
        "latency_us", "point.latency_us", "real", "Mean of one synchronous write and its flush, microseconds."
    ),
    ExportColumn(
        "throughput_mib_s",
        "round(((256 << point.slot::int) / point.latency_us / 1.048576 * coalesce(result.writers, 1))::numeric, 3)",
        "real",
        "writers * block_size / latency_us, MiB/s.",
    ),
)
TEXTS = (
    ExportColumn("submission", "submission.public_id", "text", "Public id of the paste."),
    ExportColumn(
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
RESULT_SOURCE = """
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
POINT_SOURCE = f"{RESULT_SOURCE} {_SLOTS}"
_TEXT_SOURCE = (
    "FROM results_submission submission WHERE submission.state = 'published' AND submission.text <> ''"
)


def result_columns() -> list[ExportColumn]:
    """The columns of the table of results, including all metrics."""
    metrics = (
        ExportColumn(
            metric.key,
            f"(result.metrics -> '{metric.key}')::double precision",
            "real",
            f"{metric.meaning} In {metric.unit}.",
        )
        for metric in all_metrics().values()
    )
    kind = ExportColumn("kind", _kind_sql(), "text", f"What was measured: {', '.join(KINDS)}.")
    return [*_BEFORE, *metrics, *_AFTER, kind]


PAIRS = (
    ExportColumn("before", "before.public_id", "text", "Public id of the first result."),
    ExportColumn("after", "after.public_id", "text", "Public id of the second result."),
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
PAIR_SOURCE = (
    "FROM results_resultpair AS resultpair "
    "JOIN results_result before ON before.id = resultpair.before_id "
    "JOIN results_result after ON after.id = resultpair.after_id "
    "JOIN results_submission first ON first.id = before.submission_id AND first.state = 'published' "
    "JOIN results_submission second ON second.id = after.submission_id AND second.state = 'published' "
    "ORDER BY resultpair.id"
)


def select_cells(columns: Sequence[ExportColumn], source: str) -> str:
    """The cells of CSV, with formulas defused, and booleans and times as in the API."""
    return f"SELECT {_named(columns, _cell)} {source}"


def select_objects(columns: Sequence[ExportColumn], source: str) -> str:
    """One JSON object a row."""
    return f"SELECT row_to_json(line) FROM (SELECT {_named(columns)} {source}) line"  # noqa: S608 - contains no user input


def select_known(columns: Sequence[ExportColumn], source: str) -> str:
    """The same without what isn't known."""
    named = _named(columns, _known)
    return f"SELECT json_strip_nulls(row_to_json(line)) FROM (SELECT {named} {source}) line"  # noqa: S608 - the same


def select_text_objects() -> str:
    return select_objects(TEXTS, _TEXT_SOURCE)


def _named(
    columns: Sequence[ExportColumn], expression: Callable[[ExportColumn], str] = lambda column: column.sql
) -> str:
    return ", ".join(f'{expression(column)} AS "{column.name}"' for column in columns)


def _cell(column: ExportColumn) -> str:
    """The cell of CSV, escaped like `defused` and `defused_json`."""
    match column.kind:
        case "text":
            return f"regexp_replace({column.sql}, '{FORMULA}', '\\1''', 'g')"
        case "json":
            return f"replace(({column.sql})::text, ';', '{JSON_SEMICOLON}')"
        case "boolean":
            return f"({column.sql})::text"
        case "datetime":
            return f"""to_char(({column.sql}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""
    return column.sql


def _known(column: ExportColumn) -> str:
    if column.kind == "text":
        return f"nullif({column.sql}, '')"
    return _cell(column) if column.kind == "datetime" else column.sql
