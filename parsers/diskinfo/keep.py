"""Keep diskinfo's lines: the path, the header with the identifiers masked, its tables, its errors."""

import re
from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.diskinfo.header import HEADER, PRINTED_HEADER, SYNC_TITLE, WITHHELD, ZONE_MODE, is_path
from parsers.diskinfo.messages import ADVICE, USAGE, is_error
from parsers.diskinfo.table import DAMAGED_POINT, OTHER_TITLES, POINT, SIZE
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.masks import MASK
from parsers.privacy.paths import mask_path

_MAX_VALUE_LENGTH = 300  # characters
_FIGURE = re.compile(r"[\d.,' ]{0,40}|Yes|No|Unknown|Invalid")
_TEXT = re.compile(r"[^\x00-\x08\x0e-\x1f#]*")
_WORLD_WIDE = re.compile(
    r"(?<=enc@n)[0-9a-fA-F]{8,32}|(?<=@w)[0-9a-fA-F]{16}|(?<![0-9a-z])[35][0-9a-f]{15}(?![0-9a-z])"
)
# The rows of the other tables: "Full stroke:", "outside:", "time to read 10MB block", "calculated command overhead"
_ROW = re.compile(
    r"\s*(?:(?:Full|Half|Quarter) stroke|Short (?:forward|backward)|Seq (?:outer|inner)|outside|middle|inside"
    r"|time to read [\w ]{1,20}|calculated [a-z ]{1,30}|sectorsize|\d{1,4}(?:\.5)? kbytes):?"
    r"(?:[\s\d.,=/]|\b(?:iter|in|sec|msec|usec|ops|IOPS|kbytes|Mbytes|MB|s|IO|sector|sectors|read|block)\b){1,80}"
)
_LINES_BELOW_PATH = 4
_OPTIONS = re.compile(r"-[A-Za-z]{1,12}")


def keep(block: Block, masks: Masker) -> KeptLines:
    lines = block.lines
    return KeptLines(
        [_keep_line(line, lines[at + 1 : at + 1 + _LINES_BELOW_PATH], masks) for at, line in enumerate(lines)]
    )


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    kept = []
    for word in words:
        if _OPTIONS.fullmatch(word):
            kept.append(word)
        elif word.startswith("$"):
            kept.append("$disk")
        elif MASK.match(word) or (is_path(word) and ("/" in word or word[-1:].isdigit())):
            kept.append(mask_path(word, masks))
        else:
            return None
    return " ".join(kept) if kept else None


def _keep_line(line: str, below: Sequence[str], masks: Masker) -> str | None:
    text = line.strip()
    if is_error(line):
        return _keep_error(line)
    if "kbytes:" in line and _is_row(line):
        return line
    if "#" in line and (header := _keep_header(line, masks)) is not None:
        return header
    if text == SYNC_TITLE or text in OTHER_TITLES:
        return line
    if is_path(text) and any(one.endswith("# sectorsize") for one in below):
        return mask_path(text, masks)
    return line if _ROW.fullmatch(line) else None


def _is_row(line: str) -> bool:
    if POINT.fullmatch(line):
        return True
    return DAMAGED_POINT.fullmatch(line) is not None and _ROW.fullmatch(line) is not None


def _keep_header(line: str, masks: Masker) -> str | None:
    """A line of a value and its label; a value that no device has there is left out."""
    value, _, comment = line.rpartition("#")
    label = comment.partition("(")[0].strip()
    known = PRINTED_HEADER.get(comment) or HEADER.get(label)
    if known is None:
        return None
    name, stated = known[0], value.strip()
    kept = _keep_value(name, stated, masks) if len(stated) <= _MAX_VALUE_LENGTH else WITHHELD
    if "(" in comment and not re.fullmatch(r" ?[a-z ]{10,24}\([0-9.]{1,8}[KMGTPE]?\)", comment):
        comment = f" {label}"
    return f"{value.replace(stated, kept, 1) if stated else value}#{comment}"


def _keep_value(name: str, value: str, masks: Masker) -> str:
    if name == "serial":
        return masks.mask("serial", value)
    if name == "physical_path":
        return (
            _WORLD_WIDE.sub(lambda match: masks.mask("wwn", match[0]), value)
            if _TEXT.fullmatch(value)
            else WITHHELD
        )
    if name in ("description", "attachment"):
        return mask_shapes(value, masks) if _TEXT.fullmatch(value) else WITHHELD
    if name == "zone_mode":
        return value if ZONE_MODE.fullmatch(value) else WITHHELD
    return value if _FIGURE.fullmatch(value) else WITHHELD


def _keep_error(line: str) -> str:
    """The message in the words that the advice is chosen by."""
    usage = USAGE.match(line.strip())
    if usage is not None:
        return f"usage: diskinfo [-{usage['flags']}]"
    row, _, message = line.partition("diskinfo:")
    size = SIZE.fullmatch(row)
    known = next((part for part, _code, _advice in ADVICE if part in message), "error")
    return f"{size[0] if size else ''}diskinfo: {known}"
