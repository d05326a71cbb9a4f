"""Keep JSON: the keys that are known, numbers, and the strings that the rules of a format let through.

Lines that are broken within a string and text between documents are left out; each kept line is where it was.
"""

import json
import re
from collections.abc import Sequence
from typing import Protocol

WITHHELD = "\u2026"  # in place of a key or a string that isn't known
_TOKEN = re.compile(
    r'"(?P<text>(?:[^"\\\n]|\\.)*+)"(?P<colon>\s*:)?|(?P<word>true|false|null|NaN)'
    r"|(?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=\s*+[,}\]]|[ \t]*+(?:\n|\Z))"
    r"|(?P<open>[{\[])|(?P<close>[}\]])|(?P<space>[\s,]+)",
)
_DOCUMENT = re.compile(r'\{\s*"[^"\n]{1,80}"\s*:')
# The rest of a broken document
_REST = re.compile(r'^[ \t]*(?:"[^"\n]{1,80}"[ \t]*(?::|,|$)|[}\]],?[ \t]*$)', re.MULTILINE)
_MAX_NUMBER_LENGTH = 24  # characters
_MAX_IN_ARRAY = 5  # characters: the arrays of the tools hold objects, or parts of a version
_MEMBER, _VALUE, _BEHIND_VALUE = range(3)  # what can be at a place


class Rules(Protocol):
    """What a format lets through."""

    def is_key(self, key: str) -> bool:
        """Whether the tool prints this key."""

    def mask(self, value: str, key: str, within: Sequence[str]) -> str | None:
        """The mask of what identifies something by its key, a string or a number; None for any other.

        `within` are the keys of the objects around it, the innermost last.
        """

    def keep_text(self, value: str, key: str, within: Sequence[str]) -> str:
        """What is kept of another string."""

    def is_number(self, value: str, key: str) -> bool:
        """Whether the tool prints such a number under this key."""


def keep_documents(lines: Sequence[str], rules: Rules) -> list[str | None]:
    """What is kept of lines that begin with a document, or with the rest of one."""
    text = "\n".join(lines)
    start = _DOCUMENT.search(text)
    first = _REST.match(text)
    at = 0 if first or not start else start.start()
    masked = _Kept(text, rules)
    masked.skip(0, at)
    while at < len(text):
        at = masked.keep_document(at, is_whole=text[at] == "{")
        following = _DOCUMENT.search(text, at)
        end = following.start() if following else len(text)
        masked.skip(at, end)
        at = end
    return [
        line if line.strip() else None if source.strip(" ,") else ""
        for line, source in zip(masked.lines(), lines, strict=True)
    ]


class _Kept:
    """The kept text, piece by piece, with the line ends of the source."""

    def __init__(self, text: str, rules: Rules) -> None:
        self._text, self._rules = text, rules
        self._pieces: list[str] = []
        self._within: list[str] = []  # the keys of the open brackets
        self._brackets: list[str] = []
        self._places: dict[re.Pattern[str], int] = {}  # where patterns occur next
        self._has_token = False  # on the line
        self._place = _MEMBER
        self._withheld = 0  # how many of these aren't known, or are within one
        self._key = ""
        self._is_known = True

    def lines(self) -> list[str]:
        return "".join(self._pieces).split("\n")

    def skip(self, start: int, end: int) -> None:
        """Leave out a stretch of the text."""
        self._pieces.append("\n" * self._text.count("\n", start, end))

    def _find(self, pattern: re.Pattern[str], at: int) -> int:
        """Where the pattern occurs next; a place that was found is used until it is passed."""
        place = self._places.get(pattern, -1)
        if place < at:
            match = pattern.search(self._text, at)
            place = self._places[pattern] = match.start() if match else len(self._text)
        return place

    def keep_document(self, at: int, *, is_whole: bool) -> int:
        """Keep the document that begins there, and return where it ends."""
        self._within, self._brackets, self._withheld = [], [], 0
        self._key, self._is_known, self._place = "", True, _MEMBER
        text, begin = self._text, at
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None or not (match.lastgroup in ("space", "close") or self._fits(match)):
                end = self._find(_REST, at + 1)
                begins_another = _DOCUMENT.match(text, at) is not None
                if begins_another or end >= min(self._find(_DOCUMENT, at + 1), len(text)):
                    return at + 1 if match and not (begins_another and at > begin) else at
                if self._has_token:
                    self._pieces.append(WITHHELD)  # so that it is broken there as well
                self.skip(at, end)
                self._place, self._has_token = _MEMBER, False
                at = end
                continue
            self._keep_token(match)
            at = match.end()
            if is_whole and match["close"] and not self._within:
                return at
        return at

    def _fits(self, match: re.Match[str]) -> bool:
        """Whether such a token can be there: foreign lines within a document have no commas around them."""
        kind = match.lastgroup
        is_array = self._brackets[-1:] == ["["]
        if kind == "colon":
            return self._place != _VALUE and not is_array
        is_free = is_array or (kind != "number" and not self._within)
        return self._place == _VALUE or (self._place == _MEMBER and is_free)

    def _keep_token(self, match: re.Match[str]) -> None:
        kind, token = match.lastgroup, match[0]
        self._has_token = kind != "space" or (self._has_token and "\n" not in token)
        if kind == "space":
            self._place = _MEMBER if "," in token else self._place
        elif kind == "colon":
            self._key, self._place = match["text"], _VALUE
            self._is_known = self._rules.is_key(self._key)
            name = self._key if self._is_known and not self._withheld else WITHHELD
            token = f'"{name}"{match["colon"]}'
        elif kind == "open":
            self._within.append(self._key)
            self._brackets.append(token)
            self._withheld += bool(self._withheld or not self._is_known)
            self._is_known, self._place = True, _MEMBER
        elif kind == "close":
            self._key = self._within.pop() if self._within else ""
            del self._brackets[-1:]
            self._withheld = max(self._withheld - 1, 0)
            self._is_known, self._place = True, _BEHIND_VALUE
        else:
            token, self._place = self._keep_value(match), _BEHIND_VALUE
        self._pieces.append(token)

    def _keep_value(self, match: re.Match[str]) -> str:
        text, number = match["text"], match["number"]
        if self._withheld or not self._is_known:
            return "null" if text is None else f'"{WITHHELD}"'
        plain = _without_escapes(text) if text is not None else (number or match["word"])[:_MAX_NUMBER_LENGTH]
        masked = self._rules.mask(plain, self._key, self._within)
        if masked is not None and match["word"]:
            return "null"
        if masked is None and text is not None:
            masked = self._rules.keep_text(plain, self._key, self._within)
        if masked not in (None, plain):
            return json.dumps(masked, ensure_ascii=False)
        is_long = number is not None and self._brackets[-1:] == ["["] and len(number) > _MAX_IN_ARRAY
        is_foreign = number is not None and not self._rules.is_number(plain, self._key)
        return "null" if is_long or is_foreign or match["word"] == "NaN" else plain if number else match[0]


def _without_escapes(text: str) -> str:
    """What a string of JSON states; the text itself where it isn't valid."""
    try:
        return str(json.loads(f'"{text}"')) if "\\" in text else text
    except ValueError:
        return text
