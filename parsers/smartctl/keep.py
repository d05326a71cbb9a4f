"""Keep the lines of smartctl's text: labels, rows and sentences that it prints, with the identifiers in them masked.

A line is smartctl's if it begins like one (beginnings.txt, or a label that is read) and goes on with the words of its
sources (vocabulary.txt) and figures. Rows without words are known by their shape.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, takewhile

from parsers.base.dates import keep_asctime
from parsers.base.format import Block, KeptLines, Masker
from parsers.base.vocabulary import read_lines, read_words
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.masks import MASK
from parsers.privacy.paths import mask_path
from parsers.smartctl.failures import CODES, FAILURE_STARTS, find_failure, is_argument_next, is_missing_tool
from parsers.smartctl.labels import (
    KNOWN_LABELS,
    LOGS,
    OPEN_FAILURE,
    SECTION,
    VENDOR_LOG,
    WEAK_LABELS,
    match_banner,
)
from parsers.smartctl.tables import ATTRIBUTE_START, COLUMNS, is_attribute_row
from parsers.text.remarks import without_words
from parsers.text.tool_lines import SMARTCTL_LABEL_NAMES

_WITHHELD = "\u2026"  # in place of a value that no device has
_MAX_LENGTH = 400  # characters of a line
_MAX_FREE_LENGTH = 300  # characters of a name
_MAX_FARM_LENGTH = 40  # characters of a value
_NARROWEST_TERMINAL = 78
_MAX_CONTINUATIONS = 4  # lines that a row is wrapped to, every other one perhaps empty


VOCABULARY = read_words(__file__, "vocabulary.txt")
_ATTRIBUTE_WORDS = VOCABULARY | read_words(__file__, "attributes.txt")
_UNKNOWN_ATTRIBUTE = "Unknown_Attribute"  # as smartctl calls it
_BEGINNINGS = {
    first: tuple(lines)
    for first, lines in groupby(sorted(read_lines(__file__, "beginnings.txt")), lambda line: line.split()[0])
}

_SERIAL_LABELS = frozenset({"Serial Number", "Serial number", "Unit serial number"})
_NAME_LABEL = re.compile(
    r"LU WWN Device Id|Logical Unit id|Namespace \d+ IEEE EUI-64|Namespace \d+ NGUID|NGUID|EUI-64|Unit Id"
    r"|World Wide Name|(?:attached )?SAS address"
)
_FREE_LABELS = frozenset(read_lines(__file__, "free_labels.txt"))
_LABELS = SMARTCTL_LABEL_NAMES | KNOWN_LABELS | {"ATA Standard is"}
_LONG_NUMBER = re.compile(r"\b\d{8,20}")
_LOOSE_NUMBER = re.compile(  # where smartctl prints none
    r"(?:(?<=[^\s=:(])|(?<===))\s+\d{8,20}\b|\A\d{8,20}\s+(?!(?:bytes|rpm|C|Celsius|hours)\b|[\[(])|\b\d{8,20}\s+\d"
)
_COUNTERS = re.compile(r"\d{1,20}(?:\s+[\d.,']{1,20}){4,6}")
_OTHER_LABEL = re.compile(r"(?:[A-Z][\w./-]*[ ]?){1,3}:(?!\d)")
_NOT_FREE = re.compile(r"[\x00-\x08\x0a-\x1f]")
_OLD_DEVICE = re.compile(r"Device:\s*\S{1,8}\s+\S.{0,40}?\s+Version: \S{1,16}\s*")
_COPYRIGHT = re.compile(r"(?P<years>Copyright \(C\) 20[\d-]{2,7},? (?:by )?)(?P<authors>Bruce Allen.{0,100})")
_AUTHORS = (
    "Bruce Allen, Christian Franke, www.smartmontools.org",
    "Bruce Allen, http://smartmontools.sourceforge.net",
)
_HOME_PAGE = re.compile(r"Home page is http://(?:smartmontools\.sourceforge\.net|www\.smartmontools\.org)/?")
_SECTION = re.compile(r"=== START OF (?P<title>[A-Z /()-]{4,60}) ===")
# smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build), cut off anywhere
BUILD = r"\((?:local build|SUSE RPM|sf-[\d.-]{1,12}|CircleCI|AppVeyor)\)"
PLATFORM = (
    r"(?:(?:x86_64|i[3-6]86|amd64|arm|aarch64|ppc|powerpc|sparc|mips|riscv|s390|alpha|ia64)[\w.+:~()-]{0,60}"
    r"|(?:Free|Open|Net)BSD|DragonFly|Darwin|SunOS)(?: \d{1,3}\.[\w.~+-]{1,40})?"
    r"(?: (?:amd64|arm64|aarch64|x86_64|i[3-6]86|i86pc|sparc\w*|power\w*))?"
)
_BANNER = re.compile(
    r"smartctl (?:version )?(?:pre-)?\d{1,2}\.\d{1,3}(?:\.\d{1,3})?"
    r"(?:[~+.-](?:rc|pre|svn|git|modified)?\d{0,8}|rc\d){0,3}"
    r"(?: \(build date [A-Z][a-z]{2} [ \d]\d \d{4}\))?"
    r"(?: \d{4}-\d\d-\d\d)?(?: \d\d:\d\d)?(?: r\d{1,6}\w{0,2})?"
    rf"(?: \[{PLATFORM}\]?)?(?: ?{BUILD})?(?: Copyright \(C\) 20[\d-]{{2,7}},? (?:by )?Bruce Allen)?"
)
# Other words in the name of a build may be a name of its owner's
_BUILD_WORDS = read_words(__file__, "builds.txt")
_PART_OF_BUILD = re.compile(r"(?P<word>[A-Za-z]{2,}|[A-Za-z])?\d{0,5}(?:[A-Za-z]\d{0,3})?")
_PARTS = re.compile(r"([^0-9A-Za-z]+)")
_REST_OF_BANNER = re.compile(rf"(?:\[?{PLATFORM}\])?(?: ?{BUILD})?")

# Rows that hardly hold a word
_ATTRIBUTE = re.compile(
    rf"{ATTRIBUTE_START.pattern}(?P<rest>(?:\d{{1,3}}|-{{1,3}}|0x[0-9a-f]{{2}})\s.{{0,160}})"
)
_REGISTERS = r"(?:[0-9a-f]{2}|--)(?: ?-?(?: [0-9a-f]{2}|--)| (?:[0-9a-f]{2}|--)){5,14}"
_ROWS = re.compile(
    # of the error log: registers, with an error, or with the time and the name of the command
    rf"{_REGISTERS}(?:\s+Error: (?P<words1>.{{2,120}})"
    r"|\s{1,20}(?:\d{1,6}d\+)?(?:[\d:.]{5,20}|\.\.\.)\s+(?P<words2>[A-Z].{2,80}))"
    r"|-- -- -- == -- == == == -- -- -- -- --.{0,40}|[-= ]{8,120}|(?:--- *){2,12}"
    # of self-tests and background scans
    r"|#\s?\d{1,2}\s+(?P<words3>\S.{10,160})|\d{1,2}\s+(?P<words4>(?:Short|Extended|Vendor)\s.{10,160})"
    # of power states, LBA formats, selective tests, histories of temperatures, errors of NVMe
    r"|\d{1,2} [+-]\s+\d{1,3}\.\d{1,4}W\s+[\d.W\s-]{10,100}|\d{1,2} [+-]\s+\d{1,5}\s+\d{1,4}\s+\d"
    r"|\d{1,2}\s+\d{1,15}\s+\d{1,15}\s+(?P<words5>[A-Z][A-Za-z_]{3,30}.{0,60})"
    r"|\d{1,3}\s+\d{4}-\d\d-\d\d \d\d:\d\d\s+(?:\d{1,3}|-\d{1,3}|\?)\s+[*-]*|\.\.\.\s.{0,60}"
    r"|\d{1,3}\s+\d{1,12}\s+\d{1,5}\s+0x[0-9a-f]{4}\s+0x[0-9a-f]{4}\s+(?:0x[0-9a-f]{3,4}|-)\s+[\d-]{1,20}(?P<words6>\s+.{0,60})"
    # of pages: device statistics, the directory of logs, events of phys
    r"|\d{1,2}\s+0x[0-9a-f]{3}\s+\d\s+(?P<words8>[\d-].{2,100})"
    r"|0x[0-9a-f]{2,4}(?:-0x[0-9a-f]{2})?\s+(?P<words7>\S.{2,120})",
)
# Where a row has a long number, by its kind; others have none
_PLACE = re.compile(r"=\s+\d{8,20}\b")
_PLACES = {
    "words1": _PLACE,
    "words2": _PLACE,
    **dict.fromkeys(("words3", "words4"), re.compile(r"(?<=\d)\s+\d{8,20}\Z")),
    "words7": re.compile(r"\A(?:0x[0-9a-f]{3}\s+)?\d\s+\d{8,20}\b"),
    "words8": re.compile(r"\A\d{8,20}\b"),
}
_PLACE_OF_COUNT = re.compile(r"(?:=|[cC]ount:|Commands:)\s+\d[\d/,.-]*\Z")
_CONTINUATIONS = read_lines(__file__, "continuations.txt")
_EQUATION = re.compile(r"(?P<label>(?:attached )?SAS address)\s*=\s*(?P<value>\S+)")
_FARM_LABEL = re.compile(r"[A-Z][\w /().,#%-]{2,90}:(?P<value>.*)")

_TOKEN = re.compile(r"\[(?:serial|wwn|pool)-\d{1,6}\]|[0-9A-Za-z]+")
_NUMBER = re.compile(
    r"[+-]?\d{1,20}(?:[.,'-]\d{1,3}){0,6}(?:\.\d{1,4})?|\d{1,6}(?::\d{2}){1,2}(?:\.\d{1,3})?|\d{1,3}[.,']\d{3}:\d{2}|\d{1,4}(?:/\d{1,4}){1,2}"
    r"|20\d\d-\d\d(?:-\d\d)?"
)
_GROUPED = re.compile(r"[0-9a-f]{1,8}(?:[:.-][0-9a-f]{1,8}){2,}|(?:\d{1,3}\.){3}\d{1,3}.*", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\Z)|\Z)){4}")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_WORD_OF_ROW = re.compile(r"(?<![0-9A-Za-z])[A-Za-z][a-z]*[A-Za-z]{2}")
_SHORT_HEX = re.compile(r"0x[0-9a-f]{1,12}|0x0{4}[0-9a-f]{0,12}|0xf{8,16}|[0-9a-f]{2}")
_WITH_UNIT = re.compile(r"(?P<figure>\d{1,20})(?P<unit>[a-z]{1,6})")
_WITH_NUMBER = re.compile(r"(?P<word>[a-z]{1,12})\d{1,4}")
_MARKS = "()[]{}<>,;:.!?*|=\"'`#"  # around words
_DIGITS, _BLANKS = re.compile(r"\d+"), re.compile(r"\s+")


def keep(block: Block, masks: Masker) -> KeptLines:
    """Keep a block that is smartctl's beyond doubt, and messages of it."""
    keeper = _Keeper(masks)
    masked_lines: list[str | None] = []
    while len(masked_lines) < len(block.lines):
        line, count = _joined(block.lines, len(masked_lines))
        masked_lines += [keeper.keep_line(line), *[""] * (count - 1)]
    if not keeper.is_certain:
        masked_lines = [line if line and _is_message(line.strip()) else None for line in masked_lines]
    return KeptLines(masked_lines)


