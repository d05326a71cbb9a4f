"""Undo what web pages, mail and terminals do: markup, escapes, colors."""

import html
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from parsers.text.numbered import Edit, Numbered


class Coding(NamedTuple):
    """One way in which text is coded: a cheap test, a pattern, and its decoding.

    The test is for all of the text.
    """

    is_used: Callable[[str], bool]
    pattern: re.Pattern[str]
    decode: Callable[[re.Match[str]], str]


# Same length, so nothing moves: blanks of all kinds, other line and page breaks, curly quotes, lines between panes.
LOOKALIKES = {
    **dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " "),
    **dict.fromkeys([0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029], " "),
    **dict.fromkeys([0x201C, 0x201D, 0x201E, 0x201F, 0xAB, 0xBB], '"'),
    **dict.fromkeys([0x2502, 0x2503, 0x2551, 0xA6], "|"),
    **dict.fromkeys([0x2018, 0x2019, 0x201A, 0x201B], "'"),
}
LOOKALIKE = re.compile(f"[{''.join(map(chr, LOOKALIKES))}]")

BLOCK_TAGS = ("br", "p", "div", "pre", "tr", "li", "blockquote", "h1", "h2", "h3", "table", "ul", "ol")
CELL_TAGS = ("td", "th")
BB_TAGS = (
    "attach|b|center|cmd|code|color|font|hide|highlight|i|icode|img|indent|inlinecode|ispoiler|left|list|m|media|"
    "mono|noparse|pastebin|php|plain|pre|quote|raw|s|size|spoiler|tt|u|url|user"
)
BB_BLOCK_TAGS = ("cmd", "code", "hide", "php", "pre", "quote", "spoiler")


def _decode_tag(match: re.Match[str]) -> str:
    name = (match["name"] or "").lower()
    if name in CELL_TAGS:
        return " " + match["break"]
    return "\n" if name in BLOCK_TAGS else match["break"]


def _decode_bb_tag(match: re.Match[str]) -> str:
    """Remove a tag, except one that names a person: that has to be masked.

    It is put on a separate line.
    """
    if match["value"] and match["name"].lower() == "quote":
        return match[0] + "\n"
    return "\n" if match["name"].lower() in BB_BLOCK_TAGS else match["break"]


BRACKETS = re.compile(r"\[(?:/[a-zA-Z]|0m|code|quote|CODE|QUOTE|Code|Quote)")
TAG = re.compile(r"<(?:/[a-zA-Z]|br|p>|pre|code|div|span|td|!--)")


SOFT_BREAK_OR_EQUALS = re.compile(r"=(?<!==)(?:3D|(?:20)?\n)")
# An equals sign with what makes an escape of it
EQUALS_SIGN = re.compile(r"=(?:[0-9A-F]{2}|[ \t]*+\n)?")
MIN_SOFT_BREAKS = 2
FIO_DEPTH = ">=64"  # encoded there as "=3D64"


def _has_brackets(text: str) -> bool:
    """Whether there are BBCode tags, or colors that lost their escape characters."""
    return "[" in text and BRACKETS.search(text) is not None


def _is_quoted_printable(text: str) -> bool:
    """Whether nearly every equals sign is an escape.

    The tools print enough of them to judge.
    """
    if "=" not in text or FIO_DEPTH in text or SOFT_BREAK_OR_EQUALS.search(text) is None:
        return False
    signs = EQUALS_SIGN.findall(text)
    return signs.count("=") < len(signs) * 0.2 and (
        "=3D" in text or text.count("=\n") + text.count("=20\n") >= MIN_SOFT_BREAKS
    )


def _decode_quoted_printable(match: re.Match[str]) -> str:
    """The bytes of one character; nothing for an equals sign that ends a line."""
    if match[0].endswith("\n"):
        return ""
    return (
        bytes.fromhex(match[0].replace("=", ""))
        .decode("utf-8", "replace")
        .replace("\r", "")
        .replace("\0", "")
    )


JSON_ESCAPES = {"n": "\n", "t": "\t", "r": "", '"': '"', "\\": "\\", "/": "/", "b": "", "f": " "}


def _decode_json_escape(match: re.Match[str]) -> str:
    """Decode an escape of a JSON string.

    A quote without a backslash begins or ends the string, and so a line.
    """
    if match[0] == '"':
        return "\n"
    if match[1]:
        character = chr(int(match[1], 16))
        return "\ufffd" if "\ud800" <= character <= "\udfff" or character == "\0" else character
    return JSON_ESCAPES[match[2]]


