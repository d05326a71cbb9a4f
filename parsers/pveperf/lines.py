"""The lines of pveperf: labels, values, errors."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from parsers.text.messages import read_messages


class PrintedField(NamedTuple):
    """A label as pveperf prints it, unit factors (the printed unit first), and a figure that is too large."""

    label: str
    factors: Mapping[str, int | Decimal] = {}
    too_large: int = 10**7


# In the order of the output; pveperf's GB are 1024^3 bytes
FIELDS = {
    "cpu_bogomips": PrintedField("CPU BOGOMIPS", too_large=10**8),
    "regex_s": PrintedField("REGEX/SECOND", too_large=10**9),
    "hd_size_gb": PrintedField(
        "HD SIZE",
        {"GB": 1, "G": 1, "GiB": 1, "TB": 1024, "T": 1024, "TiB": 1024, "MB": Decimal(1) / 1024},
        too_large=10**8,
    ),
    "buffered_reads_mb_s": PrintedField(
        "BUFFERED READS", {"MB/sec": 1, "MB/s": 1, "MB": 1, "MiB/s": 1, "GB/sec": 1024, "GB/s": 1024}
    ),
    "average_seek_ms": PrintedField(
        "AVERAGE SEEK TIME",
        {"ms": 1, "msec": 1, "us": Decimal("0.001"), "usec": Decimal("0.001"), "s": 1000},
    ),
    "fsyncs_s": PrintedField("FSYNCS/SECOND"),
}
TIMES_OF_DNS = {"dns_ext": PrintedField("DNS EXT"), "dns_int": PrintedField("DNS INT")}  # kept, and not read
LABELS = {name: field.label for name, field in (FIELDS | TIMES_OF_DNS).items()}
_GAP = r"[ \t\u00a0_]{0,3}"
_LABEL = re.compile(
    "|".join(
        rf"(?P<{name}>{label.replace(' ', _GAP).replace('/', f'{_GAP}/{_GAP}')})(?=[ \t]{{0,40}}[:|*=])"
        for name, label in LABELS.items()
    )
)
_UNIT = r"(?:[kKMGT]i?)?[bB](?:/(?:sec|s|second))?|[kMGT]|[num]?s(?:ec)?|min(?:utes)?|hours?"  # any other is a remark
VALUE = re.compile(
    r"[\s:|*=]{1,60}(?P<figure>-?(?:[0-9]{1,3}(?:[.,'][0-9]{3}){1,4}|[0-9]{1,10})(?:[.,][0-9]{0,12})?(?![.,']*[0-9])"
    rf"|-?(?:inf|nan))(?:[\s|*]{{0,8}}(?P<unit>{_UNIT})(?![A-Za-z/]))?"
    r"(?P<source>[\s|*]{0,8}\([^()\n]{1,300}\))?"
)
_WORDS = ("BOGOMIPS", "SECOND", "SIZE", "BUFFERED", "SEEK", "DNS")  # one of them is in every label
MESSAGES = read_messages(__file__, "pveperf")
MIN_CUT_LENGTH = 5  # characters


def split_fields(line: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each label in a line, and the text up to the next one."""
    labels = list(_LABEL.finditer(line)) if any(word in line for word in _WORDS) else []
    ends = [*(label.start() for label in labels[1:]), len(line)]
    for label, end in zip(labels, ends, strict=False):
        yield str(label.lastgroup), line[label.end() : end]


def is_cut(line: str) -> bool:
    """Whether a line is the start of a label."""
    text = line.strip()
    return len(text) >= MIN_CUT_LENGTH and any(label.startswith(text) for label in LABELS.values())
