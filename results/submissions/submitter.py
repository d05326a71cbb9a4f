"""The submitter script, slogdb-submit, as the site hands it out."""

import hashlib
import shlex
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import condition, require_safe

from results.core.parameters import takes

SCRIPT = Path(__file__).with_name("slogdb-submit")
PROBE = Path(__file__).with_name("slogprobe.py")
HOME_SITE = "\nHOME_SITE=''\n"
FROM_BESIDE = '    cp "$(dirname "$0")/slogprobe.py" "$work/slogprobe.py"\n'


@cache
def submitter_script(site_url: str) -> bytes:
    """The script, with the program that it runs inside; it sends to `site_url` by default."""
    script = SCRIPT.read_text(encoding="utf-8")
    probe = f"""    cat >"$work/slogprobe.py" <<'SLOGPROBE'\n{PROBE.read_text(encoding="utf-8")}SLOGPROBE\n"""
    for line, own in ((HOME_SITE, f"\nHOME_SITE={shlex.quote(site_url)}\n"), (FROM_BESIDE, probe)):
        if line not in script:
            raise ValueError(f"{SCRIPT.name} has lost its line {line.strip()}")
        script = script.replace(line, own)
    return script.encode()


def _etag(request: HttpRequest) -> str:  # noqa: ARG001 - Django's signature
    return f'"{hashlib.sha256(submitter_script(settings.SITE_URL)).hexdigest()}"'


@require_safe
@takes()
@condition(etag_func=_etag)
def submitter(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view gets its request
    """The script as plain text, so that it can be read before it is run as root. The ETag is its SHA-256."""
    script = submitter_script(settings.SITE_URL)
    return HttpResponse(
        script,
        content_type="text/plain; charset=utf-8",
        headers={
            "Cache-Control": "public, max-age=300",
            "Content-Disposition": 'inline; filename="slogdb-submit"',
        },
    )
