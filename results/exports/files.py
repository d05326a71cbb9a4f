"""Writers of the export files. Each streams, with at most a batch of rows in memory."""

import csv
import gzip
import hashlib
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from django.db import connection
from rest_framework import serializers

from results.api.renderers import table_cell, to_json, value_at
from results.core.record import Row
from results.exports.columns import ExportColumn

PARQUET_BATCH = 1024  # rows
BATCHES_A_GROUP = 16
PARQUET_COMPRESSION = "zstd(1)"  # the level of other writers by default
CHUNK_BYTES = 1024 * 1024
GZIP_LEVEL = 4  # files are 7 % larger than by the default, 6, in two thirds of its time
_JSON_LINES = r"FORMAT csv, DELIMITER E'\x1f', QUOTE E'\x1e', ESCAPE E'\x1e'"  # characters that JSON escapes


def copy_csv(query: str, path: Path) -> int:
    """Write the rows of `query` as PostgreSQL's CSV with a header; return their number."""
    return _copy(f"COPY ({query}) TO STDOUT WITH (FORMAT csv, HEADER true)", path)


def copy_json_lines(query: str, path: Path) -> int:
    """Write the rows of `query`, one JSON value per line; return their number."""
    return _copy(f"COPY ({query}) TO STDOUT WITH ({_JSON_LINES})", path)


def _copy(statement: str, path: Path) -> int:
    with connection.cursor() as cursor, path.open("wb") as file:
        raw = cast(Any, cursor.cursor)
        with raw.copy(statement) as copied:
            for block in copied:
                file.write(block)
        return int(raw.rowcount)


def write_csv(columns: Sequence[ExportColumn], records: Iterable[Row], path: Path) -> int:
    """Write records as CSV, with formulas defused; return their number."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in columns])
        for record in records:
            count += 1
            cells = (table_cell(record, column.path or (column.name,)) for column in columns)
            writer.writerow([f"{cell:.15g}" if isinstance(cell, float) else cell for cell in cells])
    return count


def write_json_lines(columns: Sequence[ExportColumn], records: Iterable[Row], path: Path) -> int:
    """Write what is known of records as JSON objects, one per line; return their number."""
    count = 0
    with path.open("wb") as file:
        for record in records:
            count += 1
            row = {column.name: value_at(record, column.path or (column.name,)) for column in columns}
            file.write(
                to_json({name: value for name, value in row.items() if value not in (None, "")}) + b"\n"
            )
    return count


def write_parquet(
    source: Path, path: Path, columns: Sequence[ExportColumn], *, batch_rows: int = PARQUET_BATCH
) -> None:
    """Convert the JSON lines of `source` with these columns to Parquet. Raises OSError.

    `batch_rows` are converted together; a group, which is in memory until it is written, has BATCHES_A_GROUP of them.
    """
    from arro3 import io
    from arro3.core import Schema

    schema = Schema([_arrow_field(column) for column in columns])
    batches = io.read_json(source, schema, batch_size=batch_rows)
    group_rows = BATCHES_A_GROUP * batch_rows
    try:
        io.write_parquet(batches, path, compression=PARQUET_COMPRESSION, max_row_group_size=group_rows)
    except BaseException as error:  # on a full disk the library panics, with a class that can't be imported
        if type(error).__name__ != "PanicException":
            raise
        raise OSError(f"{path.name}: {error}") from error


def _arrow_field(column: ExportColumn) -> Any:
    from arro3.core import DataType, Field

    if column.name == "host_bytes_written":  # a numeric column
        return Field(column.name, DataType.decimal128(24, 0))
    kinds = {
        "integer": DataType.int64(),
        "real": DataType.float32(),
        "double": DataType.float64(),
        "boolean": DataType.bool(),
        "date": DataType.date32(),
        "datetime": DataType.timestamp("us", tz="UTC"),
    }
    is_nested = column.kind == "json" and column.field is not None
    return Field(
        column.name, _arrow_type(column.field) if is_nested else kinds.get(column.kind, DataType.string())
    )


def _arrow_type(field: Any) -> Any:
    """A nested value of the API: records as structs, lists as lists, objects of free keys as maps."""
    from arro3.core import DataType, Field

    match field:
        case serializers.ListSerializer() | serializers.ListField():
            return DataType.list(Field("item", _arrow_type(field.child)))
        case serializers.Serializer():
            return DataType.struct([Field(name, _arrow_type(part)) for name, part in field.fields.items()])
        case serializers.DictField():
            key = Field("key", DataType.string(), nullable=False)
            return DataType.map(key, Field("value", _arrow_type(field.child)), False)
        case serializers.BooleanField():
            return DataType.bool()
        case serializers.IntegerField():
            return DataType.int64()
        case serializers.FloatField():
            return DataType.float64()
    return DataType.string()


def compress(path: Path) -> None:
    """Write a file beside it that is compressed with gzip."""
    with path.open("rb") as plain, gzip.open(f"{path}.gz", "wb", GZIP_LEVEL) as file:
        shutil.copyfileobj(plain, file, CHUNK_BYTES)


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def described(columns: Iterable[ExportColumn]) -> list[dict[str, str]]:
    """The columns as listed in the manifest."""
    return [{"name": column.name, "kind": column.kind, "meaning": column.meaning} for column in columns]
