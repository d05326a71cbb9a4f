"""Put each JSON document of a tool on lines of its own, whatever is around it on its lines."""

import json
import re
from collections.abc import Iterator

from parsers.text.numbered import Edit, Numbered

# Keys that only a document of a tool has, and how far outside of their object it begins
_MARKS = {"json_format_version": 1, "smartctl": 1, "fio version": 1, "info_name": 2}
_MARK = re.compile(r'"(?:json_format_version|smartctl|fio version|info_name)"\s*:')
_FIRST_KEY = "json_format_version"
_TOKEN = re.compile(
    r'["{}\[\]](?:(?<=")(?P<text>(?:[^"\\\n]|\\.)*+)"(?P<colon>\s*:)?|(?<=[{\[])(?P<open>)|(?<=[}\]])(?P<close>))'
)
_PAIRS = {"}": "{", "]": "["}
_SEPARATORS = " \t,;"  # may remain on the lines of a document
_ESCAPED = re.compile(r'\\"(?:json_format_version|fio version)\\"\s*:')
_HOLDER = re.compile(r"\{[^{}\n]{0,200}:\s*\Z")  # the object that the string is in
_KEY_BEFORE = re.compile(r'"\s*:\s*\Z')
_NEAR = 200  # characters
_MAX_ATTEMPTS = 200  # to read an object


def split_documents(plain: Numbered) -> Numbered:
    """The text with a line end in front of and behind each document, where other text is."""
    if _ESCAPED.search(plain.text) is not None:
        plain = plain.edit(_strings(plain.text))
    if _MARK.search(plain.text) is None:
        return plain
    edits = sorted(set(_Places(plain.text).edits()))
    return plain.edit(edits) if edits else plain


def _strings(text: str) -> Iterator[Edit]:
    """Put what a string of JSON states in its place, where that is a document."""
    for token in _TOKEN.finditer(text):
        if token["text"] and _ESCAPED.search(token["text"]):
            holder = _HOLDER.search(text, max(token.start() - _NEAR, 0), token.start())
            try:
                document = json.loads(token[0])
            except ValueError:
                continue
            yield holder.start() if holder else token.start(), token.end(), f"\n{document}\n"


class _Places:
    """Where the documents of a text begin and end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, int]] = []  # brackets, and where they are
        self._documents: set[int] = set()  # where they begin
        self._attempts = 0

    def edits(self) -> Iterator[Edit]:
        for token in _TOKEN.finditer(self._text):
            if token.lastgroup == "open":
                self._open.append((token[0], token.start()))
            elif token.lastgroup == "close":
                yield from self._end(token[0], token.end())
            elif token.lastgroup == "colon" and token["text"] in _MARKS:
                yield from self._begin(token["text"], token.start())

    def _begin(self, key: str, at: int) -> Iterator[Edit]:
        """A line end where a document begins behind other text; below another, the bracket that one lost."""
        if key == _FIRST_KEY and not self._open and self._documents:
            self._open.append(("{", at))
            self._documents.add(at)
            yield at, at, "\n{" if self._has_text_before(at) else "{"
        elif len(self._open) >= _MARKS[key]:
            bracket, begin = self._open[-_MARKS[key]]
            if bracket == "{" and begin not in self._documents and not self._is_member(begin):
                self._documents.add(begin)
                if self._has_text_before(begin):
                    yield begin, begin, "\n"

    def _end(self, bracket: str, end: int) -> Iterator[Edit]:
        """A line end where a document ends in front of other text."""
        if self._open and self._open[-1][0] == _PAIRS[bracket]:
            _bracket, begin = self._open.pop()
            behind = self._text[end : end + _NEAR].partition("\n")[0]
            if begin not in self._documents or not behind.strip(_SEPARATORS):
                return
            if behind.lstrip()[:1] not in (",", "}", "]") or self._is_complete(begin):
                yield end, end, "\n"

    def _is_member(self, begin: int) -> bool:
        """Whether the object is another's, as it seems where a terminal broke a string."""
        has_key = _KEY_BEFORE.search(self._text, max(begin - _NEAR, 0), begin) is not None
        return has_key and not self._is_complete(begin)

    def _is_complete(self, begin: int) -> bool:
        """Whether JSON begins there that isn't broken."""
        self._attempts += 1
        if self._attempts > _MAX_ATTEMPTS:
            return False
        try:
            json.JSONDecoder().raw_decode(self._text, begin)
        except (ValueError, RecursionError):
            return False
        return True

    def _has_text_before(self, at: int) -> bool:
        return bool(self._text[max(at - _NEAR, 0) : at].rpartition("\n")[2].strip(_SEPARATORS))
