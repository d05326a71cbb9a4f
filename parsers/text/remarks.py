"""Separate lines of output from what somebody wrote next to them: remarks after them, bullets or numbers before."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from parsers.text.numbered import Edit
from parsers.text.tool_lines import DISKINFO_COMMENTS, SMARTCTL_TESTS, TOOL_NAMES

SIGN = re.compile(r"[ \t](?:<-|\u2190|//|#)")
_SIGNED = re.compile(
    r"(?<=\S)[ \t]+(?:<-|\u2190|//(?=[ \t])|#{1,3}(?!"
    rf"{SMARTCTL_TESTS}|[ \t]*(?:{DISKINFO_COMMENTS}|(?:\S{{0,60}}/)?(?:{TOOL_NAMES}|sudo|doas|time|date)\b))"
    r"(?=[ \t]|[^\W\d]))(?P<rest>[^\n]{0,300})$",
    re.MULTILINE,
)
MAX_UNIT = 4  # characters; longer words of capitals are states
MAX_ROW = 60  # characters, of most tables
MAX_REMARK = 300  # characters, with the gap before it: only the end of a long line is searched
_LABELS = tuple(f" {label}" for label in re.sub(r" ?\\.[^|]*", "", DISKINFO_COMMENTS).split("|"))
_FRONT = re.compile(r"\A(?:[ \t]{0,20}(?:[-*+\u2022\u00b7>|]|\(?[0-9]{1,3}[.)])[ \t]){1,3}(?=[^\n]*\S)")
# Not one within a bar. Patterns that begin with a set of characters are found faster than those that look behind.
_GAP = re.compile(r"[ \t](?:(?<=\|[ \t])[ \t]*(?=[^\s|])|(?<=[^\s|:=][ \t])[ \t]{2,}(?=[^\s|:=]))")
_LABELED = re.compile(rf"#[ \t](?:{DISKINFO_COMMENTS})")
_LONE_FIGURE = re.compile(r"\s*[^\sA-Za-z]+\s*")
_HEXADECIMAL = re.compile(r"(?<!\S)0x|(?:\b[0-9a-f]{2}\b ?){8}")
_WORD = re.compile(r"(?<!\d)[^\W\d_]{2,}")
_USER = re.compile(r"\w@\w")  # of a prompt
_FOREIGN = r"(?<=[!-~])[ \t]+(?=[^\W\d_])[^ -~][^\n]{0,200}\Z"
# Words after a wide gap, in another script, or in parentheses at the end; a name may have blanks and parentheses
_BEHIND = re.compile(
    rf"(?<=\S)(?:[ \t]{{2,}}|\t)(?=[^\W\d])(?:(?![ \t]{{2}})[^\n\d]){{1,200}}\Z|{_FOREIGN}"
    r"|(?<=\S)[ \t]+\([^()\n]{1,200}\)\Z"
)
_BEHIND_NAME = re.compile(rf"(?<=\S)(?:[ \t]{{2,}}|\t)[a-z(][^\n]{{0,200}}\Z|{_FOREIGN}")


def signed_remarks(text: str) -> Iterator[Edit]:
    """The edits that remove remarks after a sign (an arrow, "# ", "// "), but not labels, prompts and strings."""
    for match in _SIGNED.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        rest = match["rest"]
        is_own = _USER.search(before) or before.count('"') % 2 or ": (g" in rest or _LABELED.search(rest)
        is_label = rest.startswith(_LABELS) or any(label.startswith(rest) for label in _LABELS)
        if not (is_own or is_label):
            yield match.start(), match.end(), ""


def is_row(text: str) -> bool:
    """Whether a line has several figures and few words, as a row of a table, or rows that were joined."""
    words = text.split()
    figures = len([1 for word in words if word[0].isdigit() or (len(word) > MAX_UNIT and word.isupper())])
    is_joined = len(text) > MAX_ROW and _GAP.search(text) is not None
    return figures > 1 and (2 * figures > len(words) or is_joined) and not _HEXADECIMAL.search(text)


def without_words(text: str, *, is_name: bool = False) -> str:
    """The text without words after it; a name may have words of its own."""
    if text.isascii() and text[-1:] != ")" and "  " not in text and "\t" not in text:
        return text
    return text[:-MAX_REMARK] + (_BEHIND_NAME if is_name else _BEHIND).sub("", text[-MAX_REMARK:])


def without_front(text: str) -> str:
    """The text without bullets, numbers and quote marks before it; its indent stays."""
    return _FRONT.sub("", text, count=1)


def split_at(text: str, rank: int) -> Sequence[str]:
    """Split two rows that a terminal's padding joined, at the widest gap (rank 0) or a narrower one."""
    gaps = sorted(_GAP.finditer(text), key=lambda gap: (text[gap.start() - 1] != "|", -len(gap[0])))
    parts = [(text[: gap.start()], text[gap.end() :]) for gap in gaps[rank : rank + 1]]
    if not parts or any(map(_LONE_FIGURE.fullmatch, parts[0])):
        return (text,)
    first, second = parts[0]
    # Figures alone are a row of their own only if they are as many: else one of them may be anything
    is_row = _WORD.search(second) or len(first.split()) == len(second.split())
    return parts[0] if is_row else (text,)


Way = Callable[[str], Sequence[str]]
TRIMS: tuple[Way, ...] = (
    lambda text: (without_front(text),),
    lambda text: (without_words(text),),
    lambda text: (without_words(without_front(text)),),
)
SPLITS: tuple[Way, ...] = tuple(partial(split_at, rank=rank) for rank in range(3))
WAYS = (*SPLITS, *TRIMS)  # to turn a line that isn't a tool's into one that is, or two
