"""Writers of the export files. Each streams, with at most a batch of rows in memory."""

import csv
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from django.db import connection

from results.core.formats import defused
from results.exports.columns import SERIES, SETS, Column, device_columns, result_columns
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.stored_sets import FoundSet, find_sets
from results.kinds.sustained.models import SustainedSeries
from results.kinds.sustained.series import Series, unpack
from results.models.choices import State
from results.models.fields import BLOCK_SIZES

PARQUET_BATCH = 1024  # rows that are converted together
PARQUET_GROUP = 16 * PARQUET_BATCH  # rows per group, which is in memory until it is written
PARQUET_COMPRESSION = "zstd(1)"  # the level of other writers by default
CHUNK_BYTES = 1024 * 1024
SERIES_AT_ONCE = 20  # of up to 100,000 samples
SETS_AT_ONCE = 50  # of up to 100 runs
SQLITE_CACHE_KIB = 4 * 1024  # a larger one gains nothing: the file is in the page cache
_SQLITE_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "real": "REAL", "double": "REAL"}
_JSON_LINES = r"FORMAT csv, DELIMITER E'\x1f', QUOTE E'\x1e', ESCAPE E'\x1e'"  # characters that JSON escapes


def copy_csv(query: str, path: Path) -> int:
    """Write the rows of `query` as PostgreSQL's CSV with a header; return their number."""
    return _copy(f"COPY ({query}) TO STDOUT WITH (FORMAT csv, HEADER true)", path)


def copy_json_lines(query: str, path: Path) -> int:
    """Write the rows of `query`, one JSON value per line; return their number."""
    return _copy(f"COPY ({query}) TO STDOUT WITH ({_JSON_LINES})", path)


def write_series(path: Path) -> int:
    """Write the samples of all published series as CSV; return their number."""
    stored = SustainedSeries.objects.filter(result__submission__state=State.PUBLISHED).order_by("result_id")
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in SERIES])
        rows = stored.values_list("result__public_id", "iops", "latency")
        for public_id, iops, latency in rows.iterator(chunk_size=SERIES_AT_ONCE):
            for quantity, packed in (("iops", iops), ("latency", latency)):
                series = unpack(bytes(packed)) if packed else Series((), ())
                for time, value in zip(series.times, series.values, strict=True):
                    writer.writerow([public_id, quantity, round(time, 3), f"{value:.7g}"])
                    count += 1
    return count


def write_sets(path: Path) -> int:
    """Write the ratios of all comparison sets as CSV; return their number."""
    ids = list(submissions_with_sets().values_list("pk", flat=True))
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in SETS])
        for at in range(0, len(ids), SETS_AT_ONCE):
            for found in find_sets(ids[at : at + SETS_AT_ONCE]).values():
                rows = list(_ratios(found))
                writer.writerows([defused(cell) for cell in row] for row in rows)
                count += len(rows)
    return count


def _ratios(found: FoundSet) -> Iterator[tuple[Any, ...]]:
    """The rows of a set in the order of SETS."""
    for panel in found.runs.panels:
        for one in panel.comparisons:
            for at in one.at:
                yield (
                    found.key,
                    panel.workload.name,
                    panel.metric.key,
                    at.threads,
                    one.base.label,
                    one.other.label,
                    f"{at.ratio:.6g}",
                    "" if at.noise_factor is None else f"{at.noise_factor:.6g}",
                    ", ".join(at.differences),
                    ", ".join(at.unknowns),
                    at.base.first.public_id,
                    at.other.first.public_id,
                )


def _copy(statement: str, path: Path) -> int:
    with connection.cursor() as cursor, path.open("wb") as file:
        raw = cast(Any, cursor.cursor)
        with raw.copy(statement) as copied:
            for block in copied:
                file.write(block)
        return int(raw.rowcount)


def write_parquet(source: Path, path: Path, columns: Sequence[Column]) -> None:
    """Convert the CSV file `source` with these columns to Parquet. Raises OSError."""
    from arro3 import io
    from arro3.core import Schema

    batches = io.read_csv(source, Schema(_arrow_fields(columns)), has_header=True, batch_size=PARQUET_BATCH)
    try:
        io.write_parquet(batches, path, compression=PARQUET_COMPRESSION, max_row_group_size=PARQUET_GROUP)
    except BaseException as error:  # on a full disk the library panics, with a class that can't be imported
        if type(error).__name__ != "PanicException":
            raise
        raise OSError(f"{path.name}: {error}") from error


def _arrow_fields(columns: Iterable[Column]) -> list[Any]:
    from arro3.core import DataType, Field

    types = {
        "text": DataType.string(),
        "json": DataType.string(),
        "integer": DataType.int64(),
        "real": DataType.float32(),
        "double": DataType.float64(),
        "boolean": DataType.bool(),
        "date": DataType.date32(),
        "datetime": DataType.timestamp("us", tz="UTC"),
    }
    wide = {"host_bytes_written": DataType.decimal128(24, 0)}  # a numeric column
    return [Field(one.name, wide.get(one.name, types[one.kind])) for one in columns]


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
