"""Find the commands of the tools: a tool's name as a word and options of it, whatever prompt is in front.

A sentence about a tool is no command: it has other words.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from parsers.base.format import Format, Masker
from parsers.base.shell import LOOP, words_after
from parsers.blocks import COMMAND_SIGN
from parsers.command_prefixes import OPENING, is_bare_mention, is_introduction, is_prose, may_precede_command
from parsers.text.clean import lines_with
from parsers.text.tool_lines import TOOL_NAMES

_TOOL = re.compile(
    rf"(?<![\w.-])(?P<tool>{TOOL_NAMES})(?:\.exe|:[\w.-]{{1,30}})?"
    r"(?=[\s'`;|>&]|\"(?![:,\]])|(?<=fio)\"(?=, ?\"-)|\) |\Z)"
)
_SIGN = re.compile(rf"\b(?:{TOOL_NAMES})\b|@|[$>] ")
# As in root@nas:~ #, [root@nas ~]$, a dollar sign alone, PS C:\>
_PROMPT = re.compile(
    r"\[?(?:[\w.+-]{1,40}|\[user-[0-9]{1,6}\])[@\u327f](?:[A-Za-z][\w.-]{0,60}|\[host-[0-9]{1,6}\])"
    r"(?=[\s:~\]#$%>|(]).{0,80}?[#$%>\u276f](?: |$)"
    r"|\$ \w|(?:PS )?[A-Z]:\\[^>]{0,80}> ?"
)
# What a tool prints on a line with its name: a banner, the first line of a result
_OUTPUT = re.compile(
    r"[^#$%>;&]*smartctl (?:version |pre-)?\d[^#$%>;&]*+\Z|.*: \(groupid=|\s*Command line used: "
)
_VERSION = re.compile(r"(?:version |pre-)?\d")
# An argument that a tool ignores, such as a path or a figure; other words mark a sentence
_IGNORED = re.compile(r"(?=[^0-9/.]{0,80}[0-9/.])[~\w./+-]{1,200}+(?<!\.)")
_IN_LOOP = re.compile(r"\bdo\s(?!.*\bdone\b)")
# At the start of a line, since the command above continues
_OPTION = re.compile(r"\s*(?:--?[a-z]|(?:if|of|bs|count|conv|[io]flag|seek|skip|status)=)")
_CONTINUED = re.compile(r"\s*(?:[\\^]|\s`)\Z")  # of a Unix shell, of PowerShell, of cmd
# What a program prints of its list of arguments: 'fio', '--name=a'
_LISTED = re.compile(r"""(?:['"], ?['"][^'"]{1,300}){1,200}['"]""")
_ITEM = re.compile(r"""['"], ?['"](?P<item>[^'"]{1,300})""")
_OPENING_QUOTE = re.compile(
    r"(?P<quote>[\"'`\u201c\u201e\u2018\u00ab(\u300c])(?:sudo )?(?:[A-Za-z]:|[.~]{0,2})?(?:[\\/][^\"']{0,150})?\Z"
)
_CLOSING = dict(
    zip("\"'`\u201c\u201e\u2018\u00ab(\u300c", "\"'`\u201d\u201c\u2019\u00bb)\u300d", strict=True)
)
_LABEL_SIGN = re.compile(r"(?<=[\w/]{3}):\Z")  # behind the last word, unlike that of E:
_MAX_NAMES = 30  # of tools on a line
_MAX_LINES = 40  # of a command
_MAX_LENGTH_BEFORE = 200  # characters in front of a tool's name
_MAX_LINE_LENGTH = 8000


@dataclass(frozen=True, slots=True)
class Command:
    """What a line passes to a tool."""

    format: Format
    words: Sequence[str]
    is_repeated: bool = False

    def text(self, masks: Masker) -> str | None:
        """The command in its canonical form: known options, paths masked; None for a sentence."""
        if self.format.keep_command is None:
            return None
        arguments = self.format.keep_command(self.words, masks)
        if arguments is None:
            return None
        return f"{LOOP if self.is_repeated else ''}{self.format.tool} {arguments}".rstrip()


@dataclass(frozen=True, slots=True)
class ShellLine:
    """The commands at a prompt, and how many lines they continue on; none for those of other programs."""

    commands: tuple[Command, ...] = ()
    lines_below: int = 0


class _Unmasked:
    def mask(self, _kind: str, value: str) -> str:
        return value

    def pool(self, name: str) -> str:
        return name

    def own_word(self, word: str) -> str:
        return word


def find_commands(lines: Sequence[str], formats: Iterable[Format]) -> dict[int, ShellLine]:
    """The commands and prompts, by the index of their first line."""
    by_tool = {each.tool: each for each in formats if each.keep_command is not None}
    found: dict[int, ShellLine] = {}
    end = 0
    for at in lines_with(_SIGN, "\n".join(lines)):
        line = lines[at][:_MAX_LINE_LENGTH]
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
    text, below = lines[at][:_MAX_LINE_LENGTH], 0
    if not any(_is_first(text, match) for match in islice(_TOOL.finditer(text), _MAX_NAMES)):
        return None
    for line in lines[at + 1 : at + _MAX_LINES]:
        if not _CONTINUED.search(text) and _OPTION.match(line) is None:
            break
        text = f"{_CONTINUED.sub('', text).rstrip()} {line.strip()}"[:_MAX_LINE_LENGTH]
        below += 1
    is_within_loop = at > 0 and lines[at - 1].split()[-1:] == ["do"]
    commands = tuple(_commands(text, by_tool, is_within_loop=is_within_loop))
    return ShellLine(commands, below) if commands else None


def _commands(text: str, by_tool: dict[str, Format], *, is_within_loop: bool) -> Iterable[Command]:
    end = 0
    for match in islice(_TOOL.finditer(text), _MAX_NAMES):
        if match.start() < end or not _is_first(text, match, end):
            continue
        words = _arguments(text, match)
        if words is None:
            continue
        is_repeated = is_within_loop or _IN_LOOP.search(text, 0, match.start()) is not None
        command = Command(by_tool[match["tool"]], words, is_repeated)
        command = next(filter(_is_understood, [command, *_without_ignored(command)]), command)
        if _is_understood(command) and not is_prose(" ".join(_alone(words))):
            yield command
            end = match.end() + sum(map(len, words))


def _is_understood(command: Command) -> bool:
    return command.text(_Unmasked()) is not None


def _without_ignored(command: Command) -> Iterable[Command]:
    """Yield the command without each of the paths and figures that belong to no option, which the tool ignores."""
    for at, word in enumerate(command.words):
        if _IGNORED.fullmatch(word) and len(command.words) > 1:
            yield replace(command, words=[*command.words[:at], *command.words[at + 1 :]])


def _alone(words: Sequence[str]) -> Iterable[str]:
    """The words that aren't the value of an option."""
    return (word for before, word in pairwise(["", *words]) if not before.startswith("--") and word != "on")


def _arguments(text: str, match: re.Match[str]) -> list[str] | None:
    """The words behind a tool's name; None if they show that it is a sentence."""
    before, behind = text[max(match.start() - _MAX_LENGTH_BEFORE, 0) : match.start()], text[match.end() :]
    listed = _LISTED.match(behind)
    if listed is not None:
        return [item["item"] for item in _ITEM.finditer(listed[0])]
    opening = _OPENING_QUOTE.search(before)
    if opening is not None and behind[:1] == opening["quote"]:  # around the tool's name alone
        behind, opening = behind[1:], None
    behind = behind.removeprefix(")") if before.endswith(("$(which ", "$(command -v ")) else behind
    quote = _CLOSING.get(opening["quote"]) if opening else None
    behind = behind.rstrip("* ") if before.endswith("*") else behind  # in bold
    behind, tail = _until(behind, quote or "`")
    if _VERSION.match(behind.lstrip()) or (tail and not _may_follow(before, tail)):
        return None
    words = [
        word.strip("`'\"") for word in words_after(f"{match['tool']} {_without_quote(behind)}", match["tool"])
    ]
    if any(word.endswith(",") for word in words[:-1]) or any(word.endswith("?") for word in words):
        return None
    return [*words[:-1], _LABEL_SIGN.sub("", words[-1])] if words else words


def _until(text: str, quote: str) -> tuple[str, str]:
    """The text in front of the quotation mark that ends it, and what is behind it."""
    end = re.search(rf"(?<![\\=]){re.escape(quote)}(?=\W|\Z)", text)
    return (text[: end.start()], text[end.end() :].strip()) if end else (text, "")


def _may_follow(before: str, tail: str) -> bool:
    """Whether this may be behind a quoted command; a sentence only if something introduces the command."""
    if is_bare_mention(tail):
        return False
    front = before.rstrip(OPENING).split()
    is_introduced = is_introduction(front[-1:]) and not is_prose(" ".join(front))
    return is_introduced or tail[0] in ";&|>" or tail.endswith(":") or not is_prose(tail)


def _without_quote(text: str) -> str:
    """A command without the end of the quotation that it is in."""
    return text[:-1] if text[-1:] in ("'", '"') and text.count(text[-1]) % 2 else text


def _is_first(text: str, match: re.Match[str], end: int = 0) -> bool:
    """Whether the tool's name is where a command begins, behind another that ends there."""
    return may_precede_command(text[max(match.start() - _MAX_LENGTH_BEFORE, end) : match.start()])


def stored_line(commands: Sequence[Command], masks: Masker) -> str:
    """The commands of a line in the form in which they are stored."""
    return COMMAND_SIGN + "; ".join(filter(None, (command.text(masks) for command in commands)))
