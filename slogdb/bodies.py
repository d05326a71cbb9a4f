"""Bodies are read whole before anything else is done, so that who sends slowly holds up nobody.

The web server has many threads, which wait for bodies beside each other. After that they wait for their turn
(slogdb.one_at_a_time), unless the page cache has the answer.
"""

from collections.abc import Iterable
from io import BytesIO

from slogdb.page_cache import Application, Environ, StartResponse
from slogdb.slow_senders import SlowSenders

FAULT = "slogdb.body"  # in the environment: what is wrong with the body, as one of the following
BUSY, CUT_OFF = "busy", "cut off"
MOST_DIGITS = 18  # of a length; Python reads no number of thousands


class WholeBodies:
    """WSGI middleware around everything. What it finds wrong with a body is for Django to answer."""

    def __init__(self, application: Application, senders: SlowSenders, *, most_bytes: int) -> None:
        self._application = application
        self._senders = senders
        self._most_bytes = most_bytes

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        length = announced_length(environ)
        if length is not None and 0 < length <= self._most_bytes:
            self._read(environ, length)
        return self._application(environ, start_response)

    def _read(self, environ: Environ, length: int) -> None:
        with self._senders.sending(environ.get("REMOTE_ADDR", "")) as is_let_in:
            body = environ["wsgi.input"].read(length) if is_let_in else b""
        if len(body) < length:
            environ[FAULT] = CUT_OFF if is_let_in else BUSY
        environ["wsgi.input"] = BytesIO(body)


def announced_length(environ: Environ) -> int | None:
    """What the request says of its body's length; None for what is no length."""
    told = environ.get("CONTENT_LENGTH") or "0"
    is_number = told.isascii() and told.isdecimal() and len(told) <= MOST_DIGITS
    return int(told) if is_number else None
