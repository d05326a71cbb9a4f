"""The arguments that a command line passes to a tool."""

import re
import shlex
from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile
from typing import TypeVar

from parsers.base.readings import Notice

LOOP = "for \u2026; do "  # precedes a command that is repeated
SHELL_MARKS = "();<>|&"
MAX_COMMAND_LENGTH = 8000  # characters
_QUOTES = re.compile(r"[();<>|&\"'\\#]")  # lines without any are split at spaces; shlex is slow

_DESCRIPTOR = re.compile(r"(?<=\s)[0-2](?=[<>])")  # in front of a redirection
# Where a backslash separates folders and escapes nothing: E:\x, E\:, \\.\PhysicalDrive1, data\x
_WINDOWS = re.compile(r"(?<![A-Za-z])[A-Za-z]\\?:(?:[\\/]|[\s\"']|\Z)|\\\\[.?\w]|\\\w")


def shell_words(command: str) -> list[str]:
    """The words of a command line, including shell operators."""
    if not _QUOTES.search(command):
        return command.split()
    command = _DESCRIPTOR.sub("", command)
    shell = shlex.shlex(command, posix=True, punctuation_chars=True)
    shell.whitespace_split = True
    if _WINDOWS.search(command):
        shell.escape = ""
    try:
        return list(shell)
    except ValueError:  # an unclosed quotation
        return command.split()


def words_after(command: str | None, tool: str) -> list[str]:
    """The words between a tool and the end of its command: a semicolon, a pipe or a redirection."""
    words = shell_words((command or "")[:MAX_COMMAND_LENGTH])
    behind = dropwhile(
        lambda word: word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") != tool, words
    )
    return list(takewhile(lambda word: word.strip(SHELL_MARKS), behind))[1:]


_Stated = TypeVar("_Stated")
_Run = TypeVar("_Run")


def own_commands(
    commands: Sequence[_Stated],
    runs: Sequence[_Run],
    fits: Callable[[_Stated, _Run], bool],
    repeats: Callable[[_Stated], bool] = lambda _command: False,
) -> list[_Stated | None]:
    """Pair each run with its command: one command per run, in order, and none that the run contradicts.

    None where no command fits, or the pairing is ambiguous. A single command that `repeats` also belongs to later
    runs that it fits.
    """
    nothing: list[_Stated | None] = [None] * len(runs)
    if len(commands) == 1:
        (only,) = commands
        own = runs[: 1 if not repeats(only) else len(runs)] if runs and fits(only, runs[0]) else []
        return [only if fits(only, run) else None for run in own] + nothing[len(own) :]
    are_fewer = len(commands) <= len(runs)
    fewer, others = (commands, runs) if are_fewer else (runs, commands)

    def fit(place: int, other: int) -> bool:
        command, run = (place, other) if are_fewer else (other, place)
        return fits(commands[command], runs[run])

    earliest = _places(range(len(fewer)), range(len(others)), fit)
    latest = _places(range(len(fewer))[::-1], range(len(others))[::-1], fit)[::-1]
    if len(earliest) < len(fewer):
        return nothing
    found = nothing.copy()
    for at, (first, last) in enumerate(zip(earliest, latest, strict=True)):
        if are_fewer:
            is_certain, run, command = first == last, first, commands[at]
        else:
            run, command = at, commands[first]
            is_certain = all(commands[other] == command for other in range(first, last + 1))
        if not is_certain:
            return nothing
        found[run] = command
    return found


def _places(fewer: Sequence[int], others: Sequence[int], fit: Callable[[int, int], bool]) -> list[int]:
    """Match each of `fewer`, in order, with the next of `others` that fits; skip those without a match."""
    rest = iter(others)
    places = (next((other for other in rest if fit(place, other)), None) for place in fewer)
    return [place for place in places if place is not None]


def is_repeated(command: str) -> bool:
    """Whether a shell runs a command several times, or expands something in it."""
    return command.startswith(LOOP) or "$" in command


def unknown_command(tool: str, line: int) -> Notice:
    """The notice for a run that none of the commands above certainly belongs to."""
    message = (
        f"we can't tell which {tool} command above printed this output, so its conditions are unknown: paste each"
        " output right below its own command"
    )
    return Notice("unknown_command", message, line)


def option_of(words: Sequence[str], short: str, long: str) -> str | None:
    """The value of an option, however it is written: `-f x`, `-fx`, `--filename=x`, `--filename x`."""
    for at, word in enumerate(words):
        if word in (short, long):
            return words[at + 1] if at + 1 < len(words) else None
        if word.startswith(f"{long}="):
            return word.removeprefix(f"{long}=") or None
        if word.startswith(short) and not word.startswith("--"):
            return word.removeprefix(short)
    return None
