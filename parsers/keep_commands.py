"""Find the commands of the tools: a tool's name as a word and options of it, whatever prompt is in front.

A sentence about a tool is no command: it has other words.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parsers.base.format import Format, Masker
from parsers.base.shell import words_after
from parsers.base.vocabulary import read_words
from parsers.blocks import COMMAND_SIGN
from parsers.text.clean import lines_with

_TOOL = re.compile(
    r"(?<![\w.-])(?P<tool>smartctl|diskinfo|fio|pg_test_fsync|pveperf)(?:\.exe)?(?=[\s'`;|>&]|\"(?![:,\]])|\Z)"
)
_SIGN = re.compile(r"smartctl|diskinfo|fio|pg_test_fsync|pveperf|@|[$>] ")
# As in root@nas:~ #, [root@nas ~]$, a dollar sign alone, PS C:\>
_PROMPT = re.compile(
    r"\[?(?:[\w.+-]{1,40}|\[user-[0-9]{1,6}\])[@\u327f](?:[A-Za-z][\w.-]{0,60}|\[host-[0-9]{1,6}\])"
    r"(?=[\s:~\]#$%>|(]).{0,80}?[#$%>\u276f](?: |$)"
    r"|\$ \w|(?:PS )?[A-Z]:\\[^>]{0,80}> ?"
)
# What a tool prints on a line with its name: a banner, the first line of a result
_OUTPUT = re.compile(r"[^#$%>;&]*smartctl (?:version |pre-)?\d[^#$%>;&]*+\Z|.*: \(groupid=")
_VERSION = re.compile(r"(?:version |pre-)?\d")
_OPTION = re.compile(r"\s*--?[a-z]")  # at the start of a line: the command above continues
_CONTINUED = re.compile(r"\s*[\\`^]\Z")  # of a Unix shell, of PowerShell, of cmd
_SIGNS = re.compile(r".*[^\w\s./~@\\,_-]", re.DOTALL)  # of a prompt, a label or a shell; quotes
_LAST_WORDS = frozenset({"do", "then", "else", "if", "running", "executing", "command", "cmd"})
_FIRST_WORDS = read_words(__file__, "first_words.txt")
_MAX_LINES = 40  # of a command
_LONGEST_BEFORE = 200  # characters in front of a tool's name
_LONGEST_LINE = 8000


@dataclass(frozen=True, slots=True)
class Command:
    """What a line passes to a tool."""

    format: Format
    words: Sequence[str]

    def text(self, masks: Masker) -> str | None:
        """The command in its canonical form: known options, paths masked; None for a sentence."""
        if self.format.keep_command is None:
            return None
        arguments = self.format.keep_command(self.words, masks)
        return None if arguments is None else f"{self.format.tool} {arguments}".rstrip()


@dataclass(frozen=True, slots=True)
class ShellLine:
    """The commands at a prompt, and how many lines they continue on; none for those of other programs."""

    commands: tuple[Command, ...] = ()
    lines_below: int = 0


class _Unmasked:
    def mask(self, _kind: str, value: str) -> str:
        return value

    def own_word(self, word: str) -> str:
        return word


def find_commands(lines: Sequence[str], formats: Iterable[Format]) -> dict[int, ShellLine]:
    """The commands and prompts, by the index of their first line."""
    by_tool = {each.tool: each for each in formats if each.keep_command is not None}
    found: dict[int, ShellLine] = {}
    end = 0
    for at in lines_with(_SIGN, "\n".join(lines)):
        line = lines[at][:_LONGEST_LINE]
        if at < end or _OUTPUT.match(line):
            continue
        command = _at_line(lines, at, by_tool)
        if command is not None:
            found[at] = command
            end = at + 1 + command.lines_below
        elif _PROMPT.match(line.lstrip()):
            found[at] = ShellLine()
    return found


def _at_line(lines: Sequence[str], at: int, by_tool: dict[str, Format]) -> ShellLine | None:
    text, below = lines[at][:_LONGEST_LINE], 0
    if not any(_is_first(text, match) for match in _TOOL.finditer(text)):
        return None
    for line in lines[at + 1 : at + _MAX_LINES]:
        if not _CONTINUED.search(text) and _OPTION.match(line) is None:
            break
        text = f"{_CONTINUED.sub('', text).rstrip()} {line.strip()}"[:_LONGEST_LINE]
        below += 1
    commands = tuple(_commands(text, by_tool))
    return ShellLine(commands, below) if commands else None


def _commands(text: str, by_tool: dict[str, Format]) -> Iterable[Command]:
    end = 0
    for match in _TOOL.finditer(text):
        if match.start() < end or not _is_first(text, match) or _VERSION.match(text[match.end() :].lstrip()):
            continue
        words = words_after(_without_quote(text[match.start() :].partition("`")[0]), match["tool"])
        command = Command(by_tool[match["tool"]], [word.strip("`'\"") for word in words])
        if command.text(_Unmasked()) is not None:
            yield command
            end = match.end() + sum(map(len, words))


def _without_quote(text: str) -> str:
    """A command without the end of the quotation that it is in."""
    return text[:-1] if text[-1:] in ("'", '"') and text.count(text[-1]) % 2 else text


def _is_first(text: str, match: re.Match[str]) -> bool:
    """Whether the tool's name is where a command begins: words of a sentence in front of it rule that out."""
    before = text[max(match.start() - _LONGEST_BEFORE, 0) : match.start()]
    before = before.rpartition(" ")[0] if before[-1:] in ("/", "\\") else before  # without its folder
    words = _SIGNS.sub("", before).split()
    if not words or words[0] in _FIRST_WORDS or "=" in words[0]:
        return True
    if len(words) == 1 and words[0].lower() in _LAST_WORDS:
        return True
    return all(any(sign in word for sign in "/~@\\") for word in words)


def kept_line(commands: Sequence[Command], masks: Masker) -> str:
    """The commands of a line in the form in which they are stored."""
    return COMMAND_SIGN + "; ".join(filter(None, (command.text(masks) for command in commands)))
