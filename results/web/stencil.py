"""Rows of which a page has many: their template is rendered once, and what differs is filled in as text.

A variable of a template takes several times what a place in a string takes, and fifty rows have seven hundred.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True, slots=True)
class Stencil:
    """The text of a row with `{name}` in the place of each of its names."""

    text: str
    names: tuple[str, ...]

    def fill(self, rows: Iterable[Mapping[str, Any]]) -> SafeString:
        """The rows one after the other; their values are escaped unless they are safe strings."""
        filled = (self.text.format_map({name: _escaped(row[name]) for name in self.names}) for row in rows)
        return mark_safe("".join(filled))  # noqa: S308 - the template's text and what was escaped


def join_rows(rows: Iterable[str]) -> SafeString:
    """Rows that a stencil has filled in, one after the other."""
    return mark_safe("".join(rows))  # noqa: S308 - as above


@cache
def cut_stencil(template: str, names: tuple[str, ...], **common: str) -> Stencil:
    """The template, which must have no braces of its own; `common` is what all rows have alike."""
    places = {name: mark_safe(f"{{{name}}}") for name in names}  # noqa: S308 - names of our own code
    text = render_to_string(template, {**places, **common})
    return Stencil(text.lstrip("\n"), names)  # of the comment before the row


def _escaped(value: object) -> str:
    return value if isinstance(value, SafeString) else escape(str(value))
