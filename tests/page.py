"""A page as its reader has it: text, headings, links, tables, forms and what is wrong with them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from lxml import html

INLINE = frozenset({
    "a", "abbr", "b", "bdi", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "tspan", "u", "var", "wbr",
})  # fmt: skip
UNSEEN = frozenset({"head", "noscript", "script", "style", "template"})
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_WRONG = "contains(concat(' ', @class, ' '), ' error ') or contains(concat(' ', @class, ' '), ' fault ')"
_FIELD = "ancestor::*[contains(concat(' ', @class, ' '), ' field ') or self::fieldset][1]"
_NO_FIELDS = frozenset({"button", "image", "reset", "submit"})


@dataclass(frozen=True, slots=True)
class Field:
    """A form's field as it is shown; several chosen values are joined by commas."""

    value: str = ""
    choices: tuple[str, ...] = ()
    error: str = ""


class Page:
    """The main part of an answer or of HTML; everything is in reading order."""

    def __init__(self, source: HttpResponse | str | html.HtmlElement, part: str = "main") -> None:
        if isinstance(source, html.HtmlElement):
            self.root = source
        else:
            document = html.document_fromstring(source if isinstance(source, str) else source.text)
            self.root = next(document.iter(part), document)

    def part(self, name: str) -> "Page":
        """The element with this id. Raises KeyError if there is none."""
        return Page(self.root.get_element_by_id(name))

    def section(self, heading: str) -> "Page":
        """What is labeled by the heading with this id. Raises ValueError unless there is one."""
        (found,) = self.root.xpath(f".//*[@aria-labelledby='{heading}'][not(self::pre)]")
        return Page(found)

    @property
    def title(self) -> str:
        return text_of(self.root.getroottree().find("head/title"))

    @property
    def text(self) -> str:
        """What is written there, on one line."""
        return text_of(self.root)

    @property
    def headings(self) -> list[str]:
        return [text_of(element) for element in self.root.iter(*HEADINGS)]

    @property
    def links(self) -> dict[str, str]:
        """Addresses by the text of their links; of links with the same text, the first."""
        found: dict[str, str] = {}
        for element in self.root.xpath(".//a[@href]"):
            found.setdefault(text_of(element), element.get("href"))
        return found

    @property
    def tables(self) -> list[list[list[str]]]:
        """The cells of each table by row, with those of its head."""
        return [[_cells(row) for row in table.iter("tr")] for table in self.root.iter("table")]

    def rows(self, at: int = 0) -> list[dict[str, str]]:
        """The rows of one table by the names of its columns, which its first row has."""
        head, *rows = self.tables[at]
        return [dict(zip(head, row, strict=True)) for row in rows]

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of all forms by name, with hidden ones but without the CSRF token."""
        found: dict[str, list[Any]] = {}
        for element in self.root.iter("input", "select", "textarea"):
            if element.get("type") not in _NO_FIELDS and element.name not in {None, "csrfmiddlewaretoken"}:
                found.setdefault(element.name, []).append(element)
        return {name: _field(controls) for name, controls in found.items()}

    @property
    def facts(self) -> dict[str, str]:
        """What lists of definitions say, by their terms."""
        return {text_of(term): text_of(term.getnext()) for term in self.root.iter("dt")}

    @property
    def errors(self) -> list[str]:
        """Alerts, and what is wrong with fields."""
        return [text_of(element) for element in self.root.xpath(f".//*[@role='alert' or {_WRONG}]")]


def head_of(response: HttpResponse) -> dict[str, str]:
    """What other sites read in its head: contents of its meta elements by their names."""
    found = Page(response, "head").root.xpath("meta[@content]")
    return {meta.get("property") or meta.get("name"): meta.get("content") for meta in found}


def asked_in(source: HttpResponse | str) -> set[str]:
    """What a preview asks about all runs."""
    fields = Page(source).fields
    return {name.removeprefix("told-all-") for name in fields if name.startswith("told-all-")}


def claim_token_of(response: HttpResponse) -> str:
    """The token on the page after publishing; raises TypeError if there is none."""
    return re.search(r"slogdb_claim_[\w-]+", text_of(html.document_fromstring(response.text)))[0]


def text_of(element: html.HtmlElement) -> str:
    """Its text with single spaces, and one at the edges of blocks."""
    return " ".join("".join(_strings(element)).split())


def value_of(textarea: html.HtmlElement) -> str:
    return str(textarea.text or "").removeprefix("\n")  # which HTML ignores


def _strings(element: html.HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in UNSEEN:  # comments have no name
        return
    edge = "" if element.tag in INLINE else " "
    yield edge + (element.text or "")
    for child in element:
        yield from _strings(child)
        yield child.tail or ""
    yield edge


def _cells(row: html.HtmlElement) -> list[str]:
    return [text_of(cell) for cell in row.iterchildren("th", "td")]


def _field(controls: list[Any]) -> Field:
    """Of one name: a control, or the boxes to choose from."""
    first = controls[0]
    error = " ".join(
        text_of(element) for around in first.xpath(_FIELD) for element in around.xpath(f".//*[{_WRONG}]")
    )
    if first.tag == "textarea":
        return Field(value_of(first), error=error)
    if first.tag == "select":
        options = [*first.iter("option")]
        chosen = [option for option in options if "selected" in option.attrib] or options[:1]
        return Field(_values(chosen), tuple(_value(option) for option in options), error)
    if first.get("type") in {"checkbox", "radio"}:
        chosen = [control for control in controls if "checked" in control.attrib]
        return Field(_values(chosen), tuple(control.get("value", "on") for control in controls), error)
    return Field(first.get("value", ""), error=error)


def _value(choice: html.HtmlElement) -> str:
    return str(choice.get("value", text_of(choice)))


def _values(chosen: list[Any]) -> str:
    return ",".join(_value(choice) for choice in chosen)
