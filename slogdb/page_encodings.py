"""The encodings in which finished pages are served, and which of them a reader takes."""

import zlib
from collections.abc import Callable

import brotli
from backports import zstd

IDENTITY = "identity"
WORTH_COMPRESSING_BYTES = 500
BROTLI_QUALITY = 5
GZIP_WINDOW = 31  # zlib's word for a gzip header
ZSTD_LEVEL = 6
ENCODERS: dict[str, Callable[[bytes], bytes]] = {  # the best first
    "br": lambda body: brotli.compress(body, quality=BROTLI_QUALITY),
    "zstd": lambda body: zstd.compress(body, level=ZSTD_LEVEL),
    "gzip": lambda body: zlib.compress(body, level=6, wbits=GZIP_WINDOW),
}


def pick_encoding(accepted: str, size: int) -> str:
    """The best encoding that an Accept-Encoding header takes, for a body of so many bytes."""
    if accepted and size >= WORTH_COMPRESSING_BYTES:
        for encoding in ENCODERS:
            if encoding in accepted and not _is_refused(encoding, accepted):
                return encoding
    return IDENTITY


def _is_refused(encoding: str, accepted: str) -> bool:
    """Whether Accept-Encoding names `encoding` only to rule it out ("br;q=0"), or only inside another word."""
    for item in accepted.split(","):
        name, _, weight = item.strip().partition(";")
        if name.strip().lower() == encoding:
            return weight.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return True
