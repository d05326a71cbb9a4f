"""Mask what identifies a unit, a host or a person, wherever it stands in a paste.

`[serial-1]` stands for one serial number, `[wwn-1]` for one world-wide name (WWN, EUI-64, NGUID, logical unit id,
SAS address), `[host-1]` and `[user-1]` for names. The same identifier gets the same mask everywhere. Masking a
masked text changes nothing.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from parsers.clean import clean
from parsers.identifiers import MASK, find_people, find_sites
from parsers.sites import Site
from parsers.traced import Edit, Traced, apply_edits
from parsers.untouched import Untouched, find_untouched

DIGEST_LENGTH = 32  # hexadecimal digits: 128 bits
TOKEN = re.compile(r"[0-9A-Za-z]{5,}")
HOST_TOKEN = re.compile(r"\w[\w.-]{2,}")
HEX = re.compile(r"[0-9a-f]{12,}")
# The end of a key, and the quote that it is put in: JSON may stand in a string or in HTML.
JSON_KEY = re.compile(r'(\\?"|&quot;|&#34;|[\u201c\u201d])(?:\s|&nbsp;){0,20}:(?:\s|&nbsp;){0,20}$')
NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
# A serial number that equals a word of these is no reason to mask the word.
MODEL_LINES = re.compile(
    r"(?:Device Model|Model Number|Model Family|Product|Vendor|Firmware Version|Revision|model_name|model_family"
    r"|firmware_version|product)\"?[ \t]*:[ \t]*([^\n]{1,80})"
)
DESCRIPTION = "# Disk descr"  # diskinfo states the value first
LONGEST_DESCRIPTION = 80
MAX_PROBES = 12
# EUI-64 and NAA names are printed in groups; the last one alone tells the device.
TAIL_LENGTHS = (9, 10)


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text without identifiers, the same cleaned, and what the masks of serial numbers stand for.

    `untouched` is there where the text was diskinfo's output as printed and the masks are all that was put into it.
    """

    text: str
    cleaned: Traced
    unit_digests: dict[str, str]
    untouched: Untouched | None = None


def redact(text: str, *, unit_key: bytes, unit_digests: Mapping[str, str]) -> MaskedText:
    """Mask the text. `unit_digests` are those of an earlier masking, for the masks that the text holds already."""
    masks = Masks(text, unit_key, unit_digests)
    untouched = find_untouched(text)
    if untouched is not None:
        return _redact_untouched(untouched, masks)
    cleaned = clean(text)
    edits = [masks.edit_for(site) for site in find_sites(cleaned)]
    text = apply_edits(text, _source_edits(text, cleaned, edits) if cleaned.is_changed else edits)
    if cleaned.is_changed:
        text = apply_edits(text, [masks.edit_for(site) for site in find_people(Traced(text))])
    if not masks:
        return MaskedText(text, cleaned, masks.unit_digests)
    text = apply_edits(text, masks.occurrences(text))
    if not cleaned.is_changed:
        return MaskedText(text, cleaned.masked(text), masks.unit_digests)
    cleaned = clean(text)
    if cleaned.is_changed:
        hidden = masks.occurrences(cleaned.text)
        if hidden:
            text = apply_edits(text, _source_edits(text, cleaned, hidden))
            cleaned = clean(text)
    return MaskedText(text, cleaned, masks.unit_digests)


def take_masked(text: str, *, unit_digests: Mapping[str, str]) -> MaskedText:
    """The same for a text that is masked already, without another look for identifiers."""
    digests = Masks(text, b"", unit_digests).unit_digests
    untouched = find_untouched(text)
    return MaskedText(text, clean(text) if untouched is None else Traced(text), digests, untouched)


def _redact_untouched(untouched: Untouched, masks: "Masks") -> MaskedText:
    """The same, where it is known that there is nothing to clean."""
    untouched = untouched.masked([masks.edit_for(site) for site in untouched.sites()])
    text = untouched.text
    hidden = masks.occurrences(text) if masks else []
    if not hidden:
        return MaskedText(text, Traced(text), masks.unit_digests, untouched)
    text = apply_edits(text, hidden)
    return MaskedText(text, Traced(text), masks.unit_digests)