class _Keeper:
    """Keeps the lines of a block one by one, and knows whether the one above was kept."""

    def __init__(self, masks: Masker) -> None:
        self._masks = masks
        self._is_line_above_kept = self._is_farm = self._is_proven = self._is_banner_cut = False
        self._weak_labels: set[str] = set()

    @property
    def is_certain(self) -> bool:
        """Whether no other program prints such lines."""
        return self._is_proven or len(self._weak_labels) > 1

    def keep_line(self, line: str) -> str | None:
        text = line.strip()
        if not text:
            return ""
        is_title = text.startswith((*LOGS, SECTION)) or match_banner(text) is not None
        self._is_farm = text.startswith((VENDOR_LOG, "FARM Log")) or (self._is_farm and not is_title)
        masked = _keep_line(line, text, self._masks) if len(text) <= _MAX_LENGTH else None
        if masked is None and self._is_continued(text):
            masked = line
        self._is_line_above_kept = masked is not None
        self._is_banner_cut = (
            masked is not None and is_title and "]" not in text and not text.startswith("===")
        )
        if masked is not None and not self._is_proven:
            label = " ".join(text.partition(":")[0].split()) if ":" in text else ""
            is_strong = label in KNOWN_LABELS and label not in WEAK_LABELS
            self._is_proven = is_title or is_strong or _ATTRIBUTE.fullmatch(text) is not None
            self._weak_labels |= {label} & WEAK_LABELS
        return masked

    def _is_continued(self, text: str) -> bool:
        """Whether a line belongs to the ones above it."""
        if self._is_banner_cut and _REST_OF_BANNER.fullmatch(text):
            platform = text.removeprefix("[").partition("]")[0]
            return keep_platform(platform) == platform
        return (self._is_farm and _is_farm_row(text)) or (self._is_line_above_kept and _is_rest(text))


