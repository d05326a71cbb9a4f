"""Static files under names that hold a hash of their content, imports between JS modules included."""

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from slogdb.stylesheets import merge_style

OWN_STYLES = "css/"


class HashedStaticStorage(CompressedManifestStaticFilesStorage):
    """Django leaves the imports inside JS modules alone unless told otherwise; those of style sheets are merged."""

    support_js_module_import_aggregation = True

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        sources = {
            name: (MergedStyles(storage), path) if name.startswith(OWN_STYLES) else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(sources, dry_run, **options)


class MergedStyles:
    """The folder of the style sheets, each of them merged when it is opened."""

    def __init__(self, folder: Storage) -> None:
        self._folder = folder

    def open(self, path: str) -> "ContentFile[bytes]":
        return ContentFile(merge_style(path, self._read).encode())

    def _read(self, path: str) -> str:
        with self._folder.open(path) as sheet:
            text: bytes = sheet.read()
        return text.decode()
