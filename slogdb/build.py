"""Which build of the site this is: the part of an ETag that changes when code or templates do."""

import hashlib
from functools import cache

from django.conf import settings

FOLDERS = ("parsers", "results", "slogdb", "static", "templates")
ENDINGS = {".py", ".html", ".css", ".js", ".svg", ".txt", ".csv"}


@cache
def build_id() -> str:
    """Twelve hex digits, the same in every process that runs the same files with the same face."""
    digest = hashlib.sha256(f"{settings.SITE_URL} {settings.IS_DEMO}".encode())
    for folder in FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in ENDINGS and path.is_file():
                digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
