"""The encodings that a client accepts."""

import re

from django.http import HttpRequest

_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))", re.IGNORECASE)


def takes_gzip(request: HttpRequest) -> bool:
    """Whether its Accept-Encoding allows gzip by name."""
    return _GZIP.search(request.headers.get("Accept-Encoding", "")) is not None
