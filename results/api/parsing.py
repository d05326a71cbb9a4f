"""What the API takes: JSON by orjson, as strict as its renderer, and a paste as plain text."""

from typing import Any

import orjson
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


class OrjsonParser(BaseParser):
    """application/json; what is nested a thousand deep is refused, where the standard library would give up."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        try:
            return orjson.loads(stream.read())
        except orjson.JSONDecodeError as error:
            raise ParseError(f"This is not JSON: {error}") from error


class PlainTextParser(BaseParser):
    """text/plain: the body is the paste, in whatever encoding the terminal had."""

    media_type = "text/plain"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002
        return stream.read()
