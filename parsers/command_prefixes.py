"""Tell what is in front of a command (a prompt, a wrapper, a label, a quotation mark) from a sentence."""

import re
import unicodedata
from collections.abc import Sequence

from parsers.base.vocabulary import read_words

_WRAPPERS = read_words(__file__, "first_words.txt")
_PROSE = read_words(__file__, "prose_words.txt")
_BARE_MENTIONS = read_words(__file__, "bare_mentions.txt")
_INTRODUCTIONS = read_words(__file__, "last_words.txt")

_QUOTED_FOLDER = re.compile(r"(?P<quote>[\"'])(?:[A-Za-z]:|\.{0,2})[\\/][^\"']{0,150}\Z")
OPENING = "\"'`\u201c\u201e\u2018\u00ab(\u300c*_"
_CALL = re.compile(r"(?:\$\((?:which|command -v)?|&|!)\Z")  # of a shell, of PowerShell, of a notebook
_PROMPT_SIGNS = "#$%>\u03bb\u00bb\u203a\u276d\u276f\u2771\u27e9\u232a\U0001d77a"
_SYMBOLS = frozenset({"So", "Sm", "Co"})  # of Unicode: arrows, dingbats, glyphs of fonts for prompts
_SEPARATOR = re.compile(r";|&&|\|\||\||\{ ")
_LABEL_END = re.compile(r"[:=\uff1a](?=\s|\Z)|\uff1a|[-=]>\s")
_ARROW_FOLDER = re.compile(r"\s*[\w.~+-]{1,60}(?:\s+git:\(\S{1,80}\))?(?:\s+|\Z)")  # of robbyrussell's theme
_ARROWS = "\u279c\u2794\u27a4"
_ASSIGNMENT = re.compile(r"\w{1,40}=.*", re.DOTALL)
_OPTION_OF_NAME = re.compile(r"(?:\A|\s)--?[\w-]{1,40}=[\"']?\Z")
_MARKS = "\"'`*_()[]{}<>,.;:!?\u201c\u201d\u2018\u2019\u00ab\u00bb"
_OUTPUT_OF = re.compile(r"\b(?:output|results?) (?:of|from)\Z", re.IGNORECASE)
_COMMON_NAME = re.compile(r"[a-z][a-z0-9_.-]{1,30}")


def may_precede_command(before: str) -> bool:
    """Whether a tool's name with options behind this text is a command."""
    front = _without_folder(before)
    if _OPTION_OF_NAME.search(front):
        return False
    front = front.rstrip()
    bare = _CALL.sub("", front).rstrip()
    bare = _CALL.sub("", bare.rstrip(OPENING)).rstrip()
    is_quoted = bare != front
    if not any(map(str.isalpha, bare)) or is_prompt_end(bare):
        return True
    *earlier, last = _SEPARATOR.split(bare)
    if any(map(is_prose, earlier)):
        return False
    last = _behind_prompt(last)
    if _is_command_start(last.split()):
        return True
    *labels, rest = _LABEL_END.split(last)
    words = rest.split()
    if is_bare_mention(last):
        return False
    if labels and _is_command_start(words):
        return True
    if is_quoted:
        return is_introduction(words[-1:]) or _OUTPUT_OF.search(rest) is not None or not is_prose(rest)
    return False


def is_prompt_end(text: str) -> bool:
    """Whether the text ends with a sign of a prompt."""
    sign = text[-1:]
    return sign in _PROMPT_SIGNS or (not sign.isascii() and unicodedata.category(sign) in _SYMBOLS)


def is_prose(text: str) -> bool:
    """Whether words are among these that only sentences have."""
    return any(word in _PROSE or word.lower() in _PROSE for word in _bare_words(text)) or is_bare_mention(
        text
    )


def is_bare_mention(text: str) -> bool:
    """Whether a sentence is about what wasn't run: without, instead, should."""
    return any(word.lower() in _BARE_MENTIONS for word in _bare_words(text))


def is_introduction(words: Sequence[str]) -> bool:
    """Whether these are words like "Running" or "executing command"."""
    return bool(words) and all(word.strip(_MARKS).lower() in _INTRODUCTIONS for word in words)


def _bare_words(text: str) -> list[str]:
    return [word.strip(_MARKS) for word in text.replace("\u2019", "'").split()]


def _without_folder(before: str) -> str:
    """The text without the folder that the tool is in."""
    if before[-1:] not in ("/", "\\"):
        return before
    quoted = _QUOTED_FOLDER.search(before)
    return before[: quoted.start()] if quoted else before.rpartition(" ")[0]


def _behind_prompt(text: str) -> str:
    """The text behind the last sign of a prompt in it."""
    at = max((at for at, sign in enumerate(text) if is_prompt_end(sign) and _ends_word(text, at)), default=-1)
    rest = text[at + 1 :]
    folder = _ARROW_FOLDER.match(rest) if at >= 0 and text[at] in _ARROWS else None
    return rest[folder.end() :] if folder and not is_prose(folder[0]) else rest


def _ends_word(text: str, at: int) -> bool:
    return text[at + 1 : at + 2] in ("", " ") or not text[at].isascii()


def _is_command_start(words: Sequence[str]) -> bool:
    """Whether these words begin a command, or call another."""
    own = [word for word in words if any(map(str.isalnum, word))]
    while own and (any(sign in own[0] for sign in "/~@\\") or _ASSIGNMENT.fullmatch(own[0])):
        own = own[1:]
    if not own or is_introduction(own):
        return True
    if is_prose(" ".join(own)):
        return False
    has_option = any(word == "--" or (word[:1] == "-" and word.lstrip("-")[:1].isalpha()) for word in words)
    first = own[0].strip("\"'`(&!$#").removesuffix(".exe")
    return first in _WRAPPERS or (has_option and _COMMON_NAME.fullmatch(first) is not None)
