"""The masks that replace identifiers, and the keyed digests of serial numbers.

`[serial-1]` replaces a serial number, `[wwn-1]` a world-wide name (WWN, EUI-64, NGUID, UUID, SAS address), `[pool-1]`
the name of a folder, a pool or a dataset, `[host-1]` a host's, `[address-1]` a network or mail address. The same
identifier gets the same mask everywhere in a text. Masks that are in a text already remain as they are.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

KINDS = ("serial", "wwn", "host", "user", "address", "key", "pool")
MASK = re.compile(rf"\[({'|'.join(KINDS)})-([0-9]{{1,6}})\]")
ANY_SERIAL = "[serial-0]"  # a partial serial number that matches several in its text
DIGEST_LENGTH = 32  # hexadecimal digits: 128 bits
NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
# Fillers that tools and people write where an identifier was withheld or never set
NO_IDENTIFIER = re.compile(
    r"[\W_0]*|[\W_]*(?:redacted|removed|hidden|masked|censored|deleted|omitted|private|none|null|n/?a|s/?n|id|unknown|serial"
    r"|not available|no information found)[\W_]*|(\w)\1*",
    re.IGNORECASE,
)
SHORTEST_KNOWN = 6  # characters of an identifier that is masked elsewhere, too
SHORTEST_NUMBER = 8  # digits of one that is a number
MAX_KNOWN = 500  # each is searched for; nobody pastes that many
MAX_POOLS = 100  # each is searched for in paths
SYSTEM_FOLDERS = frozenset(
    {"dev", "mnt", "home", "usr", "var", "tmp", "opt", "srv", "root", "etc", "media", "boot"}
)
MAX_OWN_WORDS = 1000  # each is searched for in what is kept; nobody pastes that many names of jobs
MAX_PARTIAL = 200  # each is compared with all others; nobody pastes that many
_HIDDEN = re.compile(
    r"[*•●■█…⋯]+|[#?]{2,}|\.{2,}|_{3,}|-{3,}|^[Xx]{3,}|[Xx]{3,}$|[Xx]{4,}"
    r"|[<(\[{](?:redacted|hidden|masked|removed|censored|omitted|snip(?:ped)?|xx+)[>)\]}]",
    re.IGNORECASE,
)


def is_unit(mask: str) -> bool:
    """Whether a text is the mask of one serial number, and nothing else."""
    match = MASK.fullmatch(mask)
    return match is not None and match[1] == "serial" and mask != ANY_SERIAL


class Masks:
    """The masks of one text, numbered in the order in which their identifiers occur.

    Without a key no digests are made. `unit_digests` are those of an earlier reading, for masks that are in the text.
    """

    def __init__(
        self, text: str, unit_key: bytes | None = None, unit_digests: Mapping[str, str] | None = None
    ) -> None:
        self._key = unit_key
        self._masks: dict[tuple[str, str], str] = {}
        self._last = dict.fromkeys(KINDS, 0)
        self._serials = _Serials()
        self.own_words: dict[str, None] = {}
        self._known: dict[str, str] = {}  # identifiers that are masked wherever they occur, as printed
        self._pools: dict[str, str] = {}
        self.unit_digests: dict[str, str] = {}
        for match in MASK.finditer(text) if "[" in text else ():
            self._last[match[1]] = max(self._last[match[1]], int(match[2]))
            if unit_digests and match[0] in unit_digests:
                self.unit_digests[match[0]] = unit_digests[match[0]]

    def mask(self, kind: str, value: str) -> str:
        """The mask of an identifier; fillers and masks remain as they are."""
        value = value.strip()
        is_name = kind == "pool" and any(map(str.isalpha, value))  # a pool may be called T, or private
        if MASK.fullmatch(value) or (NO_IDENTIFIER.fullmatch(value) and not is_name):
            return value
        name = _canonical(kind, value)
        mask = self._masks.get((kind, name))
        if mask is None:
            self._last[kind] += 1
            mask = self._masks[kind, name] = f"[{kind}-{self._last[kind]}]"
            if self._is_worth_finding(kind, name):
                self._known[value] = mask
            if kind == "serial" and self._serials.add(mask, value) and self._key is not None:
                digest = hmac.digest(self._key, name.encode(), hashlib.sha256).hex()
                self.unit_digests[mask] = digest[:DIGEST_LENGTH]
        return mask

    def pool(self, name: str) -> str:
        """The mask of a pool's name, by which `finish` masks it in paths as well."""
        mask = self.mask("pool", name)
        if len(self._pools) < MAX_POOLS and mask != name and name not in SYSTEM_FOLDERS:
            self._pools[name] = mask
        return mask

    def own_word(self, word: str) -> str:
        """Note a name that the sender chose, and return it."""
        if len(self.own_words) < MAX_OWN_WORDS:
            self.own_words[word] = None
        return word

    @property
    def known(self) -> dict[str, str]:
        """The identifiers that are masked wherever they occur, with their masks."""
        return dict(self._known)

    def _is_worth_finding(self, kind: str, name: str) -> bool:
        is_distinctive = (
            len(name) >= (SHORTEST_NUMBER if name.isdigit() else SHORTEST_KNOWN) and not name.isalpha()
        )
        return kind in ("serial", "wwn") and is_distinctive and len(self._known) < MAX_KNOWN

    def finish(self, text: str) -> str:
        """The text, with the other occurrences of its identifiers masked, and each unit known by one mask.

        A partly hidden serial number gets the mask of the complete one that it matches.
        """
        text = hide(text, self._known)
        if self._pools:
            names = "|".join(map(re.escape, self._pools))
            in_path = re.compile(rf"(?:(?<=[\s=:]/)|(?<=/mnt/)|(?<=/zvol/))(?:{names})(?=[/\s]|\Z)")
            text = in_path.sub(lambda match: self._pools[match[0]], text)
        merged = self._serials.merged()
        return MASK.sub(lambda match: merged.get(match[0], match[0]), text) if merged else text


