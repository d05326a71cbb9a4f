"""Builds the exports: all files from one snapshot of the database, put in place atomically.

The folder that `current` points to is served. A failed build doesn't change it.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.db import connection, transaction

from results.core.data_version import stored_version
from results.exports.columns import TEXTS, ExportColumn, select_objects, select_text_objects
from results.exports.files import compress, copy_json_lines, described, sha256_of, write_parquet
from results.exports.sqlite import write_sqlite
from results.exports.tables import SCHEMA_VERSION, TABLES, ExportTable
from results.models import Submission
from results.models.choices import State

LICENCE = "CC0-1.0"
LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"
MANIFEST = "manifest.json"
CSV, JSON_LINES, PARQUET, SQLITE = ".csv", ".ndjson", ".parquet", "slogdb.sqlite"
CURRENT = "current"
LOCK = 7_305_001  # PostgreSQL advisory lock: one build at a time on all hosts
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
    columns: Callable[[], Sequence[ExportColumn]]

    @property
    def is_compressed(self) -> bool:
        """Whether it is compressed in itself, so not with gzip."""
        return self.name.endswith(PARQUET)


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """A file of a build, as the manifest has it."""

    name: str
    what: str
    content_type: str
    bytes: int
    rows: int
    sha256: str
    columns: Sequence[Mapping[str, str]]  # name, kind and meaning


@dataclass(frozen=True, slots=True)
class Manifest:
    """What manifest.json says about a build."""

    schema_version: int
    licence: str
    licence_url: str
    site: str
    built_at: str
    data_version: int
    erased_count: int
    files: Sequence[BuiltFile]

    @property
    def built(self) -> datetime:
        return datetime.fromisoformat(self.built_at)


def _files_of(table: ExportTable) -> Iterator[ExportFile]:
    def file(ending: str, content_type: str) -> ExportFile:
        return ExportFile(f"{table.name}{ending}", content_type, table.contents, lambda: table.columns)

    yield file(CSV, "text/csv")
    if table.has_json_lines:
        yield file(JSON_LINES, "application/x-ndjson")
    if not table.view:
        yield file(PARQUET, "application/vnd.apache.parquet")


FILES = (
    *(file for table in TABLES for file in _files_of(table)),
    ExportFile(
        f"texts{JSON_LINES}",
        "application/x-ndjson",
        "The lines we read from every paste, masked, without the samples of logs.",
        lambda: TEXTS,
    ),
    ExportFile(
        SQLITE, "application/vnd.sqlite3", "All tables but the texts, for SQLite and Datasette.", lambda: ()
    ),
)


def build_exports(*, report: Callable[[str], None] = lambda _: None) -> Manifest | None:
    """Build all files and replace the old ones; return the manifest, or None while another build runs.

    Raises OSError if the disk is full or not writable: the old files are still served then.
    """
    folder = Path(settings.EXPORT_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _LONG_SNAPSHOT:
            cursor.execute(statement)
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        return _build(folder, report) if cursor.fetchone()[0] else None


@shared_task
def export() -> None:
    """Build the exports: every night, if there are none, and after erasures (see sweep)."""
    build_exports()


def _build(folder: Path, report: Callable[[str], None]) -> Manifest:
    made = Path(tempfile.mkdtemp(prefix=_BUILD_PREFIX, dir=folder))
    try:
        manifest = _write_files(made, report)
        (made / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")
        compress(made / MANIFEST)
        for path in made.iterdir():
            path.chmod(0o644)
        made.chmod(0o755)
        _put_in_place(folder, made)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    for old in folder.glob(f"{_BUILD_PREFIX}*"):  # erased data must not remain in old builds
        if old != made:
            shutil.rmtree(old, ignore_errors=True)
    return manifest


def _write_files(made: Path, report: Callable[[str], None]) -> Manifest:
    erased = erased_count()
    version = stored_version()
    rows: dict[str, int] = {}
    plain: dict[str, Path] = {}
    for table in TABLES:
        report(name := f"{table.name}{CSV}")
        rows[name] = table.write_csv(made / name)
        if table.has_json_lines:
            report(name := f"{table.name}{JSON_LINES}")
            rows[name] = copy_json_lines(select_objects(table.columns, table.source), made / name)
        if not table.view:
            report(name := f"{table.name}{PARQUET}")
            plain[table.name] = made / f"{table.name}.plain"
            rows[name] = table.write_json_lines(plain[table.name])
            write_parquet(plain[table.name], made / name, table.columns)
    report(name := f"texts{JSON_LINES}")
    rows[name] = copy_json_lines(select_text_objects(), made / name)
    report(SQLITE)
    rows[SQLITE] = rows[FILES[0].name]
    write_sqlite(plain, made / SQLITE)
    for path in plain.values():
        path.unlink()
    report("compression")
    return Manifest(
        SCHEMA_VERSION,
        LICENCE,
        LICENCE_URL,
        settings.SITE_URL,
        datetime.now(UTC).isoformat(timespec="seconds"),
        version,
        erased,
        [_built_file(file, made / file.name, rows[file.name]) for file in FILES],
    )


def _built_file(file: ExportFile, path: Path, row_count: int) -> BuiltFile:
    if not file.is_compressed:
        compress(path)
    size, digest = path.stat().st_size, sha256_of(path)
    columns = described(file.columns())
    return BuiltFile(file.name, file.contents, file.content_type, size, row_count, digest, columns)


def _put_in_place(folder: Path, made: Path) -> None:
    """Point `current` to the new build atomically."""
    link = folder / f".{CURRENT}.new"
    link.unlink(missing_ok=True)
    link.symlink_to(made.name)
    link.replace(folder / CURRENT)


def current_manifest() -> Manifest | None:
    """The manifest of the current build; None before the first, or if another release wrote it in another shape."""
    try:
        stored = json.loads((Path(settings.EXPORT_FOLDER) / CURRENT / MANIFEST).read_bytes())
        return Manifest(**{**stored, "files": [BuiltFile(**file) for file in stored["files"]]})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def erased_count() -> int:
    """The number of submissions erased so far."""
    return Submission.objects.filter(state=State.ERASED).count()


def is_due() -> bool:
    """Whether there is no build, or the files still contain erased data."""
    manifest = current_manifest()
    return manifest is None or manifest.erased_count != erased_count()
