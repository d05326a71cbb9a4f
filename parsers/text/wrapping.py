"""Give lines back their ends: split what lost its line ends, join what a narrow terminal or mail wrapped."""

import re
from collections import Counter
from collections.abc import Iterator

from parsers.text.traced import Edit, Traced

DISKINFO_COMMENTS = (
    r"sectorsize|mediasize in bytes \([^)\n]{1,12}\)|mediasize in sectors|stripesize|stripeoffset"
    r"|Cylinders according to firmware\.?|Heads according to firmware\.?|Sectors according to firmware\.?"
    r"|Disk descr\.|Disk ident\.|Attachment|Physical path|TRIM/UNMAP support|Rotation rate in RPM|Zone Mode"
)
TITLES = (
    "I/O command overhead:|Seek times:|Transfer rates:|Asynchronous random reads:|Synchronous random writes:"
)
SMARTCTL_LABELS = (
    "Model Family|Device Model|Serial Number|LU WWN Device Id|Add. Product Id|Firmware Version|User Capacity"
    "|Sector Sizes?|Rotation Rate|Form Factor|TRIM Command|Device is|ATA Version is|SATA Version is|Local Time is"
    "|SMART support is|Write cache is|SMART overall-health self-assessment test result|Vendor|Product|Revision"
    "|Compliance|Logical block size|Physical block size|Logical Unit id|Serial number|Device type"
    "|Transport protocol|Temperature Warning|SMART Health Status|Current Drive Temperature"
    "|Accumulated power on time, hours|Model Number|PCI Vendor/Subsystem ID|IEEE OUI Identifier"
    "|Total NVM Capacity|Unallocated NVM Capacity|Controller ID|NVMe Version|Number of Namespaces"
    "|Namespace 1 Size/Capacity|Namespace 1 Formatted LBA Size|Namespace 1 IEEE EUI-64|Critical Warning"
    "|Read Cache is|Writeback Cache is|Percentage used endurance indicator|Drive Trip Temperature"
    "|PCI Vendor ID|PCI Vendor Subsystem ID"
    "|Temperature|Available Spare|Available Spare Threshold|Percentage Used|Data Units Read|Data Units Written"
    "|Host Read Commands|Host Write Commands|Controller Busy Time|Power Cycles|Power On Hours|Unsafe Shutdowns"
)
# Other lines of smartctl, which part what has a label from what has none
SMARTCTL_LINES = (
    r"LU is |LB provisioning |Formatted with type |[0-9]{1,2} bytes of protection |Home page is |Device:"
    r"|Device does not support |Device supports |Temperature Warning |Manufactured in |Accumulated |Specified "
    r"|Elements in grown |number of |Non-medium error |(?:read|write|verify):|Error counter log:|Error Counter "
    r"|Vendor \(Seagate|Background scan |Current temperature =|Lifetime m|Firmware Updates |Optional \w+ Commands "
    r"|Supported |SMART/Health |General SMART Values:|SMART Attributes Data |Vendor Specific SMART "
    r"|SMART (?:Self|Error)|Device Statistics |0x[0-9a-f]{2}[ \t]+0x[0-9a-f]{3}[ \t]|\|{1,6}_"
)
# Where a line of output begins, for text that lost its line ends.
BEGINS = re.compile(
    r"(?<![ \t])(?P<gap>[ \t]++)(?:"
    rf"(?:[0-9]+|0\.5)[ \t]+kbytes:|\S++[ \t]++#[ \t]sectorsize|(?:{TITLES})"
    r"|smartctl (?:version |pre-)?[0-9]+\.[0-9]|Copyright \(C\)|=== START OF|ID# ATTRIBUTE_NAME"
    rf"|(?:{SMARTCTL_LABELS}):|{SMARTCTL_LINES}"
    r"|[0-9]{1,3}[ \t][A-Z][\w/-]{3,40}[ \t]+(?:0x[0-9a-f]{4}|[-POSRCK]{6}[ \t])"
    r")",
    re.ASCII,
)
ENDS = re.compile(
    rf"(#[ \t](?:{DISKINFO_COMMENTS})|{TITLES}|=== START OF [A-Z ]{{4,40}} ==="
    r"|usec/IO =[ \t]*[0-9.]{1,12}[ \t]Mbytes/s)[ \t]+(?=\S)"
)
RUN_TOGETHER = (
    re.compile(r"# sectorsize[ \t]+\S"),
    re.compile(r"=== START OF [A-Z ]{4,40} ===[ \t]+\S"),
    re.compile(r"Serial Number:[ \t][^\n:]{1,80} (?:Firmware Version|LU WWN Device Id):"),
    re.compile(r"Revision:[ \t][^\n:]{1,40} [A-Z][a-z]{3,20} [a-z]{2,10}:"),
    re.compile(r"Device type:[ \t][^\n:]{1,40} [A-Z][a-z]{3,20} [a-z]{2,10}:"),
)
MIN_RUN_TOGETHER = 3  # as many beginnings or ends within one line mean that line ends were lost

