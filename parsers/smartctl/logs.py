"""The power-on hours that the drive's own logs state: self-test and error logs, Seagate's FARM.

Source: ataprint.cpp, scsiprint.cpp, nvmeprint.cpp and farmprint.cpp; the keys of the JSON are those of smartctl 7.x.

    # 1  Short offline       Completed without error       00%     12440         -
    # 1  Background short  Completed                  48       3                 - [-   -    -]
     0   Short             Completed without error                1234            -     -   -   -    -
    Error 982 [213] occurred at disk power-on lifetime: 12975 hours (540 days + 15 hours)
    Power on Hours: 31034
"""

import re
from collections.abc import Iterable

from parsers.base.markers import is_broken_row
from parsers.base.units import POWERED_HOURS
from parsers.smartctl.labels import VENDOR_LOG

MAX_ENTRY_LENGTH = 400  # characters
_NVME_LOG = "Self-test Log (NVMe"
_HOURS_OF_ENTRY = (
    re.compile(r"#\s?\d{1,2}\s.*\s\d{1,3}%\s+(\d{1,9})(?:\s|$)", re.ASCII),  # ATA
    re.compile(r"#\s?\d{1,2}\s.*\s(\d{1,9})\s+(?:-|[0-9a-fx]{1,20})\s+\[", re.ASCII),  # SCSI
    re.compile(
        r"Error \d{1,9} (?:\[\d{1,9}\] )?occurred at disk power-on lifetime: (\d{1,9}) hours", re.ASCII
    ),
)
HOURS_OF_FARM = re.compile(r"Power on Hours: (\d{1,9})", re.ASCII)
# Of a row of a log, or alone; a self-test that was aborted shows nothing.
_RESULT = re.compile(
    r"(?:(?:#\s?)?\d{1,2}\s+[A-Z][A-Za-z ]{2,40}?\s+)?"
    r"(?:(?P<failed>Completed: (?:[a-z?/ ]*[a-z/] )?(?:failure|failed segments?|damage)|Failed in [a-z ]*segment"
    r"|Fatal or unknown[a-z ]* error)|Completed(?: without error)?(?:\s|$))",
    re.ASCII,
)
_HOURS_OF_NVME = re.compile(r"\d{1,2}\s+(?:Short|Extended)\s\D*\s(\d{1,9})\s+[-\d]", re.ASCII)


def logged_hours(rows: Iterable[tuple[str, int]]) -> int | None:
    """The highest hours that a log states; None without a log, or where one of its rows couldn't be kept."""
    stated: list[int] = []
    is_nvme = is_farm = False
    for line, _number in rows:
        if is_broken_row(line):
            return None
        if line.startswith(_NVME_LOG):
            is_nvme = True
        elif line.startswith(VENDOR_LOG):
            is_farm = True
        elif is_farm and (match := HOURS_OF_FARM.fullmatch(line)):
            stated.append(int(match[1]))
        elif line.startswith(("#", "Error ")) and len(line) <= MAX_ENTRY_LENGTH:
            found = (pattern.match(line) for pattern in _HOURS_OF_ENTRY)
            stated += [int(match[1]) for match in found if match][:1]
        elif is_nvme and len(line) <= MAX_ENTRY_LENGTH and (match := _HOURS_OF_NVME.match(line)):
            stated.append(int(match[1]))
    return max_hours(stated)


def failed_self_test(entries: Iterable[str]) -> str | None:
    """How the newest self-test that was completed failed; None if it passed, or without one. The newest comes first.

    Entries are rows of a log, or the results alone; other lines say nothing.
    """
    for entry in entries:
        if match := _RESULT.match(entry[:MAX_ENTRY_LENGTH]):
            return match["failed"]
    return None


def max_hours(stated: Iterable[int]) -> int | None:
    """The highest within the range of hours."""
    return max((hours for hours in stated if hours in POWERED_HOURS), default=None)
