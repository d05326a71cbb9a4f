"""The page of the exports, and the files, with range requests for resumed downloads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import IO

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import http_date
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from results.core.addresses import address, full_url
from results.core.encodings import takes_gzip
from results.core.head import MICROSECONDS, Social, json_ld
from results.core.parameters import takes
from results.core.security.rate_limits import counted
from results.exports.build import (
    CURRENT,
    FILES,
    LICENCE_URL,
    MANIFEST,
    BuiltFile,
    ExportFile,
    Manifest,
    current_manifest,
)

CHUNK_BYTES = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of the exports on their page, with its files."""

    name: str
    files: Sequence[BuiltFile]

    @property
    def first(self) -> BuiltFile:
        return self.files[0]


@require_safe
@takes(in_sitemap=True)
@counted
@cache_control(public=True, max_age=60)
def exports(request: HttpRequest) -> HttpResponse:
    manifest = current_manifest()
    by_table = groupby(manifest.files if manifest else (), lambda file: file.name.partition(".")[0])
    context = {
        "manifest": manifest,
        "manifest_name": MANIFEST,
        "tables": [ShownTable(name, list(files)) for name, files in by_table],
        "social": manifest and _social(manifest),
    }
    return render(request, "results/exports/page.html", context)


def _social(manifest: Manifest) -> Social:
    described = dataset(result_count=manifest.files[0].rows, modified=manifest.built.date())
    return Social(
        "The data of slogdb",
        "Every published result and everything we know about drives, as CSV, Parquet and SQLite, free to use.",
        reverse("exports"),
        reverse("leaderboard-preview"),
        json_ld=[described],
    )


@require_safe
@takes()
def export_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the current build, compressed with gzip for clients that take it.

    Responds 206 to a range of what is sent, 304 if it is unchanged, 416 to an invalid range.
    """
    manifest = current_manifest()
    if manifest is None:
        raise Http404
    files = {MANIFEST: ("application/json", manifest.built_at)}
    files |= {file.name: (file.content_type, file.sha256) for file in manifest.files}
    if name not in files:
        raise Http404
    content_type, entity_tag = files[name]
    compressed = _opened(f"{name}.gz") if takes_gzip(request) else None
    file = compressed or _opened(name)
    if file is None:
        raise Http404
    size = Path(file.name).stat().st_size
    headers = {
        "Content-Type": content_type,
        "ETag": f'"{entity_tag}-gzip"' if compressed else f'"{entity_tag}"',
        "Vary": "Accept-Encoding",
        **({"Content-Encoding": "gzip"} if compressed else {}),
        "Last-Modified": http_date(manifest.built.timestamp()),
        "Accept-Ranges": "bytes",
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "public, max-age=0, must-revalidate",
        "X-Content-Type-Options": "nosniff",
    }
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        file.close()
        return HttpResponse(status=304, headers=headers)
    return _answer(request, file, size=size, headers=headers)


def _opened(name: str) -> IO[bytes] | None:
    """The open file, None without it: a running download continues even if a build replaces it."""
    try:
        return (Path(settings.EXPORT_FOLDER) / CURRENT / name).resolve().open("rb")
    except OSError:
        return None


def _answer(request: HttpRequest, file: IO[bytes], *, size: int, headers: dict[str, str]) -> HttpResponseBase:
    requested = request.headers.get("Range", "")
    if requested and request.headers.get("If-Range", headers["ETag"]) in {
        headers["ETag"],
        headers["Last-Modified"],
    }:
        part = _part(requested, size)
        if part is None:
            file.close()
            return HttpResponse(status=416, headers={**headers, "Content-Range": f"bytes */{size}"})
    else:
        part = None
    start, end = part or (0, size)
    if request.method == "HEAD":
        file.close()
        return HttpResponse(
            status=206 if part else 200, headers={**headers, "Content-Length": str(end - start)}
        )
    file.seek(start)
    response = StreamingHttpResponse(_Part(file, end - start), status=206 if part else 200, headers=headers)
    response["Content-Length"] = str(end - start)
    if part:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return response


def _part(requested: str, size: int) -> tuple[int, int] | None:
    """Start and end of the requested range; None if it is invalid or can't be satisfied."""
    match = _RANGE.fullmatch(requested.strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        start, end = max(size - int(match[2]), 0), size
    else:
        start, end = int(match[1]), min(int(match[2]) + 1, size) if match[2] else size
    return (start, end) if start < end else None


class _Part:
    """The next `length` bytes of an open file, in chunks; the response closes it in any case."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file = file
        self._left = length

    def __iter__(self) -> Iterator[bytes]:
        while self._left > 0 and (chunk := self._file.read(min(CHUNK_BYTES, self._left))):
            self._left -= len(chunk)
            yield chunk

    def close(self) -> None:
        self._file.close()


def dataset(*, result_count: int, modified: date | None) -> SafeString:
    """Structured data for all results as a data set; `modified` is the day of the last change, if known."""
    known = {"dateModified": modified.isoformat()} if modified else {}
    return json_ld(
        {
            "@type": "Dataset",
            "name": "slogdb: measured synchronous write latency of SLOG devices",
            "description": "What one synchronous write and its flush take on storage devices, by block size from "
            "512 B to 8 MiB, from owners and published tests, measured with diskinfo -wS, slogprobe or fio, with "
            "the lines we read of every paste. "
            f"{result_count:,} published results.",
            "url": full_url(address("exports")),
            "license": LICENCE_URL,
            "isAccessibleForFree": True,
            "creator": {"@type": "Organization", "name": "slogdb", "url": full_url(address("home"))},
            "measurementTechnique": ["diskinfo -wS", "slogprobe", "fio with a flush after each write"],
            "variableMeasured": [
                {"@type": "PropertyValue", "name": "latency of a write and its flush", **MICROSECONDS},
                {"@type": "PropertyValue", "name": "throughput", "unitText": "MiB/s"},
            ],
            "distribution": [
                _download(file) for file in FILES if file.name.startswith(("results", "slogdb"))
            ],
            **known,
        }
    )


def _download(file: ExportFile) -> dict[str, str]:
    url = full_url(address("export-file", file.name))
    return {
        "@type": "DataDownload",
        "name": file.contents,
        "contentUrl": url,
        "encodingFormat": file.content_type,
    }