def _is_json_string(text: str) -> bool:
    """Whether line ends came as backslash and n, and hardly any came as such."""
    if "\\" not in text:
        return False
    escaped = text.count("\\n")
    return escaped > 2 and escaped > text.count("\n") * 2


def _is_list_of_strings(text: str) -> bool:
    """Whether the lines came as Python prints a list of them."""
    return "'" in text and text.count("', '") > max(text.count("\n"), 5)


_ENDS_IN_DOLLAR = re.compile(r"\$(?=\n|\Z)")


def _is_from_cat(text: str) -> bool:
    """Whether the lines came from `cat -A`, which ends each with a dollar sign."""
    ends = sum(1 for _end in _ENDS_IN_DOLLAR.finditer(text)) if "$\n" in text else 0
    return ends > 2 and ends * 10 >= 9 * sum(1 for line in text.split("\n") if line.strip())


_unescape = lru_cache(maxsize=256)(html.unescape)
_DASH = "[\u2013\u2014]"
_FLAGS = "POSRCKVND\u2013\u2014-"  # of attributes and statistics, or dashes

CODINGS = (
    Coding(
        lambda text: "\x1b" in text or "\x07" in text or "\x08" in text,
        re.compile(
            r"(?:\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)?"
            r"|\x1b[ -/]{0,2}[0-Z\\-~]|[\x07\x1b]|[^\n]?\x08){1,20}"
        ),
        lambda _match: "",
    ),
    Coding(_has_brackets, re.compile(r"\[[0-9]{0,3}(?:;[0-9]{1,3}){0,4}m"), lambda _match: ""),
    Coding(
        _is_quoted_printable,
        re.compile(r"=[0-7][0-9A-F]|(?:=[89A-F][0-9A-F])+|=[ \t]*\n"),
        _decode_quoted_printable,
    ),
    Coding(
        _is_from_cat,
        re.compile(r"(?:\^M)?\$(?=\n|\Z)|\^I|M-BM- "),
        lambda match: {"^I": "\t", "M-BM- ": " "}.get(match[0], ""),
    ),
    Coding(
        _is_list_of_strings,
        re.compile(r"\['|['\"], ?['\"]|'\]|\\t"),
        lambda match: "\t" if match[0] == "\\t" else "\n",
    ),
    Coding(_is_json_string, re.compile(r'\\(?:u([0-9a-fA-F]{4})|([ntr"\\/bf]))|"'), _decode_json_escape),
    Coding(
        lambda text: "<" in text and TAG.search(text) is not None,
        re.compile(
            r"<(?:!--[^>]{0,500}--|/?(?P<name>[a-zA-Z][a-zA-Z0-9]{0,14})(?:[\s/][^<>]{0,500})?)>(?P<break>\n?)"
        ),
        _decode_tag,
    ),
    Coding(
        lambda text: "&" in text,
        re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,10});"),
        lambda match: _unescape(match[0]).replace("\r", "").replace("\x00", ""),
    ),
    Coding(
        _has_brackets,
        re.compile(rf"\[/?(?P<name>{BB_TAGS})(?P<value>=[^\]\n]{{0,200}}+)?\](?P<break>\n?)", re.IGNORECASE),
        _decode_bb_tag,
    ),
    Coding(
        lambda text: not text.isascii(),
        re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+"),
        lambda _match: "",
    ),
    # what editors made of "--" in front of an option, or of three dashes in a table
    Coding(
        lambda text: "\u2013" in text or "\u2014" in text,
        re.compile(rf"(?<=[ \t]){_DASH}(?=[a-z \t{_FLAGS}])|(?<=[{_FLAGS}]){_DASH}(?=[ {_FLAGS}])"),
        lambda _match: "--",
    ),
    Coding(
        lambda text: "`" in text,
        re.compile(r"^[ \t]*```[^\n`]{0,40}$|^[ \t]*`(?!`)|`[ \t]*$", re.MULTILINE),
        lambda _match: "",
    ),
)


def undo_transport(text: str | Numbered) -> Numbered:
    """Undo markup and escapes; the lines may still be decorated."""
    plain = Numbered.of(text) if isinstance(text, str) else text
    for coding in CODINGS:
        if coding.is_used(plain.text):
            plain = plain.edit(_edits(plain.text, coding))
    if not plain.text.isascii() and LOOKALIKE.search(plain.text):
        plain = plain.replaced(plain.text.translate(LOOKALIKES))
    return plain


def _edits(text: str, coding: Coding) -> Iterator[Edit]:
    for match in coding.pattern.finditer(text):
        start, end = match.span()
        plain = coding.decode(match)
        if plain.startswith(match[0]):  # unchanged text remains traceable, character by character
            start, plain = end, plain[end - start :]
        yield start, end, plain
