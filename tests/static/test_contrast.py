"""Marks of charts stand out from what is behind them, in both themes."""

import re
from itertools import product
from pathlib import Path

import pytest

from results.charts.cards import resolved
from tests.contrast import contrast

CSS = Path(__file__).parents[2] / "static" / "css"
SHEETS = ("charts", "strips", "details", "survey", "card", "drives", "devices", "sets")
RULE = re.compile(r"^[^@}]*(?:\.chart|\.scale|\.bar|\.s\d)[^{]*\{[^}]*\}", re.MULTILINE)
BEHIND = {"page", "surface", "sunken", "accent-wash"}
LINES = {"line"}  # the grid and empty tracks, which say nothing alone
LEAST = 3


def used():
    """The colors of the rules about charts."""
    rules = [rule for sheet in SHEETS for rule in RULE.findall((CSS / f"{sheet}.css").read_text())]
    return {name for rule in rules for name in re.findall(r"(?:fill|stroke|color): var\(--([\w-]+)\)", rule)}


def rgb(color):
    digits = color.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return bytes.fromhex(digits)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_stand_out_from_what_is_behind_them(theme):
    marks = used() - BEHIND - LINES
    assert {"series-1", "series-8", "good", "bad", "muted", "line-strong", "accent"} <= marks
    for mark, behind in product(marks, BEHIND):
        colors = [rgb(resolved(f"var(--{name})", theme)) for name in (mark, behind)]
        assert contrast(*colors) >= LEAST, (mark, behind, colors)
