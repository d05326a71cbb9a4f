"""Writers of the export files. Each streams, with at most a batch of rows in memory."""

import csv
import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, cast

from django.db import connection

from results.exports.columns import Column, device_columns, result_columns
from results.models.fields import BLOCK_SIZES

PARQUET_BLOCK_BYTES = 64 * 1024  # longer than any row; the reader uses many times as much memory
PARQUET_BLOCKS_A_GROUP = 16  # blocks per row group; the metadata of each group stay in memory until the end
CHUNK_BYTES = 1024 * 1024
SQLITE_CACHE_KIB = 4 * 1024  # a larger one gains nothing: the file is in the page cache
_SQLITE_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "real": "REAL", "double": "REAL"}
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


def write_parquet(source: Path, path: Path, columns: Sequence[Column]) -> None:
    """Convert the CSV file `source` with these columns to Parquet."""
    import pyarrow
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as parquet

    convert = arrow_csv.ConvertOptions(
        column_types=_arrow_types(columns),
        strings_can_be_null=True,
        null_values=[""],
        true_values=["true"],
        false_values=["false"],
    )
    read = arrow_csv.ReadOptions(block_size=PARQUET_BLOCK_BYTES, use_threads=False)
    parse = arrow_csv.ParseOptions(newlines_in_values=True)
    with (
        arrow_csv.open_csv(
            source, read_options=read, parse_options=parse, convert_options=convert
        ) as batches,
        parquet.ParquetWriter(path, batches.schema, compression="zstd") as writer,
    ):
        while group := list(islice(batches, PARQUET_BLOCKS_A_GROUP)):
            writer.write_table(pyarrow.Table.from_batches(group))


def _arrow_types(columns: Iterable[Column]) -> dict[str, Any]:
    import pyarrow

    types = {
        "text": pyarrow.string(),
        "json": pyarrow.string(),
        "integer": pyarrow.decimal128(24, 0),
        "real": pyarrow.float32(),
        "double": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "date": pyarrow.date32(),
        "datetime": pyarrow.timestamp("us", tz="UTC"),
    }
    wide = {"host_bytes_written"}  # a numeric column
    return {
        one.name: types[one.kind] if one.kind != "integer" or one.name in wide else pyarrow.int64()
        for one in columns
    }


def write_sqlite(results: Path, devices: Path, path: Path) -> None:
    """Convert the CSV files to SQLite: tables results and devices, view points, metadata."""
    try:
        _fill_sqlite(results, devices, path)
    except sqlite3.OperationalError as error:  # raised if the disk is full
        raise OSError(f"{path.name}: {error}") from error


def _fill_sqlite(results: Path, devices: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute(f"PRAGMA cache_size = -{SQLITE_CACHE_KIB}")
        _fill_table(database, "results", "id", result_columns(), results)
        _fill_table(database, "devices", "slug", device_columns(), devices)
        database.execute("CREATE INDEX results_device ON results (device)")
        database.execute(f"CREATE VIEW points AS {_points_view()}")
        _describe(database)
        database.commit()


def _fill_table(
    database: sqlite3.Connection, table: str, key: str, columns: Sequence[Column], source: Path
) -> None:
    typed = ", ".join(f'"{one.name}" {_SQLITE_TYPES.get(one.kind, "TEXT")}' for one in columns)
    database.execute(f"CREATE TABLE {table} ({typed}, PRIMARY KEY ({key}))")
    values = ", ".join(_sqlite_value(one) for one in columns)
    with source.open(newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        next(lines)
        database.executemany(f"INSERT INTO {table} VALUES ({values})", lines)  # noqa: S608 - places only


def _sqlite_value(column: Column) -> str:
    """An expression for a cell of the CSV file; column types convert numbers."""
    value = "NULLIF(?, '')"
    return f"{value} = 'true'" if column.kind == "boolean" else value


def _points_view() -> str:
    """A query for the curves as rows, as in points.csv."""
    return " UNION ALL ".join(
        f"SELECT id AS result, device, method, is_ranked, writers, {size} AS block_size, "  # noqa: S608
        f"latency_us_{size} AS latency_us, {size} / latency_us_{size} / 1.048576 * writers AS throughput_mib_s "
        f"FROM results WHERE latency_us_{size} IS NOT NULL"
        for size in BLOCK_SIZES
    )


def _describe(database: sqlite3.Connection) -> None:
    """Add a table with the meaning of each column."""
    database.execute(
        "CREATE TABLE columns (table_name TEXT, name TEXT, kind TEXT, meaning TEXT, PRIMARY KEY (table_name, name))"
    )
    tables = {"results": result_columns(), "devices": device_columns()}
    rows = [(table, one.name, one.kind, one.meaning) for table, columns in tables.items() for one in columns]
    database.executemany("INSERT INTO columns VALUES (?, ?, ?, ?)", rows)


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def described(columns: Iterable[Column]) -> list[dict[str, str]]:
    """The columns as listed in the manifest."""
    return [{"name": one.name, "kind": one.kind, "meaning": one.meaning} for one in columns]
