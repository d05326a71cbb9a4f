"""A badge: a name and a value side by side, as an SVG that stands alone in a forum or a README.

Text gets the width that it is laid out for (textLength), so that it fits whatever font the reader has.
"""

import re

from results.charts.svg import escape

HEIGHT = 20
PADDING = 6
LONGEST = 120  # characters of either side
_LABEL_GROUND = "#3d444b"
GROUNDS = {"good": "#246b30", "warn": "#805300", "bad": "#b3261e", "": "#595f67"}
_NARROW = re.compile(r"[ijlrtfI1.,:;|()\[\]'! ]")
_WIDE = re.compile(r"[A-HJ-Zmw%@µ–]")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def badge_svg(label: str, value: str, *, tone: str = "") -> str:
    """`tone` is "good", "warn", "bad" or "" and says nothing that `value` does not say in words."""
    left, right = _shortened(label), _shortened(value)
    left_width, right_width = _width(left), _width(right)
    width = left_width + right_width
    title = escape(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
        f'role="img" aria-label="{title}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{width}" height="{HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left_width}" height="{HEIGHT}" fill="{_LABEL_GROUND}"/>'
        f'<rect x="{left_width}" width="{right_width}" height="{HEIGHT}" fill="{GROUNDS[tone]}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f"{_text(left, 0, left_width)}{_text(right, left_width, right_width)}</g></svg>"
    )


def _shortened(text: str) -> str:
    """Without what XML cannot hold, and no longer than a badge can be."""
    plain = " ".join(_NOT_XML.sub("", text).split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def _text(text: str, left: int, width: int) -> str:
    return (
        f'<text x="{left + PADDING}" y="14" textLength="{width - 2 * PADDING}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _width(text: str) -> int:
    """About as wide as Verdana at 11 px is."""
    narrow, wide = len(_NARROW.findall(text)), len(_WIDE.findall(text))
    return round(4.3 * narrow + 8.6 * wide + 6.9 * (len(text) - narrow - wide)) + 2 * PADDING
