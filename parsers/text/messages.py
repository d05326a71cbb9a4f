"""Error messages by a tool, or by the shell about it, with advice."""

import re
from dataclasses import dataclass

from parsers.base.format import Block
from parsers.base.readings import Notice
from parsers.base.vocabulary import read_lines
from parsers.text.tool_lines import fio_line_kind


@dataclass(frozen=True, slots=True)
class Messages:
    """What a tool's messages look like, and advice by a part of the message; the first match counts."""

    tool: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]  # one of them is in every message
    advice: tuple[tuple[str, str], ...]

    def include(self, line: str) -> bool:
        """Whether a line is a message; a fio job may be named like the tool."""
        if not any(map(line.__contains__, self.words)) or self.pattern.fullmatch(line) is None:
            return False
        return fio_line_kind(line.strip()) is None

    def keep(self, line: str) -> str:
        """The message in the words that the advice is chosen by."""
        lowered = line.lower()
        cause = next((title for title, _advice in self.advice if title.lower() in lowered), "error")
        return f"{self.tool}: {cause}"

    def explain(self, line: str, number: int) -> Notice:
        """A notice with a kept message and what to do."""
        cause = line.strip().removeprefix(f"{self.tool}: ")
        advice = dict(self.advice).get(cause, "check what the message says")
        return Notice("tool_error", f"{self.tool} says {cause!r}: {advice}", number)

    def explain_all(self, block: Block) -> list[Notice]:
        """A notice for each message of a block."""
        return [self.explain(line, number) for line, number in block.numbered if self.include(line)]


def read_messages(module: str, tool: str) -> Messages:
    """The messages of a tool, in messages.txt beside a module."""
    words, *lines = read_lines(module, "messages.txt")
    advice = tuple((part, what) for part, _tab, what in (line.partition("\t") for line in lines) if what)
    shapes = "|".join(line for line in lines if "\t" not in line).replace("{parts}", "|".join(dict(advice)))
    return Messages(tool, re.compile(shapes), tuple(filter(None, words.split(";"))), advice)
