"""Somebody's text inside an SVG: escaped, and without the characters that no XML may hold, not even escaped."""

import html
import re

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """The text as XML holds it; what it can't hold is shown as a replacement character."""
    return html.escape(_NOT_IN_XML.sub("\ufffd", text))
