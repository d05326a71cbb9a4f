"""Remove what a log, a chat, `grep` or `diff` puts in front of every line.

All that is known of these prefixes is that they are equal, apart from numbers, and precede lines of the tools.
"""

import re
from collections import Counter
from collections.abc import Iterator

from parsers.base.vocabulary import read_lines
from parsers.text.numbered import Edit

# Lines of the tools begin with these words, and hardly any others
_BEGINNINGS = read_lines(__file__, "beginnings.txt")
# Lines of diskinfo: a figure comes before these words
_BEHIND_FIGURE = (" kbytes:", "# sectorsize", "# mediasize in ", "# stripesize", "# stripeoffset")
_FIGURE = re.compile(r"(?:(?:(?<=[^\w.:])|(?<=\\t)|\A)[0-9]{1,20}(?:\.5)?)?(?:[ \t]|\\t){0,40}\Z")
_TABS = re.compile(r"(?:[ \t]|\\t){1,40}\Z")  # "\t" as a string of JSON states one
_MAX_LENGTH = 120  # characters
_MAX_OCCURRENCES = 300  # of a word: enough to see what is in front of it
_MAX_PREFIXES = 5
_MIN_REPEATS = 3
# A prefix ends with a mark, or begins with a time, unlike any prompt
_MARK = re.compile(r"[^\w\s\[({]\Z")
_CLOCK = re.compile(r"[\[(<]?(?:[A-Z][a-z]{2} )?[A-Za-z0-9./-]{0,10}[T ]?0:0(?::0)?")
# Of syslog, the journal, `kubectl logs`, `docker logs`, the kernel: a time, and perhaps the host and the process
_LOGGED = re.compile(
    r"^(?P<prefix>(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
    r"|\[ {0,5}[0-9]{1,7}\.[0-9]{3,9}\])"
    r"(?:(?: [\w.-]{1,60})? [\w./@-]{1,60}(?:\[[0-9]{1,9}\]|(?<=kernel)):|(?: std(?:out|err) [FP])?)(?=[ \n]|\Z) ?)"
    r"(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_DATA = re.compile(r"[\"{}=]")  # before the rest of a broken line; not a prefix
_PROMPT = re.compile(r"[#$%&>|;] +[a-zA-Z/~]")
_DIGITS = re.compile(r"[0-9]+")
_BLANKS = re.compile(r"[ \t]+")
_JSON = ('"json_format_version"', '"fio version"')
_REST_OF_JSON = re.compile(r"[\"{}=]|[\"',]\Z")  # of a line that a terminal broke
_QUOTES = "\"'"
_QUOTED_END = re.compile(r"[\"'],?[ \t]*\Z")
_ESCAPE = re.compile(r"\\[\"'\\t]")


def prefix_edits(text: str) -> Iterator[Edit]:
    """The edits that remove the prefixes, and the quotes that end what they began."""
    logged = [match for match in _LOGGED.finditer(text) if match["rest"]] if _LOGGED.search(text) else ()
    if len(logged) >= _MIN_REPEATS and 2 * len(logged) > sum(map(bool, text.split("\n"))):
        yield from ((match.start(), match.end("prefix"), "") for match in _LOGGED.finditer(text))
        return
    prefixes = _find_prefixes(text)
    if not prefixes:
        return
    any_prefix = re.compile(rf"[ \t]*(?:{'|'.join(map(_pattern, prefixes))})[ \t]?")
    start = 0
    for line in text.split("\n"):
        match = any_prefix.match(line)
        if match is not None:
            yield start, start + match.end(), ""
            if match[0].strip()[0] in _QUOTES or match[0].strip()[-1] in _QUOTES:
                yield from _within_quotes(line, match.end(), start)
        start += len(line) + 1


def _within_quotes(line: str, begin: int, start: int) -> Iterator[Edit]:
    end = _QUOTED_END.search(line, max(begin, len(line) - 20))
    behind = end.start() if end else len(line)
    for escape in _ESCAPE.finditer(line, begin, behind):
        yield start + escape.start(), start + escape.end(), "\t" if escape[0] == "\\t" else escape[0][1]
    if end:
        yield start + behind, start + len(line), ""


def _find_prefixes(text: str) -> list[str]:
    """The texts that precede the beginnings of many lines, with digits as 0; the longest first."""
    counts = Counter(
        prefix for start, begin in _first_beginnings(text).items() if (prefix := _normal(text[start:begin]))
    )
    is_json = any(key in text for key in _JSON)
    found = [
        prefix
        for prefix, count in counts.most_common(_MAX_PREFIXES)
        if _is_prefix(prefix, count) and not (is_json and _REST_OF_JSON.search(prefix))
    ]
    return sorted(found, key=len, reverse=True)


def _is_prefix(prefix: str, count: int) -> bool:
    if _PROMPT.search(prefix):
        return False
    if _CLOCK.match(prefix):
        return _DATA.search(prefix) is None
    return count >= _MIN_REPEATS and _MARK.search(prefix) is not None


def _first_beginnings(text: str) -> dict[int, int]:
    """Where the first such word of a line is, by the start of its line."""
    found: dict[int, int] = {}
    for word in (*_BEGINNINGS, *_BEHIND_FIGURE):
        place = text.find(word)
        for _ in range(_MAX_OCCURRENCES):
            if place < 0:
                break
            start = text.rfind("\n", max(place - _MAX_LENGTH - 1, 0), place) + 1
            if start or place <= _MAX_LENGTH:
                found[start] = min(place, found.get(start, place))
            place = text.find(word, place + len(word))
    return found


def _normal(prefix: str) -> str:
    prefix = _TABS.sub("", _FIGURE.sub("", prefix, count=1)).strip()
    return _BLANKS.sub(" ", _DIGITS.sub("0", prefix)) if prefix else ""


def _pattern(prefix: str) -> str:
    return re.escape(prefix).replace("0", "[0-9]{1,20}").replace(r"\ ", r"[ \t]{1,8}")