def hide(text: str, known: Mapping[str, str]) -> str:
    """The text with these identifiers replaced by their masks."""
    for name, mask in known.items():
        if name in text:  # a number behind a colon may be one of JSON
            before = r"(?<![0-9A-Za-z.,:])(?<!: )" if name.isdigit() else "(?<![0-9A-Za-z])"
            text = re.sub(rf"{before}{re.escape(name)}(?![0-9A-Za-z])", mask, text)
    return text


def _canonical(kind: str, value: str) -> str:
    if kind in ("host", "user", "key", "pool"):
        return value.lower()
    name = NOT_ALPHANUMERIC.sub("", value)
    if kind == "serial":
        return name.upper()
    return name.lower().removeprefix("0x")


class _SerialEnds(NamedTuple):
    """The visible ends of a serial number, in upper case."""

    first: str
    last: str

    def fit(self, serial: str) -> bool:
        """Whether the serial number, in upper case, begins and ends like this."""
        is_long_enough = len(serial) >= len(self.first) + len(self.last)
        return is_long_enough and serial.startswith(self.first) and serial.endswith(self.last)

    def agree(self, other: "_SerialEnds") -> bool:
        """Whether both can belong to one serial number."""
        begin = self.first.startswith(other.first) or other.first.startswith(self.first)
        return begin and (self.last.endswith(other.last) or other.last.endswith(self.last))


def _ends_of(value: str) -> _SerialEnds | None:
    """Return the visible ends of a partly hidden serial number; None for a complete one."""
    runs = list(_HIDDEN.finditer(value.strip()))
    if not runs:
        return None
    first, last = value.strip()[: runs[0].start()], value.strip()[runs[-1].end() :]
    ends = _SerialEnds(*(NOT_ALPHANUMERIC.sub("", end).upper() for end in (first, last)))
    return ends if any(ends) else None


@dataclass(slots=True)
class _Serials:
    """The complete and partial serial numbers of one text, by mask."""

    complete: dict[str, str] = field(default_factory=dict)  # upper case, letters and digits
    partial: dict[str, _SerialEnds] = field(default_factory=dict)

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
        groups: dict[str, _SerialEnds] = {}  # of partial ones that no complete one fits, the first of each
        for number, (mask, ends) in enumerate(self.partial.items()):
            if number >= MAX_PARTIAL:
                merged[mask] = ANY_SERIAL
                continue
            fitting = [placeholder for placeholder, serial in self.complete.items() if ends.fit(serial)]
            fitting = fitting or [placeholder for placeholder, seen in groups.items() if ends.agree(seen)]
            if fitting:
                merged[mask] = fitting[0] if len(fitting) == 1 else ANY_SERIAL
            else:
                groups[mask] = ends
        return merged
