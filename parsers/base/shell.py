"""The arguments that a command line passes to a tool."""

import re
import shlex
from collections.abc import Sequence
from itertools import dropwhile, takewhile

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
