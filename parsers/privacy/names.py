"""The names of pools and data sets: their form, and whether somebody chose one."""

import re

from parsers.privacy.words import COMMANDS, COMMON_WORDS, JOINED_WORDS, NO_NAME, STORAGE_WORDS, USUAL_POOLS

NOT_IN_NAMES = r"\s/\\:;,|\"'`@()\[\]<>{}*$%#=\u2018\u2019\u201c\u201d\u2026"
PART = rf"[^{NOT_IN_NAMES}]{{1,60}}"  # of a path
DATA_SET = rf"{PART}(?:/{PART}){{0,8}}"
FOLDERS = rf"(?:{PART}/){{0,8}}(?:[^.{NOT_IN_NAMES}]{{1,60}}(?=[\s\]\"'#$%>:,;)]|\Z))?"  # without a file
EACH_PART = r"[^/]+"
_WORDS = COMMON_WORDS | COMMANDS | NO_NAME | STORAGE_WORDS
_SHORTEST_JOINED = 3  # letters of a word within a longer one: "ssdpool" is two, "markus" isn't
_DISK = re.compile(
    r"(?:sd|vd|xvd|hd)[a-z]{1,3}\d*|c\d{1,3}t[0-9a-f]{1,20}d\d{1,3}(?:[sp]\d+)?|mpath[a-z]{1,2}\d*"
    r"|(?:ata|scsi|sas|nvme|usb|wwn|virtio|dm-uuid|md-uuid|lvm-pv-uuid)-\S+"
)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def is_unusual(_match: re.Match[str], value: str) -> bool:
    """Whether it is neither a name from an installer or a handbook nor a file system without a device."""
    return value.lower() not in USUAL_POOLS


def is_chosen_name(_match: re.Match[str] | None, value: str) -> bool:
    """Whether somebody chose the name, and it isn't just common words or the name of a disk."""
    name = value.lower()
    return _DISK.fullmatch(name) is None and not all(_is_usual(part) for part in _NO_LETTERS.split(name))


def _is_usual(letters: str) -> bool:
    """Whether it is a common word, several on storage written as one, or too short to be distinctive."""
    if len(letters) < _SHORTEST_JOINED or letters in _WORDS:
        return True
    ends = {0}
    for end in range(_SHORTEST_JOINED, len(letters) + 1):
        if any(end - start >= _SHORTEST_JOINED and letters[start:end] in JOINED_WORDS for start in ends):
            ends.add(end)
    return len(letters) in ends
