"""Find where known identifiers occur elsewhere in the text.

In other spellings, within other words, split in two.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from parsers.privacy.rules import MASK, Site
from parsers.privacy.words import COMMON_WORDS, STORAGE_WORDS
from parsers.text.traced import Edit

TOKEN = re.compile(r"[0-9A-Za-z]{5,}")
NAME_TOKEN = re.compile(r"\w[\w.-]{2,}")
HEX = re.compile(r"[0-9a-f]{12,}")
# The end of a key, and the quote that it is put in: JSON may be in a string or in HTML.
JSON_KEY = re.compile(r'(\\?"|&quot;|&#34;|[\u201c\u201d])(?:\s|&nbsp;){0,20}:(?:\s|&nbsp;){0,20}$')
# A serial number that equals one of these words is no reason to mask the word.
MODEL_LINES = re.compile(
    r"(?:Device Model|Model Number|Model Family|Product|Vendor|Firmware Version|Revision|model_name|model_family"
    r"|firmware_version|product)\"?[ \t]*:[ \t]*([^\n]{1,80})"
)
DESCRIPTION = "# Disk descr"  # diskinfo states the value first
LONGEST_DESCRIPTION = 80
# EUI-64 and NAA names are printed in groups; the last one alone identifies the device.
TAIL_LENGTHS = (9, 10)
SHORTEST_WITHIN = 8  # characters of an identifier that is masked within other words, too
MOST_WITHIN = 64  # as many are also found within words; the others as complete words only
DOMAIN_BEHIND = r"(?:\.\w[\w-]{0,60}){1,6}(?![\w-])"
LONG_NAME = 5  # characters of a name that is masked as a part of a word, too
FEW = 64  # words or names that are looked for one by one
TOP_DOMAINS = (
    "com",
    "org",
    "net",
    "de",
    "io",
)  # a name in one of these is a domain's, of a mail address perhaps
SHORTEST_PART = (
    5  # characters of a host or user that is masked within the names of files, and without its domain
)
MOST_MODELS = (
    800  # each word that is found is looked for in their names; no paste that is read to its end has more
)
NUMBERED = re.compile(r"([a-z][a-z_-]{1,40}?)(?:[-_]?\d{1,3}|[-_][a-z])(?:\.[\w.-]{1,60})?")
SHORTEST_STEM = 3
NOT_ALPHANUMERIC = bytes(range(256)).translate(None, b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
BYTES_TOKEN = re.compile(rb"[0-9A-Z]{5,}")


@dataclass(slots=True)
class KnownIdentifiers:
    """The identifiers to look for, each with its mask.

    As complete words, within words, and as names of hosts, users and pools.
    """

    words: dict[str, str] = field(default_factory=dict)  # upper case
    within: dict[bytes, str] = field(default_factory=dict)  # upper case, nothing but letters and digits
    names: dict[str, str] = field(default_factory=dict)  # lower case

    def __bool__(self) -> bool:
        return bool(self.words or self.within or self.names)

    def add(self, kind: str, name: str, *, value: str, mask: str) -> None:
        """Look for an identifier from now on; `name` is its canonical form."""
        if kind in ("host", "user", "pool"):
            if _is_distinct_name(name):
                self.names.setdefault(name, mask)
            short, _, domain = name.partition(".")
            if kind == "host" and domain and domain not in TOP_DOMAINS and _is_distinct_part(short):
                self.names.setdefault(short, mask)
            return
        for word in _words(kind, name, value):
            self.words.setdefault(word, mask)
        joined = name.upper()
        if (
            len(joined) >= SHORTEST_WITHIN
            and not joined.isdigit()
            and not joined.isalpha()
            and joined.isascii()
        ):
            self.within.setdefault(joined.encode(), mask)

    def find(self, text: str) -> list[Edit]:
        """Return edits that mask all occurrences, in order and without overlap."""
        upper = text.encode("ascii", "replace").upper()
        edits = [*self._find_within(upper, text), *self._find_words(upper, text), *self._find_names(text)]
        return _apart(sorted(edits), text)

    def _find_words(self, upper: bytes, text: str) -> Iterator[Edit]:
        """Find identifiers that are complete words."""
        if len(self.words) <= FEW:
            present = {word for word in self.words if word.encode() in upper}
        else:
            present = self.words.keys() & {word.decode() for word in BYTES_TOKEN.findall(upper)}
        if not present:
            return
        models = stated_models(text)
        found = {word for word in present if word.encode() not in models}
        for match in TOKEN.finditer(text) if found else ():
            word = match[0].upper()
            if word in found:
                mask = self.words[word]
                yield *match.span(), in_quotes(mask, text, match.start()) if word.isdigit() else mask

    def _find_within(self, upper: bytes, text: str) -> Iterator[Edit]:
        """Find identifiers within other words, or split by line ends and characters."""
        if not self.within:
            return
        upper = _without_masks(upper)
        squeezed = upper.translate(None, NOT_ALPHANUMERIC)
        present = [name for name in islice(self.within, MOST_WITHIN) if name in squeezed]
        if not present:
            return
        models = stated_models(text)
        places = [match.start() for match in re.finditer(rb"[0-9A-Z]", upper)]
        for name in present:
            at = squeezed.find(name) if name not in models else -1
            while at >= 0:
                yield places[at], places[at + len(name) - 1] + 1, self.within[name]
                at = squeezed.find(name, at + len(name))

    def _find_names(self, text: str) -> Iterator[Edit]:
        """Find hosts, users and pools as words, with a domain or without, and long ones as parts of words."""
        if not self.names:
            return
        if len(self.names) > FEW:
            found: Iterator[tuple[int, int, str]] = self._find_in_words(text)
        else:
            lower = text.lower()
            present = [name for name in self.names if name in lower]
            found = self._find_each(lower, present) if present and len(lower) == len(text) else iter(())
        edits = list(found)
        models = stated_models(text) if edits else b""
        for start, end, name in edits:
            if _alphanumeric(text[start:end]) not in models:
                yield start, end, self.names[name]

    def _find_in_words(self, text: str) -> Iterator[tuple[int, int, str]]:
        for match in NAME_TOKEN.finditer(text):
            word = match[0].lower()
            name = word if word in self.names else word.partition(".")[0]
            if name in self.names:
                yield *match.span(), name

    def _find_each(self, lower: str, names: list[str]) -> Iterator[tuple[int, int, str]]:
        """Find a few names; a short one as a complete word only."""
        for of_size, before, behind in (
            ([name for name in names if _is_long(name)], r"(?<![^\W_])(?<!www\.)", "(?![^\\W_])"),
            ([name for name in names if not _is_long(name)], r"(?<![\w.-])", r"(?![\w-])"),
        ):
            pattern = "|".join(map(re.escape, sorted(of_size, key=len, reverse=True)))
            fits = rf"{before}(?P<name>{pattern})(?:{DOMAIN_BEHIND}|{behind})"
            for match in re.finditer(fits, lower) if of_size else ():
                yield *match.span(), match["name"]

    def siblings(self, text: str) -> Iterator[Site]:
        """Find hosts that are numbered like a known one: "pve-02" beside "pve-01"."""
        stems = {
            stem[1]
            for name, mask in islice(self.names.items(), FEW)
            if mask.startswith("[host") and (stem := NUMBERED.fullmatch(name)) and _is_distinct_stem(stem[1])
        }
        if not stems:
            return
        longest_first = "|".join(map(re.escape, sorted(stems, key=len, reverse=True)))
        models = stated_models(text)
        for match in re.finditer(
            rf"(?<![\w.-])(?:{longest_first})(?:[-_]?\d{{1,3}}|[-_][a-z])(?![\w-])", text, re.IGNORECASE
        ):
            if _alphanumeric(match[0]) not in models:
                yield Site(*match.span(), "host", match[0])


def stated_models(text: str) -> bytes:
    """The letters and digits of what is stated as the name of a product."""
    return b" ".join(map(_alphanumeric, islice(_model_lines(text), MOST_MODELS)))


def _alphanumeric(text: str) -> bytes:
    return text.encode("ascii", "replace").upper().translate(None, NOT_ALPHANUMERIC)


def _without_masks(upper: bytes) -> bytes:
    """The text with its masks blanked, since they contain letters and digits, too."""
    return UPPER_MASK.sub(lambda match: b" " * len(match[0]), upper) if b"[" in upper else upper


UPPER_MASK = re.compile(MASK.pattern.upper().encode())


def _apart(edits: list[Edit], text: str) -> list[Edit]:
    """Remove edits that begin within another; move line ends behind the mask."""
    separate: list[Edit] = []
    done = 0
    for start, end, mask in edits:
        if start >= done:
            separate.append((start, end, mask + "\n" * text.count("\n", start, end)))
            done = end
    return separate


def _model_lines(text: str) -> Iterator[str]:
    yield from MODEL_LINES.findall(text)
    place = text.find(DESCRIPTION)
    while place >= 0:
        begin = max(place - LONGEST_DESCRIPTION, 0)
        yield text[max(text.rfind("\n", begin, place) + 1, begin) : place]
        place = text.find(DESCRIPTION, place + 1)


def _words(kind: str, name: str, value: str) -> list[str]:
    """The words that reveal an identifier, in upper case."""
    if kind != "wwn" or not HEX.fullmatch(name):
        return [part.upper() for part in TOKEN.findall(value) if _is_distinct(part)]
    name = name.upper()
    short, long = (name[-length:] for length in TAIL_LENGTHS)
    decimals = [str(int(short, 16)), str(int(long, 16))]  # JSON has the last group as a number
    return [name, f"0X{name}", f"N{name}", short, long, *decimals]


def _is_distinct(word: str) -> bool:
    """Whether a word can only be an identifier: mixed, or long."""
    if word.isdigit():
        return len(word) >= 7
    return len(word) >= 8 or not word.isalpha()


def _is_long(name: str) -> bool:
    """Whether a name is unlikely to be a part of another word."""
    return len(name) >= LONG_NAME or (len(name) == LONG_NAME - 1 and not name.isalpha())


def _is_distinct_name(name: str) -> bool:
    """Whether a host or user name is neither a word of the tools nor a common word."""
    return len(name) > 3 and name not in COMMON_WORDS


def _is_distinct_stem(stem: str) -> bool:
    """Whether numbered names that begin like this are machines, and no disks, tests or models."""
    return len(stem) >= SHORTEST_STEM and stem not in COMMON_WORDS and stem not in STORAGE_WORDS


def _is_distinct_part(name: str) -> bool:
    """Whether a host or user name identifies it within other words, and a host without its domain."""
    return len(name) >= SHORTEST_PART and name not in COMMON_WORDS and name not in STORAGE_WORDS


def in_quotes(mask: str, source: str, start: int) -> str:
    """Return the mask for a number, in the quotes of the key before it, if any."""
    key = JSON_KEY.search(source, max(start - 60, 0), start)
    return f"{key[1]}{mask}{key[1]}" if key else mask
