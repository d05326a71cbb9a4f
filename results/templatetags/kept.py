"""{% kept "a/part.html" one other %}: a part of a page, rendered once for all that it shows.

When the data changes every page is made anew, and most parts of it are what they were.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson
from django import template
from django.template import Context, Node
from django.template.base import Parser, Token
from django.utils.safestring import SafeString

from slogdb.kept import Kept

register = template.Library()
_kept = Kept[bytes, SafeString]("parts of pages")


class KeptNode(Node):
    """As `include`, of the variables that are named, which must be what JSON can hold."""

    def __init__(self, part: str, names: Sequence[str]) -> None:
        self._part = part
        self._names = names

    def render(self, context: Context) -> SafeString:
        shown = {name: context[name] for name in self._names if name in context}
        key = _digest(self._part, shown)
        html = _kept.get(key)
        if html is None:
            part = context.template.engine.get_template(self._part)  # type: ignore[union-attr] # one is being rendered
            html = _kept[key] = part.render(Context(shown))
        return html


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:  # noqa: ARG001 - Django's signature
    _, part, *names = token.split_contents()
    return KeptNode(part.strip("\"'"), names)


def _digest(part: str, shown: dict[str, Any]) -> bytes:
    told = orjson.dumps([part, shown], _told, orjson.OPT_PASSTHROUGH_SUBCLASS)
    return hashlib.blake2b(told, digest_size=16).digest()


def _told(value: object) -> dict[str, str]:
    """Markup apart from text that reads the same."""
    if isinstance(value, SafeString):
        return {"markup": value[:]}
    raise TypeError(f"{type(value).__name__} is not what a part of a page shows")
