"""What no answer may be, whatever was asked: a fault, markup that runs, a header of the asker's, or a secret."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponseBase

from tests.security.payloads import CALL, EVIL, HEADER

ROOT = str(Path(settings.BASE_DIR))
LEAKS = ("Traceback (most recent call last)", "DoesNotExist", "psycopg", "root:x:0:0", "site-packages", ROOT)
_ADDRESSES = {"href", "src", "action", "formaction", "data", "srcdoc", "xlink:href"}
_NO_ADDRESS = ("javascript:", "vbscript:", "data:text")


class _Running(HTMLParser):
    """Finds what a browser would run of the asker's: scripts, handlers, addresses with code in them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        is_data = tag == "script" and values.get("type", "").endswith("json")
        self._script = tag if tag in {"script", "style"} and not is_data else ""
        for name, value in values.items():
            is_code = (name.startswith("on") and len(name) > 2) or (
                name == "content" and "http-equiv" in values
            )
            plain = "".join(value.split()).lower().lstrip("\x00\x01")
            if CALL in value and (is_code or (name in _ADDRESSES and plain.startswith(_NO_ADDRESS))):
                self.found.append(f"<{tag} {name}={value[:60]!r}>")
            elif (
                CALL in value
                and name != "title"  # words, such as a device's name
                and tag in {"script", "link", "base", "iframe", "object", "embed", "form"}
                and EVIL in value
            ):
                is_own = urlsplit(value).netloc != EVIL  # in the query of an address of ours it is only text
                self.found += [] if is_own else [f"<{tag} {name}={value[:60]!r}>"]
            elif CALL in name:
                self.found.append(f"<{tag} {name}>")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._script:
            self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script and CALL in data:
            self.found.append(f"in <{self._script}>: {data[:60]!r}")


def running(page: str) -> list[str]:
    """What of the asker's a browser would run on this page."""
    if CALL not in page:
        return []
    parser = _Running()
    parser.feed(page)
    parser.close()
    return parser.found


def faults(response: HttpResponseBase, request: str) -> Iterator[str]:
    """What is wrong with an answer; `request` says what was requested."""
    if (
        response.status_code >= 500 and response.status_code != 501
    ):  # oEmbed says so of a format that it lacks
        yield f"{response.status_code}: {request}"
    for name, value in response.items():
        if name == HEADER or "\r" in value or "\n" in value:
            yield f"a header of the asker's: {request}"
    where = urlsplit(response.get("Location", ""))
    if where.netloc and where.netloc != "testserver" and "127.0.0.1" not in where.netloc:
        yield f"leads to {where.netloc}: {request}"
    text = body_of(response)
    yield from (
        f"tells {leak!r}: {request}"
        for leak in (*LEAKS, settings.SECRET_KEY, settings.UNIT_KEY)
        if leak in text
    )
    if "html" in response.get("Content-Type", "") or "svg" in response.get("Content-Type", ""):
        yield from (f"runs {line}: {request}" for line in running(text))


def body_of(response: HttpResponseBase) -> str:
    if getattr(response, "streaming", False):
        return b"".join(response).decode("utf-8", "replace")
    return response.content.decode("utf-8", "replace")
