"""Mask what identifies a unit, a host or a person, everywhere in a paste.

`[serial-1]` replaces one serial number, `[wwn-1]` one world-wide name (WWN, EUI-64, NGUID, UUID, GUID, SAS
address), `[host-1]` and `[user-1]` names, `[pool-1]` the name of a pool or data set, `[address-1]` an IP or MAC
address, `[key-1]` a license key or password. The same identifier gets the same mask everywhere. Masking a masked
text changes nothing.
"""

import hashlib
import hmac
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import NamedTuple

from parsers.privacy.bare import find_bare
from parsers.privacy.occurrences import KnownIdentifiers, in_quotes
from parsers.privacy.pools import sets_below
from parsers.privacy.rules import ANY_SERIAL, KINDS, MASK, Site, haystack
from parsers.privacy.sites import Sites, find_answers, find_broken, find_in, find_sites, find_wrapped
from parsers.text.clean import clean
from parsers.text.prefixes import prefix_edits
from parsers.text.traced import Edit, Traced, apply_edits

DIGEST_LENGTH = 32  # hexadecimal digits: 128 bits
LINE_END = re.compile(r"\n")
NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
MOST_PASSES = 4  # masking one identifier can reveal another; real texts need no more than two passes

MOST_PARTIAL = 200  # each is compared with all others; nobody pastes that many
_HIDDEN = re.compile(
    r"[*•●■█…⋯]+|[#?]{2,}|\.{2,}|_{3,}|-{3,}|^[Xx]{3,}|[Xx]{3,}$|[Xx]{4,}"
    r"|[<(\[{](?:redacted|hidden|masked|removed|censored|omitted|snip(?:ped)?|xx+)[>)\]}]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A masked text, the same text cleaned, and the digests of serial numbers."""

    text: str
    cleaned: Traced
    unit_digests: dict[str, str]


def redact(text: str, *, unit_key: bytes, unit_digests: Mapping[str, str]) -> MaskedText:
    """Mask the text.

    `unit_digests` are those of an earlier masking, for masks that are in the text already.
    """
    masks = Masks(text, unit_key, unit_digests)
    for _ in range(MOST_PASSES):
        before = text
        text, cleaned, is_partial = _pass(text, masks)
        if text == before or not is_partial:
            break
    bare = Sites()
    bare.add(find_bare(text))  # last: part of a known one may look like one
    if bare.sites:
        text = masks.mask_known(masks.put_in(text, bare.sites))
        cleaned = clean(text)
    merged = masks.serials.merged()
    if merged:
        text = MASK.sub(lambda match: merged.get(match[0], match[0]), text)
        cleaned = clean(text)
    return MaskedText(text, cleaned, masks.unit_digests)


def take_masked(text: str, *, unit_digests: Mapping[str, str]) -> MaskedText:
    """Return a text that is already masked as a MaskedText, without searching it."""
    return MaskedText(text, clean(text), Masks(text, b"", unit_digests).unit_digests)


def _pass(text: str, masks: "Masks") -> tuple[str, Traced, bool]:
    """Mask the identifiers visible now, in the tools' output and around it.

    Also gives the text cleaned, and whether there may be more to see.
    """
    before, hay = text, haystack(text)
    text = masks.put_in(text, find_answers(hay).sites)
    text = masks.put_in(text, find_broken(text))
    cleaned = clean(text)
    if cleaned.text != before:
        hay = haystack(cleaned.text)
    found = Sites()
    found.add(find_wrapped(cleaned.text))
    printed = find_in(hay)
    found.add(printed.sites)
    is_partial = found.is_partial or printed.is_partial
    if not cleaned.is_changed:
        masked = masks.mask_known(masks.put_in(text, found.sites))
        return masked, cleaned.masked(masked), is_partial
    text = apply_edits(text, _source_edits(text, cleaned, map(masks.edit_for, found.sites)))
    around = find_sites(text)
    text = masks.mask_known(masks.put_in(text, _without_first_words(text, around.sites)))
    cleaned = clean(text)
    hidden = masks.known.find(cleaned.text)
    if hidden:
        text = apply_edits(text, _source_edits(text, cleaned, hidden))
        cleaned = clean(text)
    return text, cleaned, is_partial or around.is_partial


def _without_first_words(text: str, sites: Iterable[Site]) -> list[Site]:
    """The sites without the first words of lines that have the time in front of them.

    They are of the tool's output. The rules on logs and chats take the first for a host or a user, or the second
    behind a short one ("Data Units Read:"), which could be a time zone.
    """
    begins = {end for _start, end, _nothing in prefix_edits(text)}
    if not begins:
        return list(sites)
    return [
        site
        for site in sites
        if site.kind not in ("host", "user") or not begins & {site.start, site.start - 4, site.start - 5}
    ]


class Masks:
    """The masks of one text: assigns and inserts them."""

    def __init__(self, text: str, unit_key: bytes, unit_digests: Mapping[str, str]) -> None:
        self._key = unit_key
        self._masks: dict[tuple[str, str], str] = {}
        self._last = dict.fromkeys(KINDS, 0)
        self.known = KnownIdentifiers()
        self.serials = Serials()
        self.unit_digests: dict[str, str] = {}
        for match in MASK.finditer(text) if "[" in text else ():
            self._last[match[1]] = max(self._last[match[1]], int(match[2]))
            if match[0] in unit_digests:
                self.unit_digests[match[0]] = unit_digests[match[0]]

    def mask_for(self, kind: str, value: str) -> str:
        """The mask of an identifier; a new one where it was not seen before."""
        name = _canonical(kind, value)
        mask = self._masks.get((kind, name))
        if mask is None and kind == "host":  # by its full name
            mask = self._masks.get((kind, name.partition(".")[0]))
        if mask is None:
            self._last[kind] += 1
            mask = self._masks[kind, name] = f"[{kind}-{self._last[kind]}]"
            if kind == "serial":
                if not self.serials.add(mask, value):
                    return mask  # too short to be found elsewhere, or to identify a unit
                digest = hmac.digest(self._key, name.encode(), hashlib.sha256).hex()
                self.unit_digests[mask] = digest[:DIGEST_LENGTH]
            self.known.add(kind, name, value=value, mask=mask)
        return mask

    def edit_for(self, site: Site) -> Edit:
        """Return the edit that masks a site.

        A number in JSON becomes a string; line ends are put after the mask.
        """
        mask = self.mask_for(site.kind, site.value)
        return site.start, site.end, (f'"{mask}"' if site.is_number else mask) + "\n" * site.line_ends

    def put_in(self, text: str, sites: Iterable[Site]) -> str:
        """The text with these sites masked."""
        return apply_edits(text, map(self.edit_for, sites))

    def mask_known(self, text: str) -> str:
        """Mask the other occurrences of the identifiers found so far, and what is named after them."""
        text = self._with_known(text)
        beside = Sites()
        beside.add(chain(self.known.siblings(text), sets_below(text)))
        return self._with_known(self.put_in(text, beside.sites)) if beside.sites else text

    def _with_known(self, text: str) -> str:
        return apply_edits(text, self.known.find(text)) if self.known else text


def _canonical(kind: str, value: str) -> str:
    if kind in ("host", "user", "key", "pool"):
        return value.lower()
    name = NOT_ALPHANUMERIC.sub("", value)
    if kind == "serial":
        return name.upper()
    return name.lower().removeprefix("0x")


def _source_edits(source: str, cleaned: Traced, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Translate edits of the cleaned text into edits of the text before cleaning.

    A line that was broken in the source is put there in one piece, with its mask: the width at which it was broken
    would be lost with what is masked. The line ends are put after it, so no line changes its number.
    """
    text = cleaned.text
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    for number, group in groupby(edits, key=lambda edit: bisect_right(starts, edit[0]) - 1):
        start, inside = starts[number], list(group)
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
                yield first, last, in_quotes(mask.strip('"'), source, first) if mask[0] == '"' else mask


class _Ends(NamedTuple):
    """The visible ends of a serial number, in upper case."""

    first: str
    last: str

    def fit(self, serial: str) -> bool:
        """Whether the serial number, in upper case, begins and ends like this."""
        is_long_enough = len(serial) >= len(self.first) + len(self.last)
        return is_long_enough and serial.startswith(self.first) and serial.endswith(self.last)

    def agree(self, other: "_Ends") -> bool:
        """Whether both can belong to one serial number."""
        begin = self.first.startswith(other.first) or other.first.startswith(self.first)
        return begin and (self.last.endswith(other.last) or other.last.endswith(self.last))


def _ends_of(value: str) -> _Ends | None:
    """Return the visible ends of a partly hidden serial number.

    None for a complete or a fully hidden one.
    """
    runs = list(_HIDDEN.finditer(value.strip()))
    if not runs:
        return None
    first, last = value.strip()[: runs[0].start()], value.strip()[runs[-1].end() :]
    ends = _Ends(*(NOT_ALPHANUMERIC.sub("", end).upper() for end in (first, last)))
    return ends if any(ends) else None


def is_partial(value: str) -> bool:
    """Whether a serial number is partly hidden and partly visible."""
    return _ends_of(value) is not None


@dataclass(slots=True)
class Serials:
    """The complete and partial serial numbers of one text, by mask."""

    complete: dict[str, str] = field(default_factory=dict)  # upper case, letters and digits
    partial: dict[str, _Ends] = field(default_factory=dict)

    def add(self, mask: str, value: str) -> bool:
        """Add one; whether it is complete, so that it identifies a unit."""
        ends = _ends_of(value)
        if ends is not None:
            self.partial[mask] = ends
            return False
        self.complete[mask] = NOT_ALPHANUMERIC.sub("", value).upper()
        return True

    def merged(self) -> dict[str, str]:
        """The masks to replace, each with the mask of its serial number."""
        merged: dict[str, str] = {}
        groups: dict[str, _Ends] = {}  # of partial ones that no complete one fits, the first of each
        for number, (mask, ends) in enumerate(self.partial.items()):
            if number >= MOST_PARTIAL:
                merged[mask] = ANY_SERIAL
                continue
            fitting = [one for one, serial in self.complete.items() if ends.fit(serial)]
            fitting = fitting or [one for one, seen in groups.items() if ends.agree(seen)]
            if fitting:
                merged[mask] = fitting[0] if len(fitting) == 1 else ANY_SERIAL
            else:
                groups[mask] = ends
        return merged
