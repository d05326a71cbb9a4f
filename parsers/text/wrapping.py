"""Restore line ends: split lines that run together, join those that were wrapped.

Lines of output are joined where a width shows that a terminal broke them, command lines anywhere.
"""

import re
from collections import Counter
from collections.abc import Iterator

from parsers.text.numbered import Edit, Numbered
from parsers.text.tool_lines import (
    DISKINFO_COMMENTS,
    DISKINFO_TITLES,
    FIO_BEGINNING,
    HEAD_SIGN,
    SMARTCTL_LABEL_NAMES,
    SMARTCTL_LABELS,
    SMARTCTL_LINES,
    SMARTCTL_TESTS,
    TOOL_NAMES,
    fio_line_kind,
)

# Where a line of output begins, for text that lost its line ends.
_ATTRIBUTE = r"[0-9]{1,3}[ \t][A-Z][\w/-]{3,40}[ \t]+(?:0x[0-9a-f]{4}|[-POSRCK]{6}[ \t])"
_BEGINNING = (
    rf"(?:(?:[0-9]+|0\.5)[ \t]+kbytes:|(?:{DISKINFO_TITLES})"
    r"|smartctl (?:version |pre-)?[0-9]+\.[0-9]|Copyright \(C\)|=== START OF|ID# ATTRIBUTE_NAME"
    rf"|(?:{SMARTCTL_LABELS}):|{SMARTCTL_LINES}"
    rf"|{_ATTRIBUTE}|#{SMARTCTL_TESTS})"
)
BEGINS = re.compile(rf"(?<![ \t])(?P<gap>[ \t]++)(?:{_BEGINNING}|\S++[ \t]++#[ \t]sectorsize)", re.ASCII)
# A number or a mark, as others have at their beginning
_FRONT = r"(?:(?:[0-9]{1,4}[.):|]|[-*\u2022>])[ \t]+)?"
# After a terminal's padding, one beginning is enough
PADDED = re.compile(
    rf"(?P<gap>[ \t](?<=\S[ \t])(?:[ \t]{{2,}}+{_FRONT}(?={_BEGINNING}|{FIO_BEGINNING})|[ \t]*+(?={_ATTRIBUTE})"
    r"|(?<= <==[ \t])[ \t]{2,}+|[ \t]{2,}+(?===> )))",
    re.ASCII,
)
ENDS = re.compile(
    rf"(#[ \t](?:{DISKINFO_COMMENTS})|{DISKINFO_TITLES}|=== START OF [A-Z ]{{4,40}} ==="
    r"|usec/IO =[ \t]*[0-9.]{1,12}[ \t]Mbytes/s)[ \t]+(?=\S)"
)
RUN_TOGETHER = (
    re.compile(r"smartmontools\.org[ \t]+\S"),
    re.compile(r"# sectorsize[ \t]+\S"),
    re.compile(r"=== START OF [A-Z ]{4,40} ===[ \t]+\S"),
    re.compile(r"Serial Number:[ \t][^\n:]{1,80} (?:Firmware Version|LU WWN Device Id):"),
    re.compile(r"Revision:[ \t][^\n:]{1,40} [A-Z][a-z]{3,20} [a-z]{2,10}:"),
    re.compile(r"Device type:[ \t][^\n:]{1,40} [A-Z][a-z]{3,20} [a-z]{2,10}:"),
)
BEHIND_HEAD = re.compile(r"Copyright \(C\)[^\n]{5,90}smartmontools\.org[ \t]+\S")
MIN_RUN_TOGETHER = 3  # as many beginnings or ends within one line mean that line ends were lost

