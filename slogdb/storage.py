"""Static files with content hashes in their names, including imports between JS modules."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import brotli
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

OWN_STYLES = "css/"
BEST, QUICK = 11, 9  # of brotli
LARGE_BYTES = 50_000  # above this, the best takes seconds, to save 4 % of files that few pages load
_IMPORT = re.compile(r'@import url\("([^"]+)"\);')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")


class HashedStaticStorage(CompressedManifestStaticFilesStorage):
    """Static files storage that also hashes imports inside JS modules, and inlines those of style sheets."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **options: Any) -> "StaticCompressor":
        return StaticCompressor(**options)

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        sources = {
            name: (MergedStyles(storage), path) if name.startswith(OWN_STYLES) else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(sources, dry_run, **options)


class StaticCompressor(Compressor):
    """The compressor of static files: as small as possible, unless that takes seconds."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """The data compressed with brotli."""
        compressed: bytes = brotli.compress(data, quality=QUICK if len(data) >= LARGE_BYTES else BEST)
        return compressed


class MergedStyles:
    """A source of style sheets in which each is merged when opened."""

    def __init__(self, folder: Storage) -> None:
        self._folder = folder

    def open(self, path: str) -> "ContentFile[bytes]":
        return ContentFile(merge_style(path, self._read).encode())

    def _read(self, path: str) -> str:
        with self._folder.open(path) as sheet:
            text: bytes = sheet.read()
        return text.decode()


def merge_style(name: str, read: Callable[[str], str]) -> str:
    """The style sheet with each import replaced by its content, without comments and indentation.

    `read` returns a sheet's text; all sheets that import each other are in one folder, so that relative addresses in
    them remain valid.
    """
    folder = name.rpartition("/")[0]

    def imported(match: re.Match[str]) -> str:
        return merge_style(f"{folder}/{match[1]}" if folder else match[1], read)

    text = _IMPORT.sub(imported, _COMMENT.sub("", read(name)))
    return _LINE_END.sub("\n", text).lstrip()
