"""Static files under names that hold a hash of their content, imports between JS modules included."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

OWN_STYLES = "css/"
_IMPORT = re.compile(r'@import url\("([^"]+)"\);')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")


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


def merge_style(name: str, read: Callable[[str], str]) -> str:
    """The sheet with what it imports in the place of each import, without comments and indentation.

    `read` gives a sheet's text; all sheets that import each other lie in one folder, so that what they name by
    a relative address stays where it is.
    """
    folder = name.rpartition("/")[0]

    def imported(match: re.Match[str]) -> str:
        return merge_style(f"{folder}/{match[1]}" if folder else match[1], read)

    text = _IMPORT.sub(imported, _COMMENT.sub("", read(name)))
    return _LINE_END.sub("\n", text).lstrip()
