"""What somebody writes in place of a value that they don't want to show, or that a tool doesn't know."""

import re

_SIGNS = re.compile(r"[\W_]+")
_REPEATED = re.compile(r"x{3,}|([a-z])\1{5,}")
_WORDS = re.compile(
    r"[\W_x]*(?:redacted|removed|masked|hidden|censored|omitted|withheld|deleted|stripped|scrubbed|saniti[sz]ed"
    r"|anonymi[sz]ed|obfuscated|private|secret|snip(?:ped)?|not shown|none of your business|no information found"
    r"|unknown|n/?a)[\W_x]*",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"<[^<>]{1,80}>|\[(?!(?:serial|wwn|pool|host)-)[^\[\]]{1,80}\]|\{[^{}]{1,80}\}")
_MAX_LENGTH = 300  # characters


def is_crossed_out(value: str) -> bool:
    """Whether it is one letter throughout: `XXXXXXXX`, `xxxx-xxxx`."""
    return _REPEATED.fullmatch(_SIGNS.sub("", value[:_MAX_LENGTH]).lower()) is not None


def is_filler(value: str) -> bool:
    """Whether it stands for a value instead of being one: `XXXXXXXX`, `--`, `<removed>`, `[No Information Found]`."""
    text = value.strip()
    if len(text) > _MAX_LENGTH:
        return False
    is_word = _WORDS.fullmatch(text) is not None or _IN_BRACKETS.fullmatch(text) is not None
    return is_word or is_crossed_out(text) or not _SIGNS.sub("", text)
