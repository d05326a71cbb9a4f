"""The lines of pveperf: labels, values, errors."""

import re

from parsers.text.tool_lines import fio_line_kind

_GAP = r"[ \t\u00a0_]{0,3}"
_PATTERNS = {
    "cpu_bogomips": rf"CPU{_GAP}BOGOMIPS",
    "regex_s": rf"REGEX{_GAP}/{_GAP}SECOND",
    "hd_size_gb": rf"HD{_GAP}SIZE",
    "buffered_reads_mb_s": rf"BUFFERED{_GAP}READS",
    "average_seek_ms": rf"AVERAGE{_GAP}SEEK{_GAP}TIME",
    "fsyncs_s": rf"FSYNCS{_GAP}/{_GAP}SECOND",
    "dns_ext": rf"DNS{_GAP}EXT",
    "dns_int": rf"DNS{_GAP}INT",
}
_LABEL = re.compile(
    "|".join(rf"(?P<{name}>{label})(?=[ \t]{{0,40}}[:|*=])" for name, label in _PATTERNS.items())
)
VALUE = re.compile(
    r"[\s:|*=]{1,60}(?P<figure>-?[0-9][0-9.,']{0,30}|-?(?:inf|nan))"
    r"(?:[\s|*]{0,8}(?P<unit>[A-Za-z]{1,5}(?:/(?:sec|s|second)\b)?))?"
    r"(?P<source>[\s|*]{0,8}\([^()\n]{1,300}\))?"
)
# As pveperf prints them
LABELS = {
    "cpu_bogomips": "CPU BOGOMIPS",
    "regex_s": "REGEX/SECOND",
    "hd_size_gb": "HD SIZE",
    "buffered_reads_mb_s": "BUFFERED READS",
    "average_seek_ms": "AVERAGE SEEK TIME",
    "fsyncs_s": "FSYNCS/SECOND",
    "dns_ext": "DNS EXT",
    "dns_int": "DNS INT",
}
_WORDS = ("BOGOMIPS", "SECOND", "SIZE", "BUFFERED", "SEEK", "DNS")  # one of them is in every label
ERROR = re.compile(
    r"(?:[^\n]{0,120}[ /:])?pveperf: (?P<message>[^\n]{3,300})"
    r"|(?P<bare>unable to (?:get|open)[^\n]{3,200} at /\S{0,60}pveperf[^\n]{0,80})"
)
MIN_CUT_LENGTH = 5  # characters


def find_labels(line: str) -> list[re.Match[str]]:
    return list(_LABEL.finditer(line)) if any(word in line for word in _WORDS) else []


def is_cut(line: str) -> bool:
    text = line.strip()
    return len(text) >= MIN_CUT_LENGTH and any(one.startswith(text) for one in LABELS.values())


def is_error(line: str) -> bool:
    """Say whether a line is an error message."""
    if "pveperf" not in line or ERROR.fullmatch(line) is None:
        return False
    return fio_line_kind(line.strip()) is None  # a job may be named pveperf
