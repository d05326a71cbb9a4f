"""JSON by orjson, as strict in what it takes as in what it writes, and a paste as plain text."""

from typing import Any

import orjson
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from results.core.nesting import MAX_DEPTH, nests_deeper


def to_json(data: Any) -> bytes:
    """Keys that are numbers are those of a list's items, in the errors of a body."""
    return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS)


class OrjsonRenderer(BaseRenderer):
    """application/json, UTF-8."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:  # noqa: ARG002
        return b"" if data is None else to_json(data)


class OrjsonParser(BaseParser):
    """application/json; anything nested deeper than MAX_DEPTH is refused before code recurses into it."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        try:
            value = orjson.loads(stream.read())
        except orjson.JSONDecodeError as error:
            raise ParseError(f"This is not JSON: {error}") from error
        if nests_deeper(value, MAX_DEPTH):
            raise ParseError(f"This JSON is nested more than {MAX_DEPTH} levels deep.")
        return value


class PlainTextParser(BaseParser):
    """text/plain: the body is the paste, in whatever encoding the terminal had."""

    media_type = "text/plain"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        return stream.read()
