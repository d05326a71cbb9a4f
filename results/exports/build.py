"""Builds the exports: all files from one snapshot of the database, put in place atomically.

The folder that `current` points to is served. A failed build doesn't change it.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import connection, transaction

from results.core.data_version import stored_version
from results.exports.columns import (
    PAIRS,
    POINTS,
    SERIES,
    SETS,
    TEXTS,
    Column,
    device_columns,
    result_columns,
    select_devices,
    select_pairs,
    select_points,
    select_result_objects,
    select_results,
    select_text_objects,
)
from results.exports.files import (
    copy_csv,
    copy_json_lines,
    described,
    sha256_of,
    write_parquet,
    write_series,
    write_sets,
    write_sqlite,
)
from results.models import Submission
from results.models.choices import State

LICENCE = "CC0-1.0"
LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"
MANIFEST = "manifest.json"
CURRENT = "current"
_LOCK = 7_305_001  # PostgreSQL advisory lock: one build at a time on all hosts
_BUILD_PREFIX = "build-"
# Writing Parquet and SQLite takes minutes with ten million results, while the transaction is idle. The lock is a
# transaction's: behind a pooler, a session's lock would never be released.
_LONG_SNAPSHOT = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL statement_timeout = 0",
)


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of the export."""

    name: str
    content_type: str
    contents: str
    columns: Callable[[], Sequence[Column]]


FILES = (
    ExportFile("results.csv", "text/csv", "One row per result, with the curve as columns.", result_columns),
    ExportFile("points.csv", "text/csv", "One row per point of a curve.", lambda: POINTS),
    ExportFile(
        "series.csv", "text/csv", "One row per sample of a series of IOPS or latency.", lambda: SERIES
    ),
    ExportFile(
        "pairs.csv", "text/csv", "One row per pair of results before and after a change.", lambda: PAIRS
    ),
    ExportFile("sets.csv", "text/csv", "One row per ratio of a comparison set of pools.", lambda: SETS),
    ExportFile(
        "devices.csv",
        "text/csv",
        "One row per device, with facts about its product at its capacity, such as the latest price.",
        device_columns,
    ),
    ExportFile(
        "results.ndjson", "application/x-ndjson", "One JSON object per result and line.", result_columns
    ),
    ExportFile(
        "texts.ndjson",
        "application/x-ndjson",
        "The lines we read from every paste, masked, without the samples of logs.",
        lambda: TEXTS,
    ),
    ExportFile(
        "results.parquet", "application/vnd.apache.parquet", "The results as Parquet.", result_columns
    ),
    ExportFile(
        "devices.parquet", "application/vnd.apache.parquet", "The devices as Parquet.", device_columns
    ),
    ExportFile(
        "slogdb.sqlite",
        "application/vnd.sqlite3",
        "Results, points and devices for SQLite and Datasette.",
        result_columns,
    ),
)


def build_exports(*, report: Callable[[str], None] = lambda _: None) -> dict[str, Any] | None:
    """Build all files and replace the old ones; return the manifest, or None while another build runs.

    Raises OSError if the disk is full or not writable: the old files are still served then.
    """
    folder = Path(settings.EXPORT_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _LONG_SNAPSHOT:
            cursor.execute(statement)
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        return _build(folder, report) if cursor.fetchone()[0] else None


@shared_task
def export() -> None:
    """Build the exports: every night, if there are none, and after erasures (see sweep)."""
    build_exports()


def _build(folder: Path, report: Callable[[str], None]) -> dict[str, Any]:
    made = Path(tempfile.mkdtemp(prefix=_BUILD_PREFIX, dir=folder))
    try:
        manifest = _write_files(made, report)
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        made.chmod(0o755)
        _put_in_place(folder, made)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    for old in folder.glob(f"{_BUILD_PREFIX}*"):  # erased data must not remain in old builds
        if old != made:
            shutil.rmtree(old, ignore_errors=True)
    return manifest


def _write_files(made: Path, report: Callable[[str], None]) -> dict[str, Any]:
    erased = erased_count()
    version = stored_version()
    plain, plain_devices = made / "plain.csv", made / "plain-devices.csv"
    rows: dict[str, int] = {}
    report("results.csv")
    rows["results.csv"] = copy_csv(select_results(for_spreadsheets=True), made / "results.csv")
    report("points.csv")
    rows["points.csv"] = copy_csv(select_points(for_spreadsheets=True), made / "points.csv")
    report("series.csv")
    rows["series.csv"] = write_series(made / "series.csv")
    report("pairs.csv")
    rows["pairs.csv"] = copy_csv(select_pairs(for_spreadsheets=True), made / "pairs.csv")
    report("sets.csv")
    rows["sets.csv"] = write_sets(made / "sets.csv")
    report("devices.csv")
    rows["devices.csv"] = copy_csv(select_devices(for_spreadsheets=True), made / "devices.csv")
    report("results.ndjson")
    rows["results.ndjson"] = copy_json_lines(select_result_objects(), made / "results.ndjson")
    report("texts.ndjson")
    rows["texts.ndjson"] = copy_json_lines(select_text_objects(), made / "texts.ndjson")
    rows["results.parquet"] = rows["slogdb.sqlite"] = copy_csv(select_results(), plain)
    report("results.parquet")
    write_parquet(plain, made / "results.parquet", result_columns())
    report("devices.parquet")
    rows["devices.parquet"] = copy_csv(select_devices(), plain_devices)
    write_parquet(plain_devices, made / "devices.parquet", device_columns())
    report("slogdb.sqlite")
    write_sqlite(plain, plain_devices, made / "slogdb.sqlite")
    plain.unlink()
    plain_devices.unlink()
    return {
        "licence": LICENCE,
        "licence_url": LICENCE_URL,
        "site": settings.SITE_URL,
        "built_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "data_version": version,
        "erased_count": erased,
        "files": [_file_entry(one, made, rows[one.name]) for one in FILES],
    }


def _file_entry(file: ExportFile, made: Path, row_count: int) -> dict[str, Any]:
    path = made / file.name
    path.chmod(0o644)
    return {
        "name": file.name,
        "what": file.contents,
        "content_type": file.content_type,
        "bytes": path.stat().st_size,
        "rows": row_count,
        "sha256": sha256_of(path),
        "columns": described(file.columns()),
    }


def _put_in_place(folder: Path, made: Path) -> None:
    """Point `current` to the new build atomically."""
    link = folder / f".{CURRENT}.new"
    link.unlink(missing_ok=True)
    link.symlink_to(made.name)
    link.replace(folder / CURRENT)


def current_manifest() -> dict[str, Any] | None:
    """The manifest of the current build; None before the first one."""
    try:
        text = (Path(settings.EXPORT_FOLDER) / CURRENT / MANIFEST).read_text(encoding="utf-8")
    except OSError:
        return None
    manifest: dict[str, Any] = json.loads(text)
    return manifest


def erased_count() -> int:
    """The number of submissions erased so far."""
    return Submission.objects.filter(state=State.ERASED).count()


def is_due() -> bool:
    """Whether there is no build, or the files still contain erased data."""
    manifest = current_manifest()
    return manifest is None or manifest["erased_count"] != erased_count()