# A line that should continue: it begins like a known one, but lacks its end. For single lines only.
CUT_OFF = re.compile(
    r"[ \t]*[0-9.]+[ \t]+kbytes:(?![^\n]*(?:Mbytes/s|IOPS|rror))"
    rf"|[^#]*#(?= ?[smCHDAPTRZ])(?![ \t]*(?:{DISKINFO_COMMENTS})[ \t]*$)[^#/]{{0,40}}$"
    r"|[ \t]*id[0-9]{1,3},enc@[^#]*$"
    r"|smartctl [0-9]+\.[0-9][^\]]*$|Copyright \(C\)(?!.*smartmontools)|ID# ATTRIBUTE_NAME(?!.*RAW_VALUE)"
    rf"|SMART overall-health self-(?!.*result:)|(?:{SMARTCTL_LABELS}):[ \t]*$"
)
# Complete lines of those kinds, for a cheap test that none is cut off.
COMPLETE_LINE = re.compile(rf"#[ \t](?:{DISKINFO_COMMENTS})[ \t]*$| ===$")
# The beginnings of lines of those kinds that lack some of the rest.
CUT_SHORT = (
    re.compile(r"kbytes:(?! *[0-9.]+ usec/IO = *[0-9.]+ Mbytes/s)"),
    re.compile(r"enc@n(?![^\n#]{1,200}#)"),
    re.compile(r"smartctl (?=[0-9]+\.[0-9])(?![^\n\]]{0,300}\])"),
    re.compile(r"ID# ATTRIBUTE_NAME(?![^\n]{0,120}RAW_VALUE)"),
    re.compile(r"overall-health self(?!-assessment test result:)"),
    re.compile(r"Copyright \(C\)(?![^\n]{0,160}(?:smartmontools|\nHome page))"),
)
# A complete head of smartctl's attributes is none.
COMPLETE_HEAD = r"[ \t]ATTRIBUTE_NAME[ \t]+FLAGS?[ \t]+VALUE[ \t]WORST[^\n]{20,80}RAW_VALUE"
PART_OF_COMMENT = re.compile(rf"#(?![ \t](?:{DISKINFO_COMMENTS})[ \t]*$|{COMPLETE_HEAD})", re.MULTILINE)
COLON_LAST = re.compile(r":[ \t]*+\n")
# A line that begins something, so it is never the rest of the line above.
NEW_LINE_START = re.compile(
    r"[A-Z][\w /().#-]{2,50}:(?:\s|$)|=== |ID# |[ \t]*[0-9]{1,3} [A-Z][A-Za-z-]+_|\t|[ \t]*[0-9.]+ kbytes:|/dev/|$"
    r"|smartctl [0-9]|Copyright \(|[^\x00-\x7f]"
)
# A line with a mask may have been longer or shorter, or was put together when it was masked.
MASK = re.compile(r"\[(?:serial|wwn|host|user|address|key|pool)-[0-9]")
MAX_LABEL_LENGTH = 60  # characters
NARROWEST, WIDEST = 20, 200
MIN_CUT_OFF = 5
MAX_PARTS = 6  # lines that one line of output is wrapped to at most

# The ruler of a table of zpool that a terminal broke; below: what the rest of a line may be
BROKEN_RULER = re.compile(r"^ *-{3}[- ]{57,250}\n(?: *-[- ]{0,250}\n)+", re.MULTILINE)
REST_OF_CELLS = re.compile(
    r"(?:\s*+(?:-++|[\d.,]{1,9}+(?:[KMGTPE]|[num]?s)?+|[KMGTPE]|[a-z_]{1,14}+)){1,40}+\s*+"
)
MAX_LENGTH = 2000  # characters on either side of what may be the end of a line

