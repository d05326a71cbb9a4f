"""A page's head for other sites: address, description, image, feeds, structured data, sharing snippets."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from results.core.addresses import address, full_url, with_query


class Social(NamedTuple):
    """A page's link preview; `path` includes its parameters, `image_path` is that of a 1200 x 630 image.

    Search engines are told not to list a page unless `is_indexed`.
    """

    title: str
    description: str
    path: str
    image_path: str
    has_oembed: bool = False
    feed_path: str = ""
    json_ld: Sequence[SafeString] = ()
    is_indexed: bool = True


def social_context(social: Social) -> dict[str, Any]:
    """The context of parts/social.html."""
    url = full_url(social.path)
    return {
        "social": {
            "title": social.title,
            "description": social.description,
            "url": url,
            "image": full_url(social.image_path),
            "oembed": (
                full_url(with_query(address("oembed"), url=url, format="json")) if social.has_oembed else ""
            ),
            "feed_url": social.feed_path and full_url(social.feed_path),
            "json_ld": social.json_ld,
            "is_indexed": social.is_indexed,
        }
    }


def page_social(title: str, description: str, path: str) -> dict[str, Any]:
    """The head of a page that isn't about a particular device; its image is that of home."""
    return social_context(Social(title, description, path, address("home-preview")))


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


class Shared(NamedTuple):
    """Content to share: its name (user input), a line about it (ours), its path and its badge's path or ""."""

    name: str
    summary: str
    path: str
    badge_path: str = ""


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


def share_context(shared: Shared) -> list[dict[str, Any]]:
    """The context of parts/share.html: each format with its label and its text."""
    url = full_url(shared.path)
    ways = [
        ("Link", url),
        ("BBCode", f"[url={url}]{bbcode_text(shared.name)}[/url]: {bbcode_text(shared.summary)}"),
        ("Markdown", f"[{markdown_text(shared.name)}]({url}): {markdown_text(shared.summary)}"),
    ]
    if shared.badge_path:
        badge = full_url(shared.badge_path)
        name = markdown_text(shared.name)
        ways.append(("Badge, Markdown", f"[![{name}]({badge})]({url})"))
        ways.append(("Badge, BBCode", f"[url={url}][img]{badge}[/img][/url]"))
    return share_texts(ways)


def share_texts(ways: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """The context of parts/share.html, of labels and texts; without those that are empty."""
    return [
        {"id": f"share-{number}", "label": label, "text": text}
        for number, (label, text) in enumerate(ways, 1)
        if text
    ]
