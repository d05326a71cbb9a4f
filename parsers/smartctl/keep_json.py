"""Keep smartctl's JSON: its keys, numbers, and the strings that it prints, with the identifiers in them masked."""

import re
from collections.abc import Sequence
from functools import lru_cache

from parsers.base.dates import keep_asctime
from parsers.base.format import Block, KeptLines, Masker
from parsers.base.vocabulary import read_words
from parsers.privacy.documents import WITHHELD, keep_documents
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.paths import mask_path
from parsers.smartctl.failures import CODES
from parsers.smartctl.keep import (
    BARE_NODE,
    BUILD,
    PLATFORM,
    VOCABULARY,
    is_plain,
    keep_attribute_name,
    keep_option,
    keep_platform,
)
from parsers.text.json_repair import join_document

_MARKS = ('"json_format_version"', '"smartctl"', '"info_name"', '"seagate_farm_log"')
_KEY = re.compile(r"(?:(?!\d{6}|\d\.\d{1,3}\.\d)[\w ./%()+-]){1,70}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_WORDS = VOCABULARY | {"le", "ocp", "capacitor"}  # little-endian, and of parsers.nvme_cli
_FREE_KEYS = read_words(__file__, "free_keys.txt")
_SHAPES = {"platform_info": re.compile(PLATFORM), "build_info": re.compile(BUILD)}
_FREE = re.compile(r"[^\x00-\x1f]{0,300}")
# Keys of what identifies a device, whatever is below them; of the parts of a number the vendor's remain
_SERIAL = re.compile(r"serial|\b(?:ident|sn)\b", re.IGNORECASE)
_WORLD_WIDE = re.compile(
    r"wwn|world.?wide|eui.?64|nguid|uuid|guid|naa|sas.address|unit.id|nqn", re.IGNORECASE
)
_VENDOR_KEYS = frozenset({"naa", "oui"})
_MAX_VENDOR_DIGITS = 8
_ATTRIBUTE = re.compile(r"[A-Z][\w/.+-]{2,40}")
_LONG_NUMBER = re.compile(r"[0-9]{8,24}")
# The keys of capacities, counters, addresses and times, which may have nine digits or more, and of shares, whose
# impossible values are reported
_LARGE = re.compile(
    r"(?:\b|_)(?:bytes?|blocks?|sectors?|capacity|size|lbas?|units|reads?|writes?|written|commands?|entries|errors?"
    r"|events?|counts?|time|hours|poh|minutes|milliseconds|timestamp|features|heads?|processed|invocations|corrected"
    r"|value|percentage)(?:\b|_)"
)
_DIGIT = re.compile(r"[0-9]")
_MAX_SMALL_DIGITS = 8  # digits
_MAX_NUMBERS = 100  # each is searched for
_OPTION = re.compile(r"-{1,2}[\w,=:]{1,40}")


def keep(block: Block, masks: Masker) -> KeptLines:
    rules = _SmartctlRules(masks)
    masked_lines = [
        line and rules.mask_numbers(line) for line in keep_documents(join_document(block.lines), rules)
    ]
    text = "\n".join(filter(None, masked_lines))
    return KeptLines(masked_lines if any(mark in text for mark in _MARKS) else [None] * len(masked_lines))


class _SmartctlRules:
    def __init__(self, masks: Masker) -> None:
        self._masks = masks
        self._numbers: dict[str, str] = {}  # world-wide names that are numbers

    def mask_numbers(self, line: str) -> str:
        """The line with the other occurrences of these masked."""
        for number, mask in self._numbers.items():
            if number in line:
                line = re.sub(rf"(?<![\w.\"]){number}(?![\w.\"])", f'"{mask}"', line)
        return line

    def is_key(self, key: str) -> bool:
        return _is_key(key)

    def mask(self, value: str, key: str, within: Sequence[str]) -> str | None:
        kind = min(filter(None, map(_kind_of, (key, *within))), default=None)  # a serial number before a name
        if kind is None or (key in _VENDOR_KEYS and value.isdecimal() and len(value) <= _MAX_VENDOR_DIGITS):
            return None
        mask = self._masks.mask(kind, value)
        is_number = kind == "wwn" and mask != value and _LONG_NUMBER.fullmatch(value)
        if is_number and len(self._numbers) < _MAX_NUMBERS:
            self._numbers[value] = mask
        return mask

    def keep_text(self, value: str, key: str, within: Sequence[str]) -> str:
        if key in _FREE_KEYS:
            is_free = _FREE.fullmatch(value) and key not in within
            return mask_shapes(value, self._masks) if is_free else WITHHELD
        if key == "asctime":
            return keep_asctime(value) or WITHHELD
        if key in _SHAPES:
            masked = keep_platform(value) if key == "platform_info" else value
            return masked if _SHAPES[key].fullmatch(value) else WITHHELD
        if key == "argv" and value != "smartctl":
            return keep_option(value) if _OPTION.fullmatch(value) else self._keep_path(value)
        if key in ("name", "info_name") and "device" in within:
            return self._keep_path(value)
        if key == "name" and "table" in within and _ATTRIBUTE.fullmatch(value):
            return keep_attribute_name(value)
        if key == "string" and "messages" in within:
            return self._keep_message(value)
        is_number = (key == "string" and within[-1:] == ["raw"]) or self.is_number(value, key)
        return value if is_number and is_plain(value) and key != "output" else WITHHELD

    def is_number(self, value: str, key: str) -> bool:
        return len(_DIGIT.findall(value)) <= _MAX_SMALL_DIGITS or _LARGE.search(key) is not None

    def _keep_path(self, value: str) -> str:
        path, blank, rest = value.partition(" ")
        if path.startswith(("/", "\\\\", "IOService:")):
            masked = mask_path(path, self._masks)
        else:
            masked = path if BARE_NODE.fullmatch(path) else WITHHELD
        return f"{masked} {rest}" if blank and is_plain(rest) else masked

    def _keep_message(self, value: str) -> str:
        path, colon, rest = value.partition(":")
        if is_plain(value):
            return value
        if path.startswith("/dev/") and " " not in path and is_plain(rest):
            return f"{mask_path(path, self._masks)}{colon}{rest}"
        return next((words for words, _code in CODES if words in value.lower()), WITHHELD)


@lru_cache(maxsize=4096)
def _kind_of(key: str) -> str | None:
    return "serial" if _SERIAL.search(key) else "wwn" if _WORLD_WIDE.search(key) else None


@lru_cache(maxsize=4096)
def _is_key(key: str) -> bool:
    words = (word.lower() for word in _WORD.findall(key))
    return _KEY.fullmatch(key) is not None and all(word in _WORDS for word in words)
