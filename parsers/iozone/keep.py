"""Keep iozone's lines: its head, tables and reports; of its command the known options, paths masked."""

import re
from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.base.shell import words_after
from parsers.iozone.lines import COMMAND, walk
from parsers.privacy.paths import mask_path
from parsers.text.remarks import without_words

_WITH_VALUE = frozenset(["-i", "-r", "-s", "-n", "-g", "-y", "-q", "-l", "-u", "-t", "-S", "-L", "-j", "-P"])
_WITH_PATHS = frozenset(["-f", "-F", "-U", "-b", "-m"])
_FLAG = re.compile(r"-\+?[A-Za-z]{1,12}")
_VALUE = re.compile(r"[0-9]{1,15}[kKmMgG]?")
_JOINED = re.compile(r"(?P<option>-[irsngyqlutSLjP])(?P<value>[0-9]{1,15}[kKmMgG]?)")


def keep(block: Block, masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = []
    for line, found, _table in walk(block.lines):
        if found is None:
            masked_lines.append(None)
            continue
        masked_lines.append(_keep_command_line(line, masks) if found.kind == "command" else line)
    return KeptLines(masked_lines)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The known options; None if other words show that it is a sentence."""
    masked_words: list[str] = []
    option = ""
    for word in words:
        joined = _JOINED.fullmatch(word)
        if joined is not None:
            masked_words += [joined["option"], joined["value"]]
            option = ""
        elif _FLAG.fullmatch(word):
            option = word
            masked_words.append(word)
        elif option in _WITH_VALUE and _VALUE.fullmatch(word):
            masked_words.append(word)
            option = ""
        elif option in _WITH_PATHS:
            masked_words.append(mask_path(word, masks))
            option = option if option == "-F" else ""
        else:
            return None
    return " ".join(masked_words) if masked_words else None


def _keep_command_line(line: str, masks: Masker) -> str | None:
    match = COMMAND.fullmatch(without_words(line))
    arguments = keep_command(words_after(match["command"], "iozone"), masks) if match else None
    return None if arguments is None else f"Command line used: iozone {arguments}".rstrip()