class Masks:
    """The masks of one text: gives them out, and finds what they stand for in other places."""

    def __init__(self, text: str, unit_key: bytes, unit_digests: Mapping[str, str]) -> None:
        self._key = unit_key
        self._masks: dict[tuple[str, str], str] = {}
        self._words: dict[str, str] = {}  # upper case
        self._probes: list[str] = []  # each word holds one; with more than MAX_PROBES they save no time
        self._hosts: dict[str, str] = {}
        self._last = {"serial": 0, "wwn": 0, "host": 0, "user": 0}
        self.unit_digests: dict[str, str] = {}
        for match in MASK.finditer(text) if "[" in text else ():
            self._last[match[1]] = max(self._last[match[1]], int(match[2]))
            if match[0] in unit_digests:
                self.unit_digests[match[0]] = unit_digests[match[0]]

    def __bool__(self) -> bool:
        return bool(self._masks)

    def mask_for(self, kind: str, value: str) -> str:
        """The mask of an identifier; a new one where it was not seen before."""
        name = _canonical(kind, value)
        mask = self._masks.get((kind, name))
        if mask is None:
            self._last[kind] += 1
            mask = self._masks[kind, name] = f"[{kind}-{self._last[kind]}]"
            if kind == "serial":
                digest = hmac.digest(self._key, name.encode(), hashlib.sha256).hex()
                self.unit_digests[mask] = digest[:DIGEST_LENGTH]
            if kind == "host":
                self._hosts.setdefault(value, mask)
            elif kind != "user":
                self._watch_for(*_words(kind, name, value), mask)
        return mask

    def edit_for(self, site: Site) -> Edit:
        """What goes where an identifier is stated; a number in JSON becomes a string, line ends go behind it."""
        mask = self.mask_for(site.kind, site.value)
        return site.start, site.end, (f'"{mask}"' if site.is_number else mask) + "\n" * site.line_ends

    def _watch_for(self, words: list[str], probes: list[str], mask: str) -> None:
        for word in words:
            self._words.setdefault(word, mask)
        if len(self._probes) <= MAX_PROBES:
            self._probes += probes

    def occurrences(self, text: str) -> list[Edit]:
        """Where identifiers stand apart from their labels, as whole words, and what to put there."""
        edits: list[Edit] = []
        found = self._find_words(text.upper())
        if found:
            found -= {word.upper() for line in _model_lines(text) for word in TOKEN.findall(line)}
            edits += self._word_occurrences(text, found)
        hosts = {host: mask for host, mask in self._hosts.items() if _is_distinct_host(host)}
        if hosts:
            edits += _host_occurrences(text, hosts)
            edits.sort()
        return edits

    def _find_words(self, text: str) -> set[str]:
        """Those of the words that are in the text, which is in upper case."""
        if len(self._probes) <= MAX_PROBES and not any(probe in text for probe in self._probes):
            return set()
        return self._words.keys() & set(TOKEN.findall(text))

    def _word_occurrences(self, text: str, words: set[str]) -> Iterator[Edit]:
        for match in TOKEN.finditer(text):
            word = match[0].upper()
            if word in words:
                mask = self._words[word]
                yield *match.span(), _in_quotes(mask, text, match.start()) if word.isdigit() else mask


def _model_lines(text: str) -> Iterator[str]:
    """What is stated as the name of a product."""
    yield from MODEL_LINES.findall(text)
    place = text.find(DESCRIPTION)
    while place >= 0:
        begin = max(place - LONGEST_DESCRIPTION, 0)
        yield text[max(text.rfind("\n", begin, place) + 1, begin) : place]
        place = text.find(DESCRIPTION, place + 1)


def _canonical(kind: str, value: str) -> str:
    if kind in ("host", "user"):
        return value.lower()
    name = NOT_ALPHANUMERIC.sub("", value)
    if kind == "serial":
        return name.upper()
    return name.lower().removeprefix("0x")


def _words(kind: str, name: str, value: str) -> tuple[list[str], list[str]]:
    """The words that give an identifier away, in upper case, and those of which each of them holds one."""
    if kind != "wwn" or not HEX.fullmatch(name):
        words = [part.upper() for part in TOKEN.findall(value) if _is_distinct(part)]
        return words, words
    name = name.upper()
    short, long = (name[-length:] for length in TAIL_LENGTHS)
    decimals = [str(int(short, 16)), str(int(long, 16))]  # JSON has the last group as a number
    return [name, f"0X{name}", f"N{name}", short, long, *decimals], [short, *decimals]


def _is_distinct(word: str) -> bool:
    """Whether a word stands for nothing but an identifier: mixed, or long."""
    if word.isdigit():
        return len(word) >= 7
    return len(word) >= 8 or not word.isalpha()


def _is_distinct_host(host: str) -> bool:
    return len(host) > 3 and any(not character.isalpha() for character in host)


def _host_occurrences(text: str, hosts: Mapping[str, str]) -> Iterator[Edit]:
    """Hosts as words, with a domain behind them or not."""
    for match in HOST_TOKEN.finditer(text):
        mask = hosts.get(match[0]) or hosts.get(match[0].partition(".")[0])
        if mask is not None:
            yield *match.span(), mask


def _source_edits(source: str, cleaned: Traced, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The same edits in the text that was cleaned.

    A line that was broken in the source is put there in one piece, with its mask: the width at which it was broken
    would be lost with what is masked. The line ends come behind it, so all lines keep their numbers.
    """
    text = cleaned.text
    for start, group in groupby(edits, key=lambda edit: text.rfind("\n", 0, edit[0]) + 1):
        inside = list(group)
        end = text.find("\n", inside[-1][1])
        end = len(text) if end < 0 else end
        first, last = cleaned.source_span(start, end)
        line_ends = source.count("\n", first, last)
        if line_ends:
            masked = apply_edits(
                text[start:end], ((one - start, other - start, mask) for one, other, mask in inside)
            )
            yield first, last, masked + "\n" * (line_ends - masked.count("\n"))
        else:
            for one, other, mask in inside:
                first, last = cleaned.source_span(one, other)
                yield first, last, _in_quotes(mask.strip('"'), source, first) if mask[0] == '"' else mask


def _in_quotes(mask: str, source: str, start: int) -> str:
    """A mask in place of a number: with the quotes of the key in front of it, where there is one."""
    key = JSON_KEY.search(source, max(start - 60, 0), start)
    return f"{key[1]}{mask}{key[1]}" if key else mask