# The name of a device node, up to where a line ends: names under /dev/disk are long
IN_NAME = re.compile(r"(?:/dev(?:/(?:di?s?)?)?|(?:/dev/disk|gptid/)[\w./:+%@-]{0,200})\Z")
MAX_NAME = 240  # characters
# Not the rest of a name: beginnings of names or lines, plain words, options of a job file, the lines of diskinfo.
WORD = r"(?![a-f]{1,9}(?!\w))[A-Z]?[a-z_]{1,40}+:?(?![\w./:+%-])(?![ ]{1,4}--?[a-z])"
REST = r"(?:(?!/dev/)[\w./:+%-]{1,200}(?=[\s\"',;)\\]|\Z)|[\"'](?=[\s,;)\\]|\Z))"
REST_OF_NAME = re.compile(
    rf"(?!{WORD}|(?:[0-9];)?fio-[0-9]|PS |[0-9]{{1,20}}[ \t]{{0,20}}#|[\w.+-]{{1,64}}@){REST}"
)
# A label, a title or a row of one of the tools
OUTPUT_LINE = re.compile(
    r"[A-Z][\w /().#-]{2,50}:(?:\s|\Z)|=== |ID# |[0-9.]{1,9} kbytes:|[0-9]{1,3} [A-Z][A-Za-z]+_"
    rf"|[ \t]*(?:sudo )?(?:{TOOL_NAMES}) +[-/a-z]|[ \t]*done\b"  # or another command
)
TOOLS = ("smartctl", "diskinfo", "fio", "iozone", "pg_test_fsync")
# Behind the tool's name, unless that is its version
WITH_ARGUMENTS = re.compile(r"(?=(?:\.exe)? +(?![0-9]|version |pre-)[-/\w])")
AT_PROMPT = re.compile(
    r"\s*(?:[^\n]{0,160}[#$%>;&]\s*|Command line used: )?(?:(?:(?:sudo|doas)(?: -u [\w.-]{1,32})?|time|do|then) )*"
    r"(?:[^\s\n]{0,60}[/\\])?(?:smartctl|diskinfo|fio|iozone|pg_test_fsync)"
)
MAX_PROMPT_LENGTH = 200
OPTION = re.compile(r"[ \t]*--?[A-Za-z]")
# A word that is not plain, and behind it nothing or an option, a file, a pipe: "th=1 --sync=1", "4k", "=60 | tee x";
# a plain one in front of the first line of output only
OUTPUT = r"(?:[^\n]{1,100}: \(g=[0-9]|\{|smartctl [0-9]|/dev/|\t)"
REST_OF_COMMAND = re.compile(
    r"(?!(?<![= ]\n)/dev/|[^\n]{1,80}\n[^\n#]{1,20}# sectorsize)"
    rf"(?:[ \t]*\\(?=\n)| /\w|[a-z]{{1,30}}\n{OUTPUT}"
    r"|(?=[^\s]{0,200}[\w=])(?![A-Za-z]{1,200}[.!?]?\s*(?:\Z|\n))(?:[\w.+%/=,'\"-]|:(?=\w|\n[0-9])){1,200}+"
    r"(?<!={3})(?:[ \t]*\\?(?:\n|\Z)|[ \t]{1,8}(?:--?[A-Za-z]|[|&;>\\/])))"
)
LONE_WORD = re.compile(r"[a-z]{1,30}\n")
NARROWEST_TERMINAL = 80
WORD_OF_LINE = re.compile(r"[^\s]{2,200}(?=\s*(?:\n|\Z))")
MAX_COMMAND_PARTS = 20  # lines that a command or a name is wrapped to at most


def split_run_together(plain: Numbered) -> Numbered:
    """Break lines with several lines of output."""
    plain = plain.edit((*gap, "\n") for gap in _padding(plain.text))
    return plain.edit(_breaks(plain.text)) if _is_run_together(plain.text) else plain


def _padding(text: str) -> Iterator[tuple[int, int]]:
    """Where a terminal padded a line up to the next."""
    for match in PADDED.finditer(text):
        before = text[max(match.start() - MAX_LENGTH, 0) : match.start()].rpartition("\n")[2]
        behind = text[match.end() : match.end() + MAX_LENGTH].partition("\n")[0]
        # A run on one line is known to fio's reader
        if not all(sign in before + behind for sign in (HEAD_SIGN, "IO depths")):
            yield match.span("gap")


