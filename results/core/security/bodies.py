"""Limits on what a request may carry: bytes besides its text, and the size of each collection.

Every body passes BodyLimitMiddleware, which checks its size before anything parses it, and every JSON document
`check_json`. Django counts the fields and files of forms (DATA_UPLOAD_MAX_NUMBER_FIELDS and _FILES in the settings).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import QueryDict
from django.utils.html import escape

MAX_BYTES_BESIDE_TEXT = 256 * 1024  # of a body that is more than a text or files
MAX_DEPTH = (
    32  # of objects and lists, since code that walks them recurses once per level; ours nest five deep
)
MAX_MEMBERS = 500  # of an object or list
MAX_FORM_SIZE = 24 * 1024  # bytes; of all fields but the text, which a refused form shows again: `form_size`

TEXT_FIELDS = ("text", "found")  # of forms: a paste, and the texts that the preview of an import found
READS_TEXTS = "reads_texts"  # an attribute of views that take bodies of over LARGE_BYTES (results.core.turns)

View = TypeVar("View", bound=Callable[..., Any])

_FORM, _PARTS, _TEXT = "application/x-www-form-urlencoded", "multipart/", "text/plain"


def bytes_beside_text(body: bytes, content_type: str, boundary: str = "") -> int:
    """How many bytes of a body are neither its text nor files, or a lower bound above MAX_BYTES_BESIDE_TEXT.

    The text is the longest string of JSON, or the fields TEXT_FIELDS of a form. All other types count as JSON, since
    DRF accepts application/* as such.
    """
    if len(body) <= MAX_BYTES_BESIDE_TEXT:
        return len(body)
    if content_type == _TEXT:
        return 0
    if content_type == _FORM:
        texts = tuple(f"{name}=".encode() for name in TEXT_FIELDS)
        return len(body) - sum(len(part) for part in _split(body, b"&") if part.startswith(texts))
    if content_type.startswith(_PARTS):
        parts = _split(body, b"--" + boundary.encode("latin-1", "replace"))
        return sum(len(part) for part in parts if not _is_text(part)) if parts else len(body)
    without_escapes = body.replace(rb"\\", b"__").replace(rb"\"", b"__")
    return len(body) - max(map(len, _split(without_escapes, b'"')[1::2]), default=0)


def form_size(form: QueryDict, *, has_text: bool) -> int:
    """The size of a form's values as HTML, in bytes, without those of its text."""
    fields = form.keys() - TEXT_FIELDS if has_text else form.keys()
    return sum(len(escape(value).encode()) for field in fields for value in form.getlist(field))


def _split(body: bytes, separator: bytes) -> list[bytes]:
    """The parts of the body; none if separators alone exceed MAX_BYTES_BESIDE_TEXT."""
    return body.split(separator) if body.count(separator) <= MAX_BYTES_BESIDE_TEXT else []


def _is_text(part: bytes) -> bool:
    """Whether a part of a form is a file or a text."""
    head = part[:1024].partition(b"\r\n\r\n")[0]
    return b"filename=" in head or any(f'name="{name}"'.encode() in head for name in TEXT_FIELDS)


def reads_texts(view: View) -> View:
    """Mark a view that reads texts of any length that is allowed."""
    setattr(view, READS_TEXTS, True)
    return view


def check_json(value: Any) -> None:
    """Raise ValueError, with a sentence, for JSON with a collection that is too large, or nested too deep.

    Visits each value once, level by level.
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for inner in level if isinstance(inner, list | dict)]
        if not level:
            return
        if any(len(inner) > MAX_MEMBERS for inner in level):
            raise ValueError(f"An object or list in this JSON has more than {MAX_MEMBERS} members.")
        level = [
            inner
            for container in level
            for inner in (container.values() if isinstance(container, dict) else container)
        ]
    raise ValueError(f"This JSON is nested more than {MAX_DEPTH} levels deep.")