# A line that should have gone on: what it begins with, and not what it has to end with. For single lines only.
CUT_OFF = re.compile(
    r"[ \t]*[0-9.]+[ \t]+kbytes:(?![^\n]*(?:Mbytes/s|IOPS|rror))"
    rf"|[^#]*#(?= ?[smCHDAPTRZ])(?![ \t]*(?:{DISKINFO_COMMENTS})[ \t]*$)[^#/]{{0,40}}$"
    r"|[ \t]*id[0-9]{1,3},enc@[^#]*$"
    r"|smartctl [0-9]+\.[0-9][^\]]*$|Copyright \(C\)(?!.*smartmontools)|ID# ATTRIBUTE_NAME(?!.*RAW_VALUE)"
    rf"|SMART overall-health self-(?!.*result:)|(?:{SMARTCTL_LABELS}):[ \t]*$"
)
# Whole lines of those kinds, to see cheaply that none is cut off.
WHOLE_LINE = re.compile(rf"#[ \t](?:{DISKINFO_COMMENTS})[ \t]*$| ===$")
# What begins lines of those kinds, where not all that belongs to them follows.
CUT_SHORT = (
    re.compile(r"kbytes:(?! *[0-9.]+ usec/IO = *[0-9.]+ Mbytes/s)"),
    re.compile(r"enc@n(?![^\n#]{1,200}#)"),
    re.compile(r"smartctl (?=[0-9]+\.[0-9])(?![^\n\]]{0,300}\])"),
    re.compile(r"ID# ATTRIBUTE_NAME(?![^\n]{0,120}RAW_VALUE)"),
    re.compile(r"overall-health self(?!-assessment test result:)"),
    re.compile(r"Copyright \(C\)(?![^\n]{0,160}(?:smartmontools|\nHome page))"),
)
# A whole head of smartctl's attributes is none.
WHOLE_HEAD = r"[ \t]ATTRIBUTE_NAME[ \t]+FLAGS?[ \t]+VALUE[ \t]WORST[^\n]{20,80}RAW_VALUE"
PART_OF_COMMENT = re.compile(rf"#(?![ \t](?:{DISKINFO_COMMENTS})[ \t]*$|{WHOLE_HEAD})", re.MULTILINE)
COLON_LAST = re.compile(r":[ \t]*+\n")
LABELS = frozenset(SMARTCTL_LABELS.replace("Sector Sizes?", "Sector Size|Sector Sizes").split("|"))
# A line that begins something, so it is never the rest of the line above.
OWN_LINE = re.compile(
    r"[A-Z][\w /().#-]{2,50}:(?:\s|$)|=== |ID# |[ \t]*[0-9]{1,3} [A-Z][A-Za-z]+_|\t|[ \t]*[0-9.]+ kbytes:|/dev/|$"
    r"|smartctl [0-9]|Copyright \("
)
# A line with a mask may have been longer or shorter, or was put together when it was masked.
MASK = re.compile(r"\[(?:serial|wwn|host|user|address|key)-[0-9]")
LONGEST_LABEL = 60  # characters
NARROWEST, WIDEST = 20, 200
MIN_CUT_OFF = 5
MAX_PARTS = 6  # lines that one line of output is wrapped to at most


