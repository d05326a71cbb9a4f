"""Join what a terminal broke where no width tells of it: command lines, and the names of device nodes anywhere.

The names under /dev/disk hold serial numbers. Whatever stands below the end of such a name and may be the rest of it
is joined to it; of a command the lines that look like the rest of one, and like nothing that the tools print.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from parsers.fio.lines import kind_of
from parsers.text.node_names import may_name_nodes
from parsers.text.traced import Edit, Traced

NODE = re.compile(r"(?:/dev/)?(?:disk/by-[a-z]{2,9}/|diskid/DISK-|gptid/)")
BUSES = r"(?:ata|nvme|scsi|usb|mmc|wwn|virtio)-"
LISTED = re.compile(rf"(?<![^\s\"']){BUSES}(?=[\w.])")
IN_NAME = re.compile(r"[\w.:+%@-]{0,200}")
LINE_END = re.compile(r"\\?\n")
# No rest of a name: what begins a name or a line itself, plain words, options of a job file, the lines of diskinfo.
WORD = r"(?![a-f]{1,9}(?!\w))[A-Z]?[a-z_]{1,40}+:?(?![\w.:+%-])(?![ ]{1,4}--?[a-z])"
REST = r"(?:[\w.:+%-]{1,200}(?=[\s\"',;)\\]|\Z)|[\"'](?=[\s,;)\\]|\Z))"
WHOLE_NAME = re.compile(
    rf"(?!{WORD}|(?:[0-9];)?fio-[0-9]|PS |[0-9]{{1,20}}[ \t]{{0,20}}#|[\w.+-]{{1,64}}@){REST}"
)
REST_OF_NAME = re.compile(rf"(?!{BUSES}){WHOLE_NAME.pattern}")
# A label, a title or a row of one of the tools
OWN_LINE = re.compile(
    r"[A-Z][\w /().#-]{2,50}:(?:\s|\Z)|=== |ID# |[0-9.]{1,9} kbytes:|[0-9]{1,3} [A-Z][A-Za-z]+_"
)
TOOLS = ("smartctl", "diskinfo", "fio")
# Behind the tool's name, unless it tells its version
ASKED = re.compile(r"(?=(?:\.exe)? +(?![0-9]|version |pre-)[-/\w])")
AT_PROMPT = re.compile(
    r"\s*(?:[^\n]{0,160}[#$%>;&]\s*)?(?:(?:sudo|doas|time) )*(?:[^\s\n]{0,60}[/\\])?(?:smartctl|diskinfo|fio)"
)
LONGEST_PROMPT = 200
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
WORD_OF_LINE = re.compile(r"[^\s]{2,200}(?=\s*(?:\n|\Z))")
MAX_PARTS = 20  # lines that a command or a name is wrapped to at most
Span = tuple[int, int]


def join_commands(plain: Traced) -> Traced:
    """Take out the line ends within names of device nodes and within commands."""
    names = set(_within_names(plain.text)) if may_name_nodes(plain.text) else set()
    edits = {*((start, end, "") for start, end in names), *_within_commands(plain.text, names)}
    return plain.edit(sorted(edits)) if edits else plain


def _within_names(text: str) -> Iterator[Span]:
    flat = text.replace("\n", "")
    ends = [match.start() - number for number, match in enumerate(re.finditer("\n", text))]
    for pattern in (NODE, LISTED):
        for match in pattern.finditer(flat):
            first, behind = bisect_right(ends, match.start()), bisect_right(ends, match.end() - 1)
            for number in range(first, behind):
                yield ends[number] + number, ends[number] + number + 1
            yield from _behind(text, match.end() + behind)
    for match in LISTED.finditer(text):
        yield from _behind(text, match.end())


def _behind(text: str, place: int) -> Iterator[Span]:
    """The line ends that the name goes on behind, which is under way at the place."""
    for _ in range(MAX_PARTS):
        in_name = IN_NAME.match(text, place)
        line_end = LINE_END.match(text, in_name.end()) if in_name else None
        if in_name is None or line_end is None:
            return
        if not _is_rest(text, line_end.end(), REST_OF_NAME if in_name[0] else WHOLE_NAME):
            return
        yield line_end.span()
        place = line_end.end()


def _is_rest(text: str, start: int, rest: re.Pattern[str]) -> bool:
    """Whether the line that starts there can be the rest of another, and begins nothing itself."""
    if rest.match(text, start) is None or OWN_LINE.match(text, start) is not None:
        return False
    end = text.find("\n", start)
    return kind_of(text[start : end if end >= 0 else len(text)]) is None


def _within_commands(text: str, names: set[Span]) -> Iterator[Edit]:
    for tool in TOOLS:
        place = text.find(tool)
        while place >= 0:
            behind = place + len(tool)
            begin = max(place - LONGEST_PROMPT, 0)
            begin = max(text.rfind("\n", begin, place) + 1, begin)
            if ASKED.match(text, behind) and AT_PROMPT.fullmatch(text, begin, behind):
                yield from (edits := list(_rest_of_command(text, behind, names)))
                line_end = text.find("\n", behind)
                behind = edits[-1][1] if edits else line_end if line_end >= 0 else len(text)
            place = text.find(tool, behind)


def _rest_of_command(text: str, place: int, names: set[Span]) -> Iterator[Edit]:
    """What joins the lines of a command, if a terminal broke it; else its lines are as somebody wrote them."""
    edits: list[Edit] = []
    is_broken = False
    for _ in range(MAX_PARTS):
        end = text.find("\n", place)
        if end < 0:
            break
        start = end - (text[end - 1] == "\\")
        is_name = (start, end + 1) in names
        is_option = OPTION.match(text, end + 1) is not None
        if not (is_name or is_option or start < end or _goes_on(text, end)):
            break
        is_broken = is_broken or is_name or (start == end and not is_option)
        is_word = (
            is_option
            and not is_name
            and start == end
            and text[end - 1] not in " \t-"
            and text[end + 1] == "-"
        )
        edits.append((start, end + 1, " " if is_word else ""))
        place = end + 1
    yield from edits if is_broken else ()


def _goes_on(text: str, end: int) -> bool:
    """Whether a command goes on behind the line end; diskinfo begins with the device that its command ends with."""
    word = WORD_OF_LINE.match(text, end + 1)
    is_echo = word is not None and text.endswith((word[0], word[0] + " "), 0, end)
    return not is_echo and _is_rest(text, end + 1, REST_OF_COMMAND)
