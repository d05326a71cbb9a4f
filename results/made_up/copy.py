"""Many new rows at once by COPY, the fastest way into PostgreSQL; constraints and defaults hold as ever."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson
from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import Field, JSONField, Model


def draw_ids(model: type[Model], count: int) -> list[int]:
    """Ids for as many new rows of a table."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
        )
        return [number for (number,) in cursor.fetchall()]


def copy_rows(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows, each a value a column: all name the same ones in the same order. Raises IntegrityError."""
    if not rows:
        return
    columns = [connection.ops.quote_name(name) for name in rows[0]]
    write = [_writer(_field(model, name)) for name in rows[0]]
    lines = (
        "\t".join([one(value) for one, value in zip(write, row.values(), strict=True)]) + "\n" for row in rows
    )
    statement = f"COPY {model._meta.db_table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copied:
        copied.write("".join(lines))


def _field(model: type[Model], column: str) -> "Field[Any, Any]":
    return next(field for field in model._meta.concrete_fields if field.attname == column)


def _writer(field: "Field[Any, Any]") -> Callable[[Any], str]:
    """How a value of that column is written in COPY's text format."""
    if isinstance(field, JSONField):
        return lambda value: _escaped(orjson.dumps(value).decode())
    if isinstance(field, ArrayField):
        return lambda values: f"{{{','.join(_items(values))}}}"
    return _plain


def _items(values: Iterable[float | None]) -> list[str]:
    return ["NULL" if value is None else repr(value) for value in values]


def _plain(value: object) -> str:
    if value is None:
        return r"\N"
    return _escaped(value) if isinstance(value, str) else str(value)


def _escaped(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace("\n", r"\n")
    return escaped.replace("\r", r"\r").replace("\t", r"\t")
