"""Keep diskinfo's lines: the path, the header with the identifiers masked, its tables, its errors."""

import re
from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.diskinfo.header import (
    DRIVERS,
    HEADER,
    PHYSICAL_PATH,
    PRINTED_HEADER,
    SYNC_TITLE,
    WITHHELD,
    ZONE_MODE,
    is_path,
)
from parsers.diskinfo.lines import ADVICE, DAMAGED_POINT, OTHER_TITLES, POINT, ROW, SIZE, USAGE, is_error
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.masks import MASK
from parsers.privacy.paths import mask_path
from parsers.text.remarks import without_front

_MAX_VALUE_LENGTH = 300  # characters
_FIGURE = re.compile(r"[0-9]{0,24}|[0-9]{1,3}(?:[.,' ][0-9]{3}){1,6}|Yes|No|Unknown|Invalid")
_TEXT = re.compile(r"[^\x00-\x08\x0e-\x1f#]*")
_SHAPES = {
    "description": _TEXT, "attachment": re.compile(DRIVERS), "physical_path": PHYSICAL_PATH, "zone_mode": ZONE_MODE,
}  # fmt: skip
_WORLD_WIDE = re.compile(
    r"(?<=enc@n)[0-9a-fA-F]{8,32}|(?<=@w)[0-9a-fA-F]{16}|(?<![0-9a-z])[35][0-9a-f]{15}(?![0-9a-z])"
)
# What an enclosure calls a place, unless it only counts them
_PLACE_NAME = re.compile(
    r"/elmdesc@(?!(?:slot|array_?device|disk|drive|bay|hdd|element|device)?[ _.,-]?[0-9]{1,4}(?![\w.,-]))[^/]*",
    re.IGNORECASE,
)
_LINES_BELOW_PATH = 4
_OPTIONS = re.compile(r"-[cipsStvw]{1,12}")


def keep(block: Block, masks: Masker) -> KeptLines:
    lines = block.lines
    return KeptLines(
        [_keep_line(line, lines[at + 1 : at + 1 + _LINES_BELOW_PATH], masks) for at, line in enumerate(lines)]
    )


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    masked_words = []
    for word in words:
        if _OPTIONS.fullmatch(word):
            masked_words.append(word)
        elif word.startswith("$"):
            masked_words.append("$disk")
        elif MASK.match(word) or (is_path(word) and ("/" in word or word[-1:].isdigit())):
            masked_words.append(mask_path(word, masks))
        else:
            return None
    return " ".join(masked_words) if masked_words else None


def _keep_line(line: str, below: Sequence[str], masks: Masker) -> str | None:
    text = line.strip()
    if is_error(line):
        return _keep_error(line)
    if "kbytes:" in line and (POINT.fullmatch(line) or DAMAGED_POINT.fullmatch(line)):
        return line
    if "#" in line and (header := _keep_header(line, masks)) is not None:
        return header
    if text == SYNC_TITLE or text in OTHER_TITLES:
        return line
    if is_path(text) and any(other.endswith("# sectorsize") for other in below):
        return mask_path(text, masks)
    return line if ROW.fullmatch(line) else None


def _keep_header(line: str, masks: Masker) -> str | None:
    """A line of a value and its label; a value that no device has there is left out."""
    value, _, comment = without_front(line).rpartition("#")
    label = comment.partition("(")[0].strip()
    known = PRINTED_HEADER.get(comment) or HEADER.get(label)
    if known is None:
        return None
    name, stated = known[0], value.strip()
    masked = _keep_value(name, stated, masks) if len(stated) <= _MAX_VALUE_LENGTH else WITHHELD
    if "(" in comment and not re.fullmatch(r" ?[a-z ]{10,24}\([0-9.]{1,8}[KMGTPE]?\)", comment):
        comment = f" {label}"
    return f"{value.replace(stated, masked, 1) if stated else value}#{comment}"


def _keep_value(name: str, value: str, masks: Masker) -> str:
    if name == "serial":
        return masks.mask("serial", value)
    if not _SHAPES.get(name, _FIGURE).fullmatch(value):
        return WITHHELD
    if name == "physical_path":
        return _WORLD_WIDE.sub(lambda match: masks.mask("wwn", match[0]), _PLACE_NAME.sub("", value))
    return mask_shapes(value, masks) if name == "description" else value


def _keep_error(line: str) -> str:
    """The message in the words that the advice is chosen by."""
    usage = USAGE.match(line.strip())
    if usage is not None:
        return f"usage: diskinfo [-{usage['flags']}]"
    row, _, message = line.partition("diskinfo:")
    size = SIZE.fullmatch(row)
    known = next((part for part, _code, _advice in ADVICE if part in message), "error")
    return f"{size[0] if size else ''}diskinfo: {known}"
