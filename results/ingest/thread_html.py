"""Reads the posts out of a forum thread that was saved as HTML: XenForo 2, and the older XenForo 1."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

from results.ingest.limits import fitting_text
from results.models import lengths

POSTS = "article.message--post, li.message[id^=post-]"
BODIES = ".message-body .bbWrapper, blockquote.messageText, .bbWrapper"
QUOTES = ".bbCodeBlock--quote, .bbCodeQuote, .bbCodeBlock-title, .attribution, .js-selectToQuoteEnd"
LINKS = "a[href*='/post-'], a.hashPermalink, a.u-concealed"
BREAKS = {"br", "div", "p", "li", "pre", "tr", "blockquote"}
DEEPEST = 100
_BLANK_LINES = re.compile(r"\n{3,}")


class ThreadError(Exception):
    """This is no saved page of a thread; says why."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post: who wrote it, when, where it stands, and its text without what it quotes."""

    author: str
    posted_on: date | None
    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Thread:
    """A page of a thread: its title, its address and its posts in order."""

    title: str
    address: str
    posts: tuple[Post, ...]


def read_thread(html: str | bytes) -> Thread:
    """The posts of one saved page. Raises ThreadError where there are none."""
    soup = BeautifulSoup(html, "html.parser")
    _refuse_depth(soup)
    address = _address(soup)
    posts = [_post(found, address) for found in _outermost(soup.select(POSTS))]
    posts = [post for post in posts if post.text]
    if not posts:
        raise ThreadError("No post was found: save the page as HTML (not as text), of a XenForo forum.")
    title = fitting_text(soup.title.get_text(" ", strip=True), longest=lengths.TITLE) if soup.title else ""
    return Thread(title or address or "a thread without a title", address, tuple(posts))


def _refuse_depth(soup: BeautifulSoup) -> None:
    """Raise ThreadError for what nests as no forum does: reading it takes time by the cube of the depth."""
    depths = {id(soup): 0}
    for node in soup.descendants:
        if isinstance(node, Tag):
            depth = depths[id(node)] = depths[id(node.parent)] + 1
            if depth > DEEPEST:
                raise ThreadError(
                    f"The page nests more than {DEEPEST} elements: it is no thread of XenForo's."
                )


def _outermost(posts: Iterable[Tag]) -> Iterator[Tag]:
    """Those that stand in no other; they come in the order of the page."""
    taken: set[int] = set()
    for post in posts:
        if not any(id(parent) in taken for parent in post.parents):
            taken.add(id(post))
            yield post


def _address(soup: BeautifulSoup) -> str:
    """Where the page stood, as it says itself; empty when it says none that is on the web."""
    canonical = soup.select_one("link[rel=canonical]")
    shared = soup.select_one("meta[property='og:url']")
    told = _attribute(canonical, "href") or _attribute(shared, "content")
    return told if _is_web_address(told) else ""


def _post(found: Tag, page: str) -> Post:
    body = found.select_one(BODIES)
    link = next((one for one in found.select(LINKS) if "post-" in _attribute(one, "href")), None)
    address = urljoin(page, _attribute(link, "href")) if link else page
    return Post(
        author=" ".join(_attribute(found, "data-author").split())[: lengths.HANDLE],
        posted_on=_posted_on(found),
        address=address if _is_web_address(address) else page,
        text=_text(body) if body else "",
    )


def _posted_on(found: Tag) -> date | None:
    time = found.select_one("time[datetime]")
    if time:
        try:
            return datetime.fromisoformat(_attribute(time, "datetime")).date()
        except ValueError:
            return None
    older = found.select_one("[data-time]")
    seconds = _attribute(older, "data-time")
    if seconds.isascii() and seconds.isdecimal() and len(seconds) <= 10:
        return datetime.fromtimestamp(int(seconds), UTC).date()
    return None


def _text(body: Tag) -> str:
    """The words as they stand on lines; what is quoted of others is left to the post that it is from."""
    for quoted in body.select(QUOTES):
        quoted.decompose()
    parts: list[str] = []
    for node in body.descendants:
        if isinstance(node, Tag) and node.name in BREAKS:
            parts.append("\n")
        elif type(node) is NavigableString:
            parts.append(str(node) if node.find_parent("pre") else " ".join(str(node).split("\n")))
    return _BLANK_LINES.sub("\n\n", "".join(parts)).strip()


def _attribute(tag: Tag | None, name: str) -> str:
    """Its value as a table can hold it; empty where there is none."""
    value: Any = tag.get(name, "") if tag else ""
    return fitting_text(value, longest=len(value)) if isinstance(value, str) else ""


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and len(address) <= lengths.ADDRESS
