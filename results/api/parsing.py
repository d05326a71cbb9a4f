"""What the API takes: JSON by orjson, as strict as its renderer, and a paste as plain text."""

from typing import Any

import orjson
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from results.nesting import MAX_DEPTH, nests_deeper


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