def _joined(lines: Sequence[str], at: int) -> tuple[str, int]:
    """A row of attributes with the lines that it was wrapped to, and how many these are."""
    row = ATTRIBUTE_START.match(lines[at])
    columns = lines[at][row.end() :] if row else ""
    for count, below in enumerate(lines[at + 1 : at + 1 + _MAX_CONTINUATIONS] if row else (), start=1):
        if COLUMNS.match(columns) or is_attribute_row(below):
            break
        columns += f" {below.strip()}"
        if COLUMNS.match(columns):
            return lines[at][: row.end() if row else 0] + columns, count + 1
    return lines[at], 1


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """Options and the device."""
    masked_words: list[str] = []
    for word in words:
        text = word.strip("*,;")
        if _COMMAND_OPTION.fullmatch(text):
            masked_words.append(keep_option(text))
        elif "$" in text:
            masked_words.append("$disk")
        elif text.startswith(("/", "\\\\", "IOService:")) or BARE_NODE.fullmatch(text):
            masked_words.append(mask_path(text, masks))
        elif (
            masked_words
            and is_argument_next(masked_words[-1])
            and (_ARGUMENT.fullmatch(text) or text == _WITHHELD)
        ):
            masked_words.append(text if _is_argument(text) else _WITHHELD)
        else:
            return None
    return " ".join(masked_words) if masked_words else None


