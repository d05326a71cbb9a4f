"""What people paste elsewhere: a link, and a line about a device or a result as BBCode and as Markdown."""

import re
from typing import Any, NamedTuple

from django.conf import settings

from results.addresses import address
from results.web.figures import Figures

# BBCode has no escape, so what could open a tag is written as another bracket.
_BBCODE = str.maketrans({"[": "(", "]": ")"})
_MARKDOWN = re.compile(r"([\\`*_\[\]<>&|~!#@])")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


class Shared(NamedTuple):
    """A thing to share: its name (somebody's text), a line about it (ours), its path and its badge's path or ""."""

    name: str
    says: str
    path: str
    badge_path: str = ""


def full_url(path: str) -> str:
    """A path of the site as an address that works elsewhere."""
    return f"{settings.SITE_URL}{path}"


def bbcode_text(text: str) -> str:
    """A text in which a forum finds no tag and no address."""
    return _plain(text).translate(_BBCODE)


def markdown_text(text: str) -> str:
    """A text in which Markdown finds no markup and no address."""
    return _MARKDOWN.sub(r"\\\1", _plain(text))


def _plain(text: str) -> str:
    """On one line, and nothing that is made a link by itself."""
    return _BLANKS.sub(" ", text).replace("://", ": //").strip()


def share_context(shared: Shared) -> list[dict[str, Any]]:
    """What partials/share.html needs: each way with its label and its text."""
    url = full_url(shared.path)
    ways = [
        ("Link", url),
        ("BBCode", f"[url={url}]{bbcode_text(shared.name)}[/url]: {bbcode_text(shared.says)}"),
        ("Markdown", f"[{markdown_text(shared.name)}]({url}): {markdown_text(shared.says)}"),
    ]
    if shared.badge_path:
        badge = full_url(shared.badge_path)
        name = markdown_text(shared.name)
        ways.append(("Badge, Markdown", f"[![{name}]({badge})]({url})"))
        ways.append(("Badge, BBCode", f"[url={url}][img]{badge}[/img][/url]"))
    return [
        {"id": f"share-{number}", "label": label, "text": text}
        for number, (label, text) in enumerate(ways, 1)
    ]


def device_share(figures: Figures) -> dict[str, Any]:
    """What partials/share.html needs on a device's page."""
    slug = figures.device.slug
    badge = address("device-badge", slug)
    shared = Shared(figures.name, figures.summary, address("device", slug), badge)
    return {"share": share_context(shared), "share_badge_url": badge}
