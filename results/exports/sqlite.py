"""The exports as a file for SQLite: a table or view for each of theirs, and one that describes the columns."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from results.api.renderers import to_json
from results.exports.tables import SCHEMA_VERSION, TABLES, ExportTable

CACHE_KIB = 4 * 1024  # a larger one gains nothing: the file is in the page cache
LARGEST_INTEGER = 2**63 - 1
_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "real": "REAL", "double": "REAL"}
_COLUMNS = """
CREATE TABLE columns (table_name TEXT, name TEXT, kind TEXT, meaning TEXT, PRIMARY KEY (table_name, name))
"""


def write_sqlite(sources: Mapping[str, Path], path: Path) -> None:
    """Convert JSON lines, by the names of their tables, to tables of SQLite. Raises OSError."""
    try:
        _fill(sources, path)
    except sqlite3.OperationalError as error:  # raised if the disk is full
        raise OSError(f"{path.name}: {error}") from error


def _fill(sources: Mapping[str, Path], path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        database.execute(_COLUMNS)
        for table in TABLES:
            rows = [(table.name, column.name, column.kind, column.meaning) for column in table.columns]
            database.executemany("INSERT INTO columns VALUES (?, ?, ?, ?)", rows)
            if table.view:
                database.execute(f"CREATE VIEW {table.name} AS {table.view}")
            else:
                _fill_table(database, table, sources[table.name])
        database.commit()


def _fill_table(database: sqlite3.Connection, table: ExportTable, source: Path) -> None:
    columns = table.columns
    typed = [f'"{column.name}" {_TYPES.get(column.kind, "TEXT")}' for column in columns]
    keys = [f"PRIMARY KEY ({table.key})"] if table.key else []
    database.execute(f"CREATE TABLE {table.name} ({', '.join([*typed, *keys])})")
    places = ", ".join("?" for _ in columns)
    rows = _rows(source, [column.name for column in columns])
    database.executemany(f"INSERT INTO {table.name} VALUES ({places})", rows)  # noqa: S608 - places only
    if table.index:
        database.execute(f"CREATE INDEX {table.name}_{table.index} ON {table.name} ({table.index})")


def _rows(source: Path, names: list[str]) -> Iterator[list[Any]]:
    with source.open("rb") as lines:
        for line in lines:
            row = orjson.loads(line)
            yield [_cell(row.get(name)) for name in names]


def _cell(value: Any) -> Any:
    """A value for SQLite: nested ones as JSON."""
    if isinstance(value, list | dict):
        return to_json(value).decode()
    is_too_large = isinstance(value, int) and value > LARGEST_INTEGER
    return float(value) if is_too_large else value