def split_run_together(plain: Traced) -> Traced:
    """Break lines in which several lines of output stand."""
    return plain.edit(_breaks(plain.text)) if _is_run_together(plain.text) else plain


def _is_run_together(text: str) -> bool:
    return any(pattern.search(text) for pattern in RUN_TOGETHER) or text.count("usec/IO") > text.count("\n")


def _breaks(text: str) -> Iterator[Edit]:
    start = 0
    for line in text.split("\n"):
        places = {match.span("gap") for match in BEGINS.finditer(line)}
        places |= {(match.end(1), match.end()) for match in ENDS.finditer(line)}
        if len(places) >= MIN_RUN_TOGETHER:
            for begin, end in sorted(places):
                yield start + begin, start + end, "\n"
        start += len(line) + 1


def join_wrapped(plain: Traced) -> Traced:
    """Join the lines that a terminal broke at its width, or mail between two words."""
    if not _may_be_wrapped(plain.text):
        return plain
    lines = plain.text.split("\n")
    cut_off = {number for number, line in enumerate(lines) if len(line) <= WIDEST and CUT_OFF.match(line)}
    if not cut_off:
        return plain
    return plain.edit(_joins(lines, cut_off, _width(lines, cut_off)))


def _width(lines: list[str], cut_off: set[int]) -> int:
    """The width of the terminal that broke the lines; 0 for none: then only what is known to be cut off is joined.

    No line is longer; or, where something else stands above or below, at least so many are cut off at one width.
    """
    width = max(len(lines[number]) for number in cut_off)
    if any(len(line) > width and not MASK.search(line) for line in lines):
        width, count = Counter(len(lines[number]) for number in cut_off).most_common(1)[0]
        width = width if count >= MIN_CUT_OFF else 0
    return width if width >= NARROWEST else 0


def _may_be_wrapped(text: str) -> bool:
    """Whether lines of a known kind are there that are not known to be whole."""
    return (
        any(pattern.search(text) for pattern in CUT_SHORT)
        or ("# sectorsize" in text and PART_OF_COMMENT.search(text) is not None)
        or any(_is_label(text, match.start()) for match in COLON_LAST.finditer(text))
    )


def _is_label(text: str, end: int) -> bool:
    """Whether a label of smartctl is all that stands on a line up to there."""
    start = text.rfind("\n", max(end - LONGEST_LABEL - 1, 0), end) + 1
    return end - start <= LONGEST_LABEL and text[start:end] in LABELS


def _joins(lines: list[str], cut_off: set[int], width: int) -> Iterator[Edit]:
    """Take out the line ends behind lines that are cut off or as wide as the terminal.

    A terminal breaks anywhere; mail breaks at a blank, which goes with the line end and has to come back.
    """
    end, parts, joined = -1, 0, ""
    for number, line in enumerate(lines[:-1]):
        end += len(line) + 1
        joined += line
        below = lines[number + 1]
        is_full = len(line) == width and WHOLE_LINE.search(line) is None
        is_full = is_full and (len(below) <= width or MASK.search(below) is not None)
        is_cut = number in cut_off if parts == 0 else len(joined) <= WIDEST and bool(CUT_OFF.match(joined))
        if (is_full or is_cut) and parts < MAX_PARTS and OWN_LINE.match(below) is None:
            yield end, end + 1, "" if is_full else " "
            joined += "" if is_full else " "
            parts += 1
        else:
            parts, joined = 0, ""
