"""The words that fio prints, and the options of a command or a job file that are kept."""

import re
from functools import lru_cache

from parsers.base.dates import STAMP
from parsers.base.format import Masker
from parsers.base.vocabulary import read_words
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.paths import mask_paths
from parsers.text.tool_lines import HEAD_SIGN

ALL_CLIENTS = "All clients"  # what a client calls the sum of its servers' results
LONGEST_NAME = 100  # characters, of a job
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
_UNKNOWN = "$value"  # in place of what a shell puts there, or of what isn't fio's
_LONG_WORDS = re.compile(r"[a-z]{3,}")
_HEX = re.compile(r"\b0x[0-9a-fA-F]{1,16}\b")
_PATH = re.compile(r"/(?![0-9])")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_LONG_NUMBER = re.compile(r"\d{21}")
_WITH_UNIT = re.compile(r"\d{1,9}(?:\.\d{1,9})?(?:[kKMGTP]?i?B\b|m:)")
_BEHIND_FIGURE = re.compile(
    r"pro|thr|zon|\([af]"
)  # "2 processes", "0 zone resets", "group 0 (all jobs)", "Jobs: 1 (f=1)"


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
    return masks.own_word(mask_shapes(name[:LONGEST_NAME], masks))


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"[\s;&|()<>#]", value) else value


@lru_cache(maxsize=4096)
def is_fio_text(text: str) -> bool:
    """Whether a text is made of fio's words and figures."""
    if not text.isascii() or _LONG_NUMBER.search(text):
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
