"""JSON by orjson: several times faster than the standard library on lists of numbers."""

from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer


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
