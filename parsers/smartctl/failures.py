"""smartctl's error messages with advice on them, and its command lines."""

import re
from dataclasses import dataclass

from parsers.base.readings import Notice
from parsers.base.shell import words_after
from parsers.base.vocabulary import read_lines, read_words

_FAILURES = [line.split("\t") for line in read_lines(__file__, "failures.txt")]
CODES = tuple((part, code) for code, _advice, words in _FAILURES for part in words.split(";"))
ADVICE = {code: advice for code, advice, _words in _FAILURES}
FAILURE_STARTS = tuple(re.sub("_$", " ", line) for line in read_lines(__file__, "failure_starts.txt"))

# Options of smartctl(8) that take an argument
_SHORT_WITH_ARGUMENT = frozenset("dTbqrnlvPBFfsoStg")
_LONG_WITH_ARGUMENT = read_words(__file__, "long_options.txt")


def find_failure(message: str, line: int | None) -> Notice | None:
    """Return the advice on a message of smartctl; None if no known failure."""
    lowered = message[:400].lower()
    code = next((code for words, code in CODES if words in lowered), None)
    return Notice(code, ADVICE[code], line) if code else None


def is_missing_tool(line: str) -> bool:
    """Whether a shell reports that it can't find smartctl."""
    return "smartctl" in line and ("not found" in line or "not recognized" in line)


_SLOT = re.compile(
    r"(?:megaraid|cciss|3ware|areca|aacraid|hpt|sssraid|jmb39x\w{0,8}|jms56x\w{0,8}),[\d,/]{1,20}"
)


@dataclass(frozen=True, slots=True)
class Command:
    """The device named last and the value of `-d`."""

    path: str | None = None
    device_type: str | None = None


def read_command(command: str | None) -> Command:
    """Read device and type from the kept form of a command, with the rules of getopt.

    Lines of other tools give neither.
    """
    path = device_type = None
    rest = iter(words_after(command, "smartctl"))
    for word in rest:
        if not word.startswith("-"):
            path = None if "$" in word else word  # a shell variable isn't a name
            continue
        name, argument = _split_option(word)
        if argument == "":
            argument = next(rest, None)
        if name in ("d", "--device"):
            device_type = argument
    return Command(path or None, device_type)


def slot_of(device_type: str | None) -> str | None:
    """Return the disk that `-d` names behind a controller: `megaraid,8` of `sat+megaraid,8`."""
    match = _SLOT.search(device_type or "")
    return match[0] if match else None


def _split_option(word: str) -> tuple[str, str | None]:
    """Split an option from its argument.

    The argument is "" where it is the next word, None where the option has none.
    """
    if word.startswith("--"):
        name, equals, argument = word.partition("=")
        return name, argument if equals else "" if name in _LONG_WITH_ARGUMENT else None
    for at, letter in enumerate(word[1:], start=2):
        if letter in _SHORT_WITH_ARGUMENT:
            return letter, word[at:]
    return word[-1:], None


def is_argument_next(word: str) -> bool:
    """Whether a word is an option whose argument is the next word."""
    return word.startswith("-") and _split_option(word)[1] == ""


def is_usb_type(device_type: str | None) -> bool:
    """Whether a type of `-d` is for USB bridges: usbjmicron, sntasmedia, ..."""
    return device_type is not None and device_type.startswith(("usb", "snt"))