def keep_option(text: str) -> str:
    """An option with its value, if it is one of smartctl's: others are paths, or anything."""
    name, sign, value = text.partition("=")
    if text.startswith("--") or len(name) > _MAX_CLUSTER_LENGTH or "/" in name:
        is_known = _is_argument(name.lstrip("-")) or _is_argument(name[2:])
        name = name if is_known else name[:2] if name[1] != "-" else f"--{_WITHHELD}"
    return f"{name}{sign}{value}" if not value or _is_argument(value) else f"{name}{sign}{_WITHHELD}"


def _is_argument(text: str) -> bool:
    """Whether a text consists of smartctl's words and figures; "/" separates figures."""
    return (
        not _PATH.search(text)
        and text.isascii()
        and all(
            word in VOCABULARY or word in _TYPES for word in _LONG_WORDS.findall(_HEX.sub("", text.lower()))
        )
    )


_COMMAND_OPTION = re.compile(rf"-{{1,2}}[A-Za-z{_WITHHELD}][\w,:=+/.{_WITHHELD}-]{{0,80}}")
_MAX_CLUSTER_LENGTH = 6  # characters of single letters: -iAHx
_LONG_WORDS, _HEX = re.compile(r"[a-z]{3,}"), re.compile(r"\b0x[0-9a-f]{1,8}\b")
_PATH = re.compile(r"/(?!\d)|\d{9}")
_TYPES = read_words(__file__, "types.txt")
_ARGUMENT = re.compile(r"[\w,:+/.-]{1,40}")
BARE_NODE = re.compile(
    r"[sh]d[a-z]{1,2}|(?:pd|nvme|csmi|scsi|nvd|nda|ada|da|disk|twa|twe|wd|ciss)\d[\w,.]{0,8}"
)


def is_plain(text: str) -> bool:
    """Whether a text is made of smartctl's words and of figures, none of which is long where it prints no such."""
    return _is_plain_row(text) and not _LOOSE_NUMBER.search(text)


def _is_plain_row(text: str) -> bool:
    """Whether a text is made of smartctl's words and of figures."""
    if not text.isascii() or len(text) > _MAX_LENGTH:
        return False
    return all(_is_plain_word(word) for word in text.split())


@lru_cache(maxsize=8192)  # the same words occur again and again
def _is_plain_word(word: str) -> bool:
    bare = word.strip(_MARKS)
    if _ADDRESS.fullmatch(bare):
        return False
    if not bare or _NUMBER.fullmatch(bare) or MASK.fullmatch(word.strip(".,;:()")):
        return True
    if _GROUPED.fullmatch(bare) and not _THOUSANDS.fullmatch(bare):
        return False
    return all(map(_is_plain_token, _TOKEN.findall(bare)))


