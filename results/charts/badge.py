"""Badges: a label and a value side by side, for READMEs."""

import re

from results.charts.cards import resolved
from results.charts.labels import VERDANA, cut
from results.charts.plot import Mark, Plot, bar, mark
from results.charts.plot import label as written
from results.charts.svg import document

BADGE_HEIGHT = 20
LONGEST_SIDE = 120  # characters of either side of a badge
_PADDING = 6
_NAME_GROUND, _INK = resolved("var(--badge)", "light"), resolved("var(--on-accent)", "light")
TONES = {tone: resolved(f"var(--{tone or 'muted'})", "light") for tone in ("good", "warn", "bad", "")}
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FONT = "Verdana,DejaVu Sans,Geneva,sans-serif"


def badge_svg(label: str, value: str, *, tone: str = "") -> str:
    """Render a label and a value side by side.

    `tone` ("good", "warn", "bad" or "") expresses the value as a color. Text has a fixed `textLength`, so it fits in
    any font. Colors are attributes, as a style sheet would need a policy of its own.
    """
    left, right = (cut(" ".join(_NOT_XML.sub("", text).split()), LONGEST_SIDE) for text in (label, value))
    split = _width(left)
    width = split + _width(right)
    high = (0, BADGE_HEIGHT)
    name, color = (
        bar("", (0, split), high, fill=_NAME_GROUND),
        bar("", (split, width), high, fill=TONES[tone]),
    )
    texts = _text(left, 0, split), _text(right, split, width)
    front = [
        mark("clipPath", "", bar("", (0, width), high, rx=3), id="r"),
        mark("g", "", name, color, clip_path="url(#r)"),
        mark("g", "", *texts, fill=_INK, font_family=_FONT, font_size=11),
    ]
    title = f"{left}: {right}"
    return document(Plot(css="", front=front, height=BADGE_HEIGHT), width, title=title, name=title)


def _text(text: str, left: int, right: int) -> Mark:
    length, fit = f"{right - left - 2 * _PADDING}", "spacingAndGlyphs"
    return written(text, left + _PADDING, 14, textLength=length, lengthAdjust=fit)


def _width(text: str) -> int:
    return round(VERDANA.width(text)) + 2 * _PADDING
