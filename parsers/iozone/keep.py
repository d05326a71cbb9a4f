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
    kept: list[str | None] = []
    for line, found, _table in walk(block.lines):
        if found is None:
            kept.append(None)
            continue
        kept.append(_keep_command_line(line, masks) if found.kind == "command" else line)
    return KeptLines(kept)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The known options; None if other words show that it is a sentence."""
    kept: list[str] = []
    option = ""
    for word in words:
        joined = _JOINED.fullmatch(word)
        if joined is not None:
            kept += [joined["option"], joined["value"]]
            option = ""
        elif _FLAG.fullmatch(word):
            option = word
            kept.append(word)
        elif option in _WITH_VALUE and _VALUE.fullmatch(word):
            kept.append(word)
            option = ""
        elif option in _WITH_PATHS:
            kept.append(mask_path(word, masks))
            option = option if option == "-F" else ""
        else:
            return None
    return " ".join(kept) if kept else None


def _keep_command_line(line: str, masks: Masker) -> str | None:
    match = COMMAND.fullmatch(without_words(line))
    arguments = keep_command(words_after(match["command"], "iozone"), masks) if match else None
    return None if arguments is None else f"Command line used: iozone {arguments}".rstrip()