def _is_plain_token(token: str) -> bool:
    low = token.lower()
    if (
        token[0] == "["
        or len(token) == 1
        or _SHORT_HEX.fullmatch(low)
        or (token.isdigit() and len(token) <= 20)
    ):
        return True
    if token.isalpha():
        return low in VOCABULARY
    with_unit, with_number = _WITH_UNIT.fullmatch(low), _WITH_NUMBER.fullmatch(low)
    if with_unit is not None:
        return len(with_unit["unit"]) == 1 or with_unit["unit"] in VOCABULARY
    return with_number is not None and (len(with_number["word"]) == 1 or with_number["word"] in VOCABULARY)


def _keep_line(line: str, text: str, masks: Masker) -> str | None:
    """What is kept of a line that isn't empty, by itself."""
    return next(filter(None, (rule(line, text, masks) for rule in _RULES)), None)


def _keep_title(line: str, text: str, masks: Masker) -> str | None:
    section = _SECTION.fullmatch(text)
    if section is not None:
        return line if is_plain(section["title"]) else None
    if _HOME_PAGE.fullmatch(text):
        return line
    notice = _COPYRIGHT.fullmatch(text)
    if notice is not None:
        is_known = any(author.startswith(notice["authors"]) for author in _AUTHORS)
        return line if is_known else f"{notice['years']}Bruce Allen"
    banner = _BANNER.match(text) if text.startswith("smartctl ") and match_banner(text) else None
    if banner is None:
        return None
    version, bracket, rest = banner[0].partition("[")
    platform, end, build = rest.partition("]")
    return mask_shapes(f"{version}{bracket}{keep_platform(platform)}{end}{build}", masks)


def keep_platform(text: str) -> str:
    """A platform, without what somebody added to the version of the system."""
    return " ".join(map(_keep_build, text.split(" ")))


def _keep_build(name: str) -> str:
    parts = _PARTS.split(name)
    known = "".join(takewhile(_is_part_of_build, parts))
    return name if known == name else known.rstrip("-+._~(")


def _is_part_of_build(part: str) -> bool:
    match = _PART_OF_BUILD.fullmatch(part)
    if match is None:
        return part.lower() in _BUILD_WORDS or _PARTS.fullmatch(part) is not None
    word = (match["word"] or "").lower()
    return len(word) < 2 or any(known.startswith(word) for known in _BUILD_WORDS)  # it may be cut off


def _keep_address(line: str, text: str, masks: Masker) -> str | None:
    equation = _EQUATION.fullmatch(text) if "=" in text else None
    return line.replace(equation["value"], masks.mask("wwn", equation["value"])) if equation else None


def keep_attribute_name(name: str) -> str:
    """The name of an attribute, if it is made of words of such names."""
    is_known = all(word in _ATTRIBUTE_WORDS for word in _LONG_WORDS.findall(name.lower()))
    return name if is_known else _UNKNOWN_ATTRIBUTE


def _keep_attribute(line: str, text: str, _masks: Masker) -> str | None:
    row = _ATTRIBUTE.fullmatch(text)
    if row is None:
        return None
    name = text.split(None, 2)[1]
    line = line.replace(name, keep_attribute_name(name), 1)
    columns = COLUMNS.match(row["rest"])
    if columns is None:  # it is cut off
        return line if is_plain(_without_cut_word(row["rest"])) else None
    start = columns.start("raw") if columns["raw"] else columns.start("bare")
    return line if _is_plain_row(row["rest"][:start]) and is_plain(row["rest"][start:]) else None


def _keep_beginning(line: str, text: str, _masks: Masker) -> str | None:
    """A line that begins like one of smartctl's and goes on in its words."""
    normal = _DIGITS.sub("0", _BLANKS.sub(" ", text))
    if not normal.startswith(_BEGINNINGS.get(normal.partition(" ")[0], "\0")):
        return None
    is_known = is_plain(text) and not _LONG_NUMBER.search(_PLACE_OF_COUNT.sub("", text))
    return line if is_known or _is_counters(text.partition(":")[2].strip()) else None


def _keep_cut(line: str, text: str, masks: Masker) -> str | None:
    """A line that a terminal broke within a word, without the part of the word."""
    if len(text) < _NARROWEST_TERMINAL:
        return None
    return _keep_beginning(line.rstrip().rpartition(" ")[0], text.rpartition(" ")[0], masks)


def _is_counters(value: str) -> bool:
    """Whether a value is the columns of an error counter log."""
    return _COUNTERS.fullmatch(value) is not None and _is_plain_row(value)