def _is_run_together(text: str) -> bool:
    return any(pattern.search(text) for pattern in RUN_TOGETHER) or text.count("usec/IO") > text.count("\n")


def _breaks(text: str) -> Iterator[Edit]:
    start = 0
    for line in text.split("\n"):
        places = {match.span("gap") for match in BEGINS.finditer(line)}
        places |= {(match.end(1), match.end()) for match in ENDS.finditer(line)}
        if len(places) >= MIN_RUN_TOGETHER - (BEHIND_HEAD.search(line) is not None):
            for begin, end in sorted(places):
                yield start + begin, start + end, "\n"
        start += len(line) + 1


def join_wrapped(plain: Numbered) -> Numbered:
    """Join the lines that a terminal broke at its width, or mail between two words."""
    if not may_be_wrapped(plain.text):
        return plain
    lines = plain.text.split("\n")
    cut_off = {number for number, line in enumerate(lines) if len(line) <= WIDEST and CUT_OFF.match(line)}
    if not cut_off:
        return plain
    return plain.edit(_joins(lines, cut_off, _width(lines, cut_off)))


def join_tables(plain: Numbered) -> Numbered:
    """Join table rows that a terminal broke into several lines: as many as it broke the ruler into."""
    edits: list[Edit] = []
    for ruler in BROKEN_RULER.finditer(plain.text):
        pieces = ruler[0].count("\n")
        above = plain.text[max(ruler.start() - 3 * pieces * WIDEST, 0) : ruler.start()].split("\n")
        end = ruler.start() - sum(len(line) + 1 for line in above[-2 * pieces - 1 : -1])
        if edits and end < edits[-1][1]:  # the header is repeated
            continue
        rows = list(_rows(plain.text, end, pieces))
        width = max((len(line) for row in rows for line in row[:-1]), default=0)
        for row in rows:
            for line in row[:-1]:
                end += len(line) + 1
                edits.append((end - 1, end, " " * (width - len(line))))
            end += len(row[-1]) + 1
    return plain.edit(edits)


def _rows(text: str, place: int, pieces: int) -> Iterator[list[str]]:
    """Yield the rows from a place on, each of which a terminal broke into this many pieces."""
    while place < len(text):
        row = []
        for _ in range(pieces):
            end = text.find("\n", place)
            row.append(text[place : end if end >= 0 else len(text)])
            place += len(row[-1]) + 1
        if not row[0] or not all(map(REST_OF_CELLS.fullmatch, row[1:])):
            return
        yield row


def _width(lines: list[str], cut_off: set[int]) -> int:
    """Return the width at which a terminal broke the lines; 0 for none.

    With 0 only lines that are known to be cut off are joined.

    No line is longer; or, where there is other text above or below, at least so many are cut off at one width.
    """
    width = max(len(lines[number]) for number in cut_off)
    if any(len(line) > width and not MASK.search(line) for line in lines):
        width, count = Counter(len(lines[number]) for number in cut_off).most_common(1)[0]
        width = width if count >= MIN_CUT_OFF else 0
    return width if width >= NARROWEST else 0


def may_be_wrapped(text: str) -> bool:
    """Whether lines of a known kind are there that are not known to be complete."""
    return (
        any(pattern.search(text) for pattern in CUT_SHORT)
        or ("# sectorsize" in text and PART_OF_COMMENT.search(text) is not None)
        or any(_is_label(text, match.start()) for match in COLON_LAST.finditer(text))
    )


def _is_label(text: str, end: int) -> bool:
    """Whether a label of smartctl is all of a line up to there."""
    start = text.rfind("\n", max(end - MAX_LABEL_LENGTH - 1, 0), end) + 1
    return end - start <= MAX_LABEL_LENGTH and text[start:end] in SMARTCTL_LABEL_NAMES


