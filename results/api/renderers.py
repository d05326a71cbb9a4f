"""Renderers for JSON, CSV and NDJSON; parsers for JSON and plain text."""

import csv
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from io import StringIO
from typing import Any

import orjson
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.serializers import Serializer

from results.core.formats import defused, defused_json
from results.core.security.bodies import check_json

FLATTENED = frozenset({"metrics", "facts", "conditions"})  # in tables their fields go by their own names
Column = tuple[str, Sequence[str]]  # a name, and the path of field names to its cells


def to_json(data: Any) -> bytes:
    """Serialize as JSON; integer keys index list items in a body's errors.

    Integers of more than 64 bits, which orjson refuses, must not make a list of other rows unreadable.
    """
    try:
        return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        return json.dumps(data, default=_plain, ensure_ascii=False).encode()


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


class OrjsonRenderer(BaseRenderer):
    """application/json, UTF-8."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:  # noqa: ARG002
        return b"" if data is None else to_json(data)


class NdjsonRenderer(OrjsonRenderer):
    """application/x-ndjson: one JSON object per line."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def stream(self, columns: Sequence[Column], batches: Iterable[Sequence[Any]]) -> Iterator[bytes]:  # noqa: ARG002 - CsvRenderer's signature
        for rows in batches:
            yield b"".join(to_json(row) + b"\n" for row in rows)


class CsvRenderer(OrjsonRenderer):
    """text/csv with a header: nested fields as `device.slug`, those of FLATTENED by their names, lists as JSON."""

    media_type = "text/csv"
    format = "csv"

    def stream(self, columns: Sequence[Column], batches: Iterable[Sequence[Any]]) -> Iterator[str]:
        """Yield the text in batches."""
        yield _csv_lines([[name for name, _ in columns]])
        for rows in batches:
            yield _csv_lines([table_cell(row, path) for _, path in columns] for row in rows)


def column_name(path: Sequence[str], for_row: Container[str]) -> str:
    """The name of a field in tables; `for_row` are the names of the row's own fields, which come first."""
    is_short = path[0] in FLATTENED and path[1:] and path[1] not in for_row
    return ".".join(path[1:] if is_short else path)


def table_columns(fields: Mapping[str, Any], names: Iterable[str]) -> list[Column]:
    """The columns of these fields of a record, in this order; those of a nested record are columns of their own."""
    paths = [
        path
        for name in names
        for path in (
            [(name, inner) for inner in fields[name].fields]
            if isinstance(fields.get(name), Serializer)
            else [tuple(name.split("."))]
        )
    ]
    return [(column_name(path, fields), path) for path in paths]


def _csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    output = StringIO()
    csv.writer(output).writerows(rows)
    return output.getvalue()


def value_at(row: Any, path: Sequence[str]) -> Any:
    """What a row has there; None for what is missing or absent."""
    for name in path:
        row = None if row is None else row.get(name)
    return row


def table_cell(row: Any, path: Sequence[str]) -> Any:
    """A cell of CSV."""
    value = value_at(row, path)
    if isinstance(value, bool | list | dict):
        return defused_json(to_json(value).decode())
    return value.isoformat() if isinstance(value, date) else defused(value)


class OrjsonParser(BaseParser):
    """application/json within the limits of results.core.security.bodies."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        try:
            value = orjson.loads(stream.read())
        except orjson.JSONDecodeError as error:
            raise ParseError(f"Invalid JSON: {error}") from error
        try:
            check_json(value)
        except ValueError as error:
            raise ParseError(str(error)) from error
        return value


class PlainTextParser(BaseParser):
    """text/plain: the body is the paste, in any encoding."""

    media_type = "text/plain"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        return stream.read()