def _keep_row(line: str, text: str, _masks: Masker) -> str | None:
    row = _ROWS.fullmatch(text)
    if row is None:
        return None
    words = next((value for value in row.groups() if value), "")
    place = _PLACES.get(row.lastgroup or "")
    is_displaced = _LONG_NUMBER.search(place.sub("", words) if place else words or text) is not None
    has_registers = bool(row["words1"] or row["words2"])  # bytes, which are no words
    has_word = not row.lastgroup or _WORD_OF_ROW.search(words) is not None
    is_known = has_word and not is_displaced
    return line if is_known and _is_plain_row(words) and (has_registers or _is_plain_row(text)) else None


def _without_cut_word(text: str) -> str:
    """A row without the word that it was cut off in."""
    before, _, last = text.rpartition(" ")
    is_part = any(word.startswith(last) for word in ("Always", "Offline", "Old_age", "Pre-fail"))
    return before if is_part else text


def _keep_labeled(line: str, text: str, masks: Masker) -> str | None:
    """The label as it was printed, and what is kept of its value."""
    if _OLD_DEVICE.fullmatch(text):
        return mask_shapes(line, masks)
    label, colon, value = text.partition(":")
    masked = _keep_value(" ".join(label.split()), value.strip(), masks) if colon else None
    if masked is None:
        return None
    begin = line.index(":") + 1
    return line[: len(line) - len(line[begin:].lstrip())] + masked


def _keep_value(label: str, value: str, masks: Masker) -> str | None:
    if label in _SERIAL_LABELS:
        return masks.mask("serial", value)
    if _NAME_LABEL.fullmatch(label):
        return masks.mask("wwn", value)
    if label in _FREE_LABELS:
        value = without_words(value, is_name=True)
        is_free = value.isascii() and not _OTHER_LABEL.search(value) and not _NOT_FREE.search(value)
        return mask_shapes(value, masks) if is_free and len(value) <= _MAX_FREE_LENGTH else _WITHHELD
    if label not in _LABELS:
        return None
    if value and label == "Local Time is":
        return keep_asctime(value) or _WITHHELD
    if is_plain(value) or _is_counters(value):
        return value
    bare = without_words(value)
    return bare if is_plain(bare) and not _LONG_NUMBER.fullmatch(bare) else _WITHHELD


def _is_farm_row(text: str) -> bool:
    """A row of Seagate's FARM pages, or a title."""
    match = _FARM_LABEL.fullmatch(text)
    return match is not None and len(match["value"].strip()) <= _MAX_FARM_LENGTH and is_plain(text)


def _is_rest(text: str) -> bool:
    """Whether a line can be the rest of the sentence above."""
    return text.startswith(_CONTINUATIONS) and is_plain(text)


def _is_message(text: str) -> bool:
    return text.startswith(FAILURE_STARTS) or is_missing_tool(text)


def _keep_message(line: str, text: str, masks: Masker) -> str | None:
    """A message of smartctl's, in its own words or in those that the advice is chosen by."""
    if not (text.startswith(FAILURE_STARTS) or "smartctl" in text):
        return None
    if is_missing_tool(text):
        return "smartctl: command not found"
    opened = OPEN_FAILURE.match(text)
    if opened is not None:
        rest = text[opened.end() :]
        kind = f" [{opened[2]}]" if opened[2] and is_plain(opened[2]) else ""
        cause = rest if is_plain(rest) else _cause(rest)
        return f"Smartctl open device: {mask_path(opened[1], masks)}{kind} failed{cause}"
    if text.startswith(("/dev/", "\\\\")):
        path, colon, rest = text.partition(":")
        if " " in path.partition(" [")[0] or not colon or find_failure(rest, None) is None:
            return None
        name, _, kind = path.partition(" ")
        kind = f" {kind}" if kind and is_plain(kind) else ""
        cause = f":{rest}" if is_plain(rest) else _cause(rest)
        return f"{mask_path(name, masks)}{kind}{cause}"
    if find_failure(text, None) is None:
        return None
    return line if is_plain(text) and not _LONG_NUMBER.search(text) else f"Smartctl{_cause(text)}"


_RULES = (
    _keep_title, _keep_labeled, _keep_address, _keep_attribute, _keep_message, _keep_beginning, _keep_row,
    _keep_cut,
)  # fmt: skip


def _cause(message: str) -> str:
    lowered = message.lower()
    return next((f": {words}" for words, _code in CODES if words in lowered), "")