def _joins(lines: list[str], cut_off: set[int], width: int) -> Iterator[Edit]:
    """Remove the line ends behind lines that are cut off or as wide as the terminal.

    A terminal breaks anywhere; mail breaks at a blank, which was lost with the line end and has to be restored.
    """
    end, parts, joined = -1, 0, ""
    for number, line in enumerate(lines[:-1]):
        end += len(line) + 1
        joined += line
        below = lines[number + 1]
        is_full = len(line) == width and COMPLETE_LINE.search(line) is None
        is_full = is_full and (len(below) <= width or MASK.search(below) is not None)
        is_cut = number in cut_off if parts == 0 else len(joined) <= WIDEST and bool(CUT_OFF.match(joined))
        if (is_full or is_cut) and parts < MAX_PARTS and NEW_LINE_START.match(below) is None:
            yield end, end + 1, "" if is_full else " "
            joined += "" if is_full else " "
            parts += 1
        else:
            parts, joined = 0, ""


def join_commands(plain: Numbered) -> Numbered:
    """Remove the line ends within commands."""
    edits = list(_within_commands(plain.text))
    return plain.edit(sorted(edits)) if edits else plain


def _is_rest(text: str, start: int, rest: re.Pattern[str]) -> bool:
    """Whether the line there can be the rest of another and begins nothing new."""
    if rest.match(text, start) is None or OUTPUT_LINE.match(text, start) is not None:
        return False
    end = text.find("\n", start)
    return fio_line_kind(text[start : end if end >= 0 else len(text)]) is None


def _within_commands(text: str) -> Iterator[Edit]:
    width = max(max(map(len, text.split("\n"))), NARROWEST_TERMINAL)
    for tool in TOOLS:
        place = text.find(tool)
        while place >= 0:
            behind = place + len(tool)
            begin = max(place - MAX_PROMPT_LENGTH, 0)
            begin = max(text.rfind("\n", begin, place) + 1, begin)
            if WITH_ARGUMENTS.match(text, behind) and AT_PROMPT.fullmatch(text, begin, behind):
                is_broken = "used: " in text[begin:place]
                edits = list(_rest_of_command(text, behind, width, is_broken=is_broken))
                yield from edits
                line_end = text.find("\n", behind)
                behind = edits[-1][1] if edits else line_end if line_end >= 0 else len(text)
            place = text.find(tool, behind)


def _rest_of_command(text: str, place: int, width: int, *, is_broken: bool) -> Iterator[Edit]:
    """Yield the edits that join a command if a terminal broke it.

    Otherwise its lines are as somebody wrote them.
    """
    edits: list[Edit] = []
    joined = ""
    for _ in range(MAX_COMMAND_PARTS):
        end = text.find("\n", place)
        if end < 0:
            break
        start = end - (text[end - 1] == "\\")
        joined += text[place:start]
        is_name = IN_NAME.search(joined[-MAX_NAME:]) is not None and _is_rest(text, end + 1, REST_OF_NAME)
        is_option = OPTION.match(text, end + 1) is not None
        if not (is_name or is_option or start < end or _continues(text, end, width)):
            break
        is_broken = is_broken or is_name or (start == end and not is_option)
        is_within_word = is_name or start < end or text[end - 1] in " \t-" or text[end + 1] != "-"
        edits.append((start, end + 1, " " if is_option and not is_within_word else ""))
        place = end + 1
    yield from edits if is_broken else ()


def _continues(text: str, end: int, width: int) -> bool:
    """Whether a command continues after the line end: with a word of its own only if no line is longer.

    diskinfo's output begins with the device that its command ends with.
    """
    if text.rfind("\n", 0, end) == end - width - 1 and LONE_WORD.match(text, end + 1):
        return True
    word = WORD_OF_LINE.match(text, end + 1)
    is_echo = word is not None and text.endswith((word[0], word[0] + " "), 0, end)
    return not is_echo and _is_rest(text, end + 1, REST_OF_COMMAND)
