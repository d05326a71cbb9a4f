"""Keep fio's JSON: its keys, numbers, the options of jobs and their names, which are the sender's own words."""

import re
from collections.abc import Sequence

from parsers.base.format import Masker
from parsers.base.target import Target, target_of
from parsers.fio.words import OPTIONS, VERSION, is_fio_text, keep_option, own_name
from parsers.privacy.documents import WITHHELD, keep_documents
from parsers.privacy.paths import mask_paths
from parsers.text.json_repair import join_document

DOCUMENT_KEY = '"fio version"'  # the first one
# What C's printf writes and JSON doesn't have; as long as before, since lines may be wrapped
_NOT_A_NUMBER = re.compile(r"(?<=: )-?(?:nan|inf)(?=[\s,}]|$)")
_KEY = re.compile(
    r"[A-Za-z][\w-]{0,60}|fio version|(?:job|global) options|(?:>=)?[0-9]{1,15}(?:\.[0-9]{1,9})?"
)
_FIGURES = re.compile(r"[\d.,:%kKmMgGiBb/-]{0,40}")
_VERSION = re.compile(VERSION)
_TIME = re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}")
_STATE = re.compile(r"[\w /%.-]{1,40}")


def opens_document(line: str) -> bool:
    """Say whether the line above a document's first key opens the document."""
    return line.rstrip().endswith("{")


def is_document_start(lines: Sequence[str], at: int) -> bool:
    """Say whether a document begins at the line: its first key is there, or below its bracket."""
    if DOCUMENT_KEY in lines[at]:
        return True
    return opens_document(lines[at]) and at + 1 < len(lines) and DOCUMENT_KEY in lines[at + 1]


def keep_document(lines: Sequence[str], masks: Masker) -> list[str | None]:
    """What is kept of lines that begin with a document."""
    numbers = [_NOT_A_NUMBER.sub(lambda word: "NaN".rjust(len(word[0])), line) for line in lines]
    return keep_documents(join_document(numbers), _FioRules(masks))


class _FioRules:
    def __init__(self, masks: Masker) -> None:
        self._masks = masks

    def is_key(self, key: str) -> bool:
        if key in OPTIONS or key in ("filename", "directory", "name"):
            return True
        return _KEY.fullmatch(key) is not None and is_fio_text(key.replace("_", " "))

    def mask(self, value: str, key: str, _within: Sequence[str]) -> str | None:
        if key in ("filename", "directory"):
            return mask_paths(value, self._masks)
        return self._masks.mask("host", value) if key == "hostname" else None

    def is_number(self, _value: str, _key: str) -> bool:
        return True

    def keep_text(self, value: str, key: str, within: Sequence[str]) -> str:
        if key == "jobname" or (key == "name" and "disk_util" not in within):
            return own_name(value, self._masks)
        if key == "name":  # of a disk
            return value if target_of(value) is not Target.FILE else "disk"
        if key in ("fio version", "time"):
            known = (_VERSION if key == "fio version" else _TIME).match(value)
            return known[0] if known else WITHHELD
        option = keep_option(key, value, self._masks) if value else key
        if option is not None:
            return option.partition("=")[2].strip('"')
        return value if _FIGURES.fullmatch(value) else WITHHELD
