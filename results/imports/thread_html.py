"""Posts of a forum thread saved as HTML: XenForo 2, and the older XenForo 1."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from urllib.parse import urljoin, urlsplit

from lxml import etree

from results.core.parameters import parse_whole_number
from results.kinds.envelope import fitting_text
from results.models import lengths

DEEPEST = 100
MAX_PAGE_BYTES = 8 * 1024 * 1024
MAX_POSTS = 1000
BREAKS = {"br", "div", "p", "li", "pre", "tr", "blockquote"}
HIDDEN = {"script", "style", "template"}
QUOTES = {"bbCodeBlock--quote", "bbCodeQuote", "bbCodeBlock-title", "attribution", "js-selectToQuoteEnd"}
_BLANK_LINES = re.compile(r"\n{3,}")


class ThreadError(Exception):
    """The file is not a saved page of a thread; the message says why."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post: author, time, URL, and its text without quotes."""

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
    """The posts of one saved page. Raises ThreadError if there are none."""
    raw = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(raw) > MAX_PAGE_BYTES:
        raise ThreadError(f"The page is larger than {MAX_PAGE_BYTES // 1024**2} MiB.")
    page = _Page()
    etree.fromstring(raw, etree.HTMLParser(target=page, encoding=_encoding(raw)))
    address = next((url for url in (page.canonical, page.shared) if _is_web_address(url)), "")
    posts = [post for draft in page.drafts if (post := _post(draft, address)).text]
    if not posts:
        raise ThreadError("No posts found. Save a page of a XenForo forum as HTML, not as text.")
    title = fitting_text(" ".join("".join(page.title).split()), longest=lengths.TITLE)
    return Thread(title or address or "a thread without a title", address, tuple(posts))


def _encoding(raw: bytes) -> str | None:
    """UTF-8 if the page is valid UTF-8; else None, and the parser uses what the page declares."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


@dataclass(slots=True)
class _PostDraft:
    """A post as collected from its tags; None for what hasn't been found yet."""

    author: str
    link: str | None = None
    time: str | None = None
    seconds: str | None = None
    body: list[str] | None = None


@dataclass(slots=True)
class _Page:
    """lxml parser target, called for each tag and text. No tree is built: each call does bounded work."""

    title: list[str] = field(default_factory=list)
    canonical: str = ""
    shared: str = ""
    drafts: list[_PostDraft] = field(default_factory=list)
    _depth: int = 0
    _open: dict[str, int] = field(default_factory=dict)  # the depth at which each part of the page began

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ThreadError(f"The page nests more than {DEEPEST} elements: this is not a XenForo thread.")
        classes = attributes.get("class", "").split()
        if "post" in self._open:
            self._start_in_post(tag, classes, attributes)
        elif _is_post(tag, classes, attributes):
            self._start_post(attributes)
        elif tag == "title" and not self.title:
            self._begin("title")
        elif tag == "link" and attributes.get("rel") == "canonical":
            self.canonical = self.canonical or attributes.get("href", "")
        elif tag == "meta" and attributes.get("property") == "og:url":
            self.shared = self.shared or attributes.get("content", "")

    def end(self, _tag: str) -> None:
        if self._depth in self._open.values():
            self._open = {part: depth for part, depth in self._open.items() if depth < self._depth}
        self._depth -= 1

    def data(self, text: str) -> None:
        if "title" in self._open:
            self.title.append(text)
        elif "body" in self._open and "quote" not in self._open and "hidden" not in self._open:
            self._write(text if "pre" in self._open else text.replace("\n", " "))

    def close(self) -> None:
        """Part of lxml's protocol."""

    def _begin(self, part: str) -> None:
        self._open.setdefault(part, self._depth)

    def _write(self, text: str) -> None:
        body = self.drafts[-1].body
        if body is not None:
            body.append(text)

    def _start_post(self, attributes: Mapping[str, str]) -> None:
        if len(self.drafts) == MAX_POSTS:
            raise ThreadError(f"The page has more than {MAX_POSTS} posts: this is not a XenForo thread.")
        self.drafts.append(_PostDraft(author=attributes.get("data-author", "")))
        self._begin("post")

    def _start_in_post(self, tag: str, classes: list[str], attributes: Mapping[str, str]) -> None:
        draft = self.drafts[-1]
        if draft.time is None and tag == "time":
            draft.time = attributes.get("datetime")
        if draft.seconds is None:
            draft.seconds = attributes.get("data-time")
        if draft.link is None and tag == "a":
            draft.link = _permalink(classes, attributes.get("href", ""))
        if draft.body is None and _is_body(tag, classes):
            draft.body = []
            self._begin("body")
        elif "body" in self._open:
            self._start_in_body(tag, classes)

    def _start_in_body(self, tag: str, classes: list[str]) -> None:
        if not QUOTES.isdisjoint(classes):
            self._begin("quote")
        if tag in HIDDEN:
            self._begin("hidden")
        if tag == "pre":
            self._begin("pre")
        if tag in BREAKS and "quote" not in self._open:
            self._write("\n")


def _is_post(tag: str, classes: list[str], attributes: Mapping[str, str]) -> bool:
    if tag == "article":
        return "message--post" in classes
    return tag == "li" and "message" in classes and attributes.get("id", "").startswith("post-")


def _is_body(tag: str, classes: list[str]) -> bool:
    return "bbWrapper" in classes or (tag == "blockquote" and "messageText" in classes)


def _permalink(classes: list[str], href: str) -> str | None:
    is_one = "/post-" in href or (
        "post-" in href and not {"hashPermalink", "u-concealed"}.isdisjoint(classes)
    )
    return href if is_one else None


def _post(draft: _PostDraft, page: str) -> Post:
    address = _joined(page, draft.link or "")
    return Post(
        author=fitting_text(" ".join(draft.author.split()), longest=lengths.HANDLE),
        posted_on=_posted_on(draft),
        address=address if _is_web_address(address) else page,
        text=_BLANK_LINES.sub("\n\n", "".join(draft.body or ())).strip(),
    )


def _posted_on(draft: _PostDraft) -> date | None:
    if draft.time:
        try:
            return datetime.fromisoformat(draft.time).date()
        except ValueError:
            return None
    seconds = parse_whole_number(draft.seconds or "", max_digits=10)
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).date()


def _joined(page: str, link: str) -> str:
    """The absolute URL of a link on the page; the page's URL if there is no link."""
    try:
        return urljoin(page, fitting_text(link, longest=len(link)))
    except ValueError:
        return page


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and len(address) <= lengths.ADDRESS
