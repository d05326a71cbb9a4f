"""A page's head for other sites: address, description, image, feeds, structured data, sharing snippets."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString, mark_safe

from results.core.addresses import address, full_url, with_query


class Social(NamedTuple):
    """A page's link preview; `path` includes its parameters, `image_path` is that of a 1200 x 630 image, or home's.

    Search engines are asked not to list a page unless `is_indexed`.
    """

    title: str
    description: str
    path: str
    image_path: str = ""
    has_oembed: bool = False
    feed_path: str = ""
    json_ld: Sequence[SafeString] = ()
    is_indexed: bool = True

    @property
    def url(self) -> str:
        return full_url(self.path)

    @property
    def image(self) -> str:
        return full_url(self.image_path or address("home-preview"))

    @property
    def oembed(self) -> str:
        return full_url(with_query(address("oembed"), url=self.url, format="json")) if self.has_oembed else ""

    @property
    def feed_url(self) -> str:
        return full_url(self.feed_path) if self.feed_path else ""


_CONTEXT = "https://schema.org"
PLP_NAME = "Power-loss protection"
MICROSECONDS = {"unitText": "µs"}


def json_ld(data: dict[str, Any]) -> SafeString:
    """The data in a non-executable script element, with `<`, `>` and `&` escaped as in json_script."""
    plain = json_script({"@context": _CONTEXT, **data})
    return mark_safe(plain.replace('type="application/json"', 'type="application/ld+json"', 1))  # noqa: S308 - escaped there


def brand(name: str) -> dict[str, Any]:
    return {"brand": {"@type": "Brand", "name": name}} if name else {}


def property_value(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"@type": "PropertyValue", "name": name, "value": value, **more}


# BBCode has no escapes, so brackets that could open a tag are replaced.
_BBCODE = str.maketrans({"[": "(", "]": ")"})
_MARKDOWN = re.compile(r"([\\`*_\[\]<>&|~!#@])")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Way:
    """A text that shows a page elsewhere, and the path of the picture in it or ""."""

    label: str
    text: str
    picture_path: str = ""

    @property
    def height(self) -> int:
        """Of the picture on the page, in pixels: a badge's own, about a quarter of a PNG's."""
        return 20 if self.picture_path.endswith(".svg") else 160


@dataclass(frozen=True, slots=True)
class Shared:
    """A page to share: its name (user input), a line about it (ours), its path, and its pictures' paths or "".

    `picture_path` is that of a PNG.
    """

    name: str
    summary: str
    path: str
    picture_path: str = ""
    badge_path: str = ""

    @property
    def bbcode(self) -> str:
        """A line for a forum, below the picture if there is one."""
        url = full_url(self.path)
        picture = f"{bbcode_picture(self.path, self.picture_path)}\n" if self.picture_path else ""
        return f"{picture}[url={url}]{bbcode_text(self.name)}[/url]: {bbcode_text(self.summary)}"

    @property
    def ways(self) -> list[Way]:
        """The ways of parts/share.html."""
        url, name = full_url(self.path), markdown_text(self.name)
        ways = [
            Way("Link", url),
            Way("BBCode", replace(self, picture_path="").bbcode),
            Way("Markdown", f"[{name}]({url}): {markdown_text(self.summary)}"),
        ]
        if self.picture_path:
            ways += [
                *picture_ways(self.name, self.path, self.picture_path),
                Way("Picture, BBCode", self.bbcode),
            ]
        if self.badge_path:
            badge = f"[![{name}]({full_url(self.badge_path)})]({url})"
            ways += [
                Way("Badge, Markdown", badge, self.badge_path),
                Way("Badge, BBCode", bbcode_picture(self.path, self.badge_path)),
            ]
        return ways


def picture_ways(name: str, path: str, picture_path: str) -> list[Way]:
    """A page's picture, and HTML that shows it."""
    html = picture_html(name, path, picture_path, SafeString())
    return [Way("Picture", full_url(picture_path), picture_path), Way("Embed, HTML", html)]


def picture_html(name: str, path: str, picture_path: str, size: SafeString) -> SafeString:
    """A page's picture as a link to it, with the attributes of its `size`."""
    made = '<a href="{}"><img src="{}"{} alt="{}"></a>'
    return format_html(made, full_url(path), full_url(picture_path), size, name)


def bbcode_picture(path: str, picture_path: str) -> str:
    """A page's picture as a link to it."""
    return f"[url={full_url(path)}][img]{full_url(picture_path)}[/img][/url]"


def bbcode_text(text: str) -> str:
    """The text with BBCode tags and addresses defused."""
    return _plain(text).translate(_BBCODE)


def markdown_text(text: str) -> str:
    """The text with Markdown markup and addresses defused."""
    return _MARKDOWN.sub(r"\\\1", _plain(text))


def _plain(text: str) -> str:
    """The text on one line, without anything that is linked automatically."""
    return _BLANKS.sub(" ", text).replace("://", ": //").strip()


def bbcode_table(rows: Sequence[Sequence[str]]) -> str:
    """A table of cells in BBCode, header first."""

    def line(cells: Iterable[str], tag: str) -> str:
        return f"[tr]{''.join(f'[{tag}]{cell}[/{tag}]' for cell in cells)}[/tr]"

    head, *body = rows
    return "\n".join(["[table]", line(head, "th"), *(line(row, "td") for row in body), "[/table]"])


def markdown_table(rows: Sequence[Sequence[str]], *, on_left: Collection[int]) -> str:
    """The same in Markdown; these columns are aligned on the left, the others on the right."""
    head, *body = rows
    rule = ["---" if number in on_left else "--:" for number in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))
