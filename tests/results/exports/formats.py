"""The tables of a build, as each format has them."""

import csv
import json
import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

Rows = list[dict[str, Any]]


def lines(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def objects(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def from_sqlite(current: Path, statement: str) -> Rows:
    with closing(sqlite3.connect(current / "slogdb.sqlite")) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(statement)]


def exported(current: Path, table: str) -> dict[str, Rows]:
    """The rows of a table by the formats that have it."""
    formats = {
        "csv": lines(current / f"{table}.csv"),
        "parquet": parquet.read_table(current / f"{table}.parquet").to_pylist(),
        "sqlite": from_sqlite(current, f"SELECT * FROM {table}"),  # noqa: S608 - ours
    }
    if (path := current / f"{table}.ndjson").exists():
        formats["ndjson"] = objects(path)
    return formats


def plain(value: Any) -> Any:
    """A cell of any format: text of CSV as what it states, and empty ones as None."""
    if isinstance(value, datetime | date):
        value = value.isoformat()
    if value in ("", None):
        return None
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):  # members that aren't known may be absent
        return {name: plain(member) for name, member in value.items() if member is not None}
    if isinstance(value, str):
        try:
            return plain(json.loads(value))
        except ValueError:
            return (
                datetime.fromisoformat(value) if value[4:5] == value[7:8] == "-" and "T" in value else value
            )
    return pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
