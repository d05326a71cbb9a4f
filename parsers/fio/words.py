"""The words that fio prints, and the options of a command or a job file that are kept."""

import re
from functools import lru_cache

from parsers.base.dates import STAMP
from parsers.base.format import Masker
from parsers.base.vocabulary import read_words
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.masks import MASK
from parsers.privacy.paths import mask_paths
from parsers.text.tool_lines import HEAD_SIGN

ALL_CLIENTS = "All clients"  # what a client calls the sum of its servers' results
MAX_NAME_LENGTH = 100  # characters, of a job
FLAGS = read_words(__file__, "flags.txt")
OPTIONS = FLAGS | read_words(__file__, "options.txt")
_SAFE_VALUE = re.compile(r"[\w.,:%+/-]{1,60}")
_WORDS = read_words(__file__, "vocabulary.txt") | {
    word for option in OPTIONS for word in re.split(r"[_-]", option)
}
_VALUES = _WORDS | {
    part for word in read_words(__file__, "values.txt") for part in re.findall("[a-z]{3,}", word)
}
# A build of somebody's may have a name of theirs behind it
VERSION = r"fio[- ]\d{1,2}(?:\.\d{1,3}){0,3}(?:-rc\d{1,2})?(?:-\d{1,5})?(?:-g[0-9a-f]{4,16})?(?:-dirty)?"
# Of names of jobs: what isn't made of fio's words, units, and figures is a host's or a serial number
_UNITS = frozenset(
    {"k", "m", "g", "t", "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib",
     "tib", "qd", "nj", "q", "d", "j", "w", "r", "s", "ms", "us", "sec", "bs", "rw", "rnd", "seq"}
)  # fmt: skip
_HOST = re.compile(r"(?<![\w.-])[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.(?P<last>[A-Za-z]{2,})(?![\w.-])")
_PART = re.compile(r"[A-Za-z0-9]{8,}")
_USUAL_PART = re.compile(r"[A-Za-z]{3,}\d{1,4}|\d{1,4}[A-Za-z]{3,}")
_RUN = re.compile(r"[A-Za-z]+|\d+")
_MAX_COUNT_DIGITS, _MAX_UNIT_DIGITS = 8, 4  # digits
_UNKNOWN = "$value"  # in place of what a shell puts there, or of what isn't fio's
_LONG_WORDS = re.compile(r"[a-z]{3,}")
_HEX = re.compile(r"\b0x[0-9a-fA-F]{1,16}\b")
_PATH = re.compile(r"/(?![0-9])")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_NO_FIGURE = re.compile(r"\d{21}|\d\.\d+\.\d")  # too long, or an address
_WITH_UNIT = re.compile(r"\d{1,9}(?:\.\d{1,9})?(?:[kKMGTP]?i?B\b|m:)")
# What follows a figure that stands alone: 2 processes, 0 zone resets, group 0 (all jobs), Jobs: 1 (f=1)
_BEHIND_FIGURE = re.compile(r"pro|thr|zon|\([af]")


def takes_value(option: str) -> bool:
    """Whether the next word of a command is the option's value."""
    return option not in FLAGS


def keep_option(name: str, value: str | None, masks: Masker) -> str | None:
    """An option as `name=value`, paths masked; None for one that isn't known."""
    value = None if value is None else value.strip("'\" ")
    if name == "name" and value:
        return f"name={_quoted(own_name(value, masks))}"
    if name in ("filename", "directory") and value:
        return f"{name}={_quoted(mask_paths(value, masks))}"
    if name not in OPTIONS:
        return None
    if value is None or not value:
        return name
    if "$" in value:
        return f"{name}={_UNKNOWN}"
    if not _SAFE_VALUE.fullmatch(value):
        return None
    if name == "section":
        return f"section={own_name(value, masks)}"
    return f"{name}={value if _is_value(value) else _UNKNOWN}"


def _is_value(value: str) -> bool:
    """Whether a value is made of fio's words and figures, and no path, or a name of somebody's."""
    words = _LONG_WORDS.findall(_HEX.sub("", value).lower())
    return value.isascii() and not _PATH.search(value) and all(word in _VALUES for word in words)


def own_name(name: str, masks: Masker) -> str:
    """The name of a job, which its sender chose."""
    masked = mask_shapes(name[:MAX_NAME_LENGTH], masks)
    rest = MASK.sub(" ", masked)
    if "/" in rest or "\\" in rest:
        masked = masks.mask("pool", masked)
    elif any(host["last"].lower() not in _WORDS for host in _HOST.finditer(rest)):
        masked = masks.mask("host", masked)
    elif not all(map(_is_usual_part, _PART.findall(rest))):
        masked = masks.mask("serial", masked)
    return masks.own_word(masked)


def _is_usual_part(part: str) -> bool:
    """Whether a long part of a name is a word or a count, or made of fio's words and counts: `randwrite4k`."""
    if part.isalpha() or _USUAL_PART.fullmatch(part):
        return True
    runs = _RUN.findall(part.lower())
    words = [run for run in runs if run.isalpha()]
    if not all(word in _VALUES or word in _UNITS for word in words):
        return False
    longest = max(len(run) for run in runs if run.isdigit())
    return longest <= (_MAX_COUNT_DIGITS if not words or max(map(len, words)) > 1 else _MAX_UNIT_DIGITS)


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"[\s;&|()<>#]", value) else value


@lru_cache(maxsize=4096)
def is_fio_text(text: str) -> bool:
    """Whether a text is made of fio's words and figures."""
    if not text.isascii() or _NO_FIGURE.search(text):
        return False
    return all(word.lower() in _WORDS for word in _LETTERS.findall(text))


def is_fio_line(text: str) -> bool:
    """Whether a text is made of fio's words and figures, each of which is where fio prints one."""
    if not is_fio_text(text):
        return False
    words = (STAMP.sub("", text) if HEAD_SIGN in text else text).split()
    return all(map(_is_placed, words, ["", *words], [*words[1:], ""]))


def _is_placed(word: str, before: str, behind: str) -> bool:
    """Whether a word is no figure alone, or one with its name or its unit: `avg= 7`, `(R) 4K-4K`, `0 zone resets`."""
    if not word[0].isdigit() or "=" in word or _WITH_UNIT.match(word):
        return True
    if before[-1:] in ("=", "[") or before.endswith(("(R)", "(W)", "(T)")):
        return True
    is_cut = before[-1:] == ";" and word == "0" and not behind
    return is_cut or _BEHIND_FIGURE.match(behind) is not None
