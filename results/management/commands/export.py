"""manage.py export: build the files of the export now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.exports.build import build_exports


class Command(BaseCommand):
    help = "Build the export files of all public data (CSV, NDJSON, Parquet, SQLite) and publish them."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            manifest = build_exports(report=self.stdout.write)
        except OSError as error:
            raise CommandError(f"Nothing was replaced: {error}") from error
        if manifest is None:
            raise CommandError("Another build is running.")
        for file in manifest.files:
            self.stdout.write(f"{file.name:18} {file.rows:>12,} rows {file.bytes:>15,} bytes")
