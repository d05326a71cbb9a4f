"""The answer to who had to wait too long for a turn: it comes from outside of Django, which is at something else."""

from collections.abc import Iterable
from http import HTTPStatus

from results.api.problems import PROBLEM_TYPE, problem_bytes
from slogdb.page_cache import Environ, StartResponse

RETRY_AFTER_S = 5
_SAID = "Too much is asked for just now; nothing was stored. Try again in a moment."
_TEXT = f"503 Service Unavailable: {_SAID}\n".encode()
_PROBLEM = problem_bytes(HTTPStatus.SERVICE_UNAVAILABLE, _SAID, code="busy")
_HEADERS = [
    ("Retry-After", str(RETRY_AFTER_S)),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]


def answer_busy(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """A WSGI application: 503, below /api/ as problem details."""
    is_api = environ.get("PATH_INFO", "").startswith("/api/")
    body, kind = (_PROBLEM, PROBLEM_TYPE) if is_api else (_TEXT, "text/plain; charset=utf-8")
    of_api = [("Access-Control-Allow-Origin", "*")] if is_api else []
    length = ("Content-Length", str(len(body)))
    start_response("503 Service Unavailable", [("Content-Type", kind), length, *_HEADERS, *of_api])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
