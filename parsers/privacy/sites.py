"""Find the stretches of a text that state identifiers, split ones as well.

Every repetition is bounded, so the search is linear in the text.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice

from parsers.base.format import ParseError
from parsers.privacy.columns import find_in_columns
from parsers.privacy.devices import ANSWER_RULES, NAME_RULES, SERIAL_RULES, TOOL_RULES
from parsers.privacy.hosts import HOST_RULES
from parsers.privacy.phrases import PHRASE_RULES, PHRASES
from parsers.privacy.pools import POOL_ANSWERS, POOL_RULES
from parsers.privacy.rules import (
    COMMON_USERS,
    CORES,
    Haystack,
    Site,
    find_by_rules,
    haystack,
    is_mixed,
    is_value,
    rules_in,
)
from parsers.privacy.shapes import KEY_RULES, RANDOM_RULES, SHAPE_RULES
from parsers.privacy.table import JSON_RULES
from parsers.privacy.users import USER_ANSWERS, USER_RULES
from parsers.text.traced import Edit, Traced
from parsers.text.wrapping import NEW_LINE_START

# An earlier table has precedence over a later one; digests of stored units depend on what TOOL_RULES find.
TABLES = (
    TOOL_RULES,
    SERIAL_RULES,
    NAME_RULES,
    KEY_RULES,
    SHAPE_RULES,
    PHRASE_RULES,
    RANDOM_RULES,
    HOST_RULES,
    USER_RULES,
    POOL_RULES,
)
MAX_SITES = 10_000
IDENT = "# disk ident"  # diskinfo states the value first

# Not the parts of an enclosure path ("slot@4"), of which a wrapped one may begin a line.
AT_HOST = re.compile(
    r"@(?P<host>(?=[\d_]{0,20}[^\W\d_]|[\d.]{7})\w[\w.-]{0,99}+)(?![^\n]{0,80}# Physical path)"
)
LONGEST_USER = 64
# Nor of a web page; but of a share: "//alice@nas/share"
USER_BEFORE = re.compile(r"(?:(?<![\w.+/,-])|(?<=//)(?<![^\s\"'=(]//))[\w.+-]{1,64}$")
# smartctl's JSON gives a world-wide name as numbers, in any order: {"naa": 5, "oui": 3152, "id": 8035000960}.
JSON_NAME = re.compile(r'"(?:wwn|eui64)"\s{0,20}:\s{0,20}\{([^{}]{0,300})')
JSON_NUMBER = re.compile(r'"(naa|oui|id|ext_id)"\s{0,20}:\s{0,20}([0-9]{1,20})\b')

_WORD = "[0-9A-Za-z_-]"
# Other line and page breaks, soft hyphens and soft line breaks
BREAK = re.compile(
    r"(?<=[0-9A-Za-z:._-])(?:[\x0b\x0c\x1c-\x1e\x85\xad\u200b-\u200d\u2028\u2029\u2060\ufeff]"
    r"|=(?:20)?[ \t]{0,8}\n){1,4}(?=[0-9A-Za-z:._-])"
)
# Unusual blanks: a single one in a line isn't how people write spaces
BLANK = re.compile(
    r"[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]|&(?:nbsp|ensp|emsp|thinsp|#160|#8201|#xa0);", re.IGNORECASE
)
BLANK_WITHIN = re.compile(rf"(?<=[\w:.-])(?:{BLANK.pattern})(?=[\w:.-])", re.IGNORECASE)
# A lone carriage return counts as a line end, followed by the rest of a serial number or world-wide name
REST = re.compile(
    r"\n(?<=[0-9A-Za-z_-]\n)(?=(?P<rest>(?=[0-9A-Z_-]{0,20}[0-9])[0-9A-Z_-]{2,20})(?![\w:]|[ \t]*(?:#|kbytes))"
    r"|(?P<ident>[0-9A-Za-z_-]{1,40})[ \t]*# ?Disk ident)"
)
LAST_WORD = re.compile(r"[0-9A-Za-z_-]{1,40}\Z")
LAST_PART, FIRST_PART = re.compile(r"[0-9A-Za-z]{1,40}\Z"), re.compile(r"[0-9A-Za-z]{1,40}")
BEFORE, BEHIND = re.compile(r"[0-9A-Za-z:._-]{1,60}\Z"), re.compile(r"[0-9A-Za-z:._-]{1,60}")
# What can't be two words or numbers: names of 16 or 32 digits, UUIDs, MAC and IP addresses
WHOLE = re.compile(
    r"(?<![0-9a-z])(?:(?:0x)?(?:[35][0-9a-f]{15}|[36][0-9a-f]{16}|[36][0-9a-f]{31}|36[0-9a-f]{31})"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4,6}"
    r"|(?:192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))(?:\.[0-9]{1,3}){2}|[23f][0-9a-f]{3}(?::[0-9a-f]{1,4}){7})"
    r"(?![0-9a-z]|[:.-][0-9a-f])",
    re.IGNORECASE,
)
OF_LABEL = re.compile(
    r"(?:address|wwn|wwid|guid|eui|naa|lunid)[^\n]{0,20}[^0-9A-Za-z]([0-9a-f]{1,15})\Z", re.IGNORECASE
)
LONG_NUMBER = re.compile("[0-9]{17,20}")
OF_POOL = re.compile(r"guid|unavail|offline|faulted|removed|degraded|online")
SOFT_BREAK = re.compile(r"=(?:20)?[ \t]{0,8}\n")
ASCII_SIGNS = ("\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "&nbsp;", "sp;", "&#160;", "&#8201;", "&#xa0;")
WITHIN_WORD = re.compile(r"\n(?<=[\w:./-]\n)(?=[\w:./-])")
WITHIN_NAME = re.compile(r"\n(?<=[0-9a-fA-Fx:.-]\n)(?=[0-9a-fA-F:.-]{1,40}(?!\w))")
AFTER_SIGN = re.compile(r"[:-][ ](?<=[0-9a-fA-F]..)(?=[0-9a-fA-F])")  # of a name or an address, a blank
NARROWEST, WIDEST = 20, 200
MIN_FULL = 2  # lines as wide as the terminal
NEAR = 4  # lines above and below, none of which is longer than one that a terminal broke
LONGEST_SERIAL = 20  # of ATA and NVMe


class Sites:
    """Stretches that state identifiers, in order and without overlap.

    What is added first has precedence.
    """

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.is_partial = False  # whether a stretch was left out that goes beyond those that are there

    def add(self, found: Iterable[Site]) -> None:
        """Add sites that overlap none so far; of two that overlap, the first or longer.

        Raises ParseError for too many.
        """
        new = sorted(islice(found, MAX_SITES + 1), key=lambda one: (one.start, -one.end))
        if len(self.sites) + len(new) > MAX_SITES:
            raise ParseError(
                "there are more serial numbers and names here than any tool prints", code="too_many_names"
            )
        if not new:
            return
        sites, merged = self.sites, []
        at = done = 0
        for site in new:
            while at < len(sites) and sites[at].end <= site.start:
                merged.append(sites[at])
                at += 1
            is_free = at == len(sites) or sites[at].start >= site.end
            if site.start >= done and is_free:
                merged.append(site)
                done = site.end
            elif site.end > done and (is_free or site.start < sites[at].start or site.end > sites[at].end):
                self.is_partial = True
        self.sites = sorted([*merged, *sites[at:]])


def find_sites(text: str) -> Sites:
    """Where identifiers are stated. Raises ParseError for an absurd number."""
    return find_in(haystack(text))


def find_in(hay: Haystack) -> Sites:
    """Find what `find_sites` finds in a text that is prepared for the search."""
    found = Sites()
    found.add(find_json_sites(hay))
    found.add(find_by_rules(hay, TOOL_RULES))
    found.add(_idents(hay))
    found.add(_user_hosts(hay))
    for table in TABLES[1:]:
        found.add(find_by_rules(hay, rules_in(hay, PHRASES) if table is PHRASE_RULES else table))
    found.add(find_in_columns(hay))
    return found


def find_answers(hay: Haystack) -> Sites:
    """Find identifiers printed by commands that print nothing else.

    To be called before wrapped lines are joined to commands.
    """
    found = Sites()
    found.add(find_by_rules(hay, ANSWER_RULES))
    found.add(find_by_rules(hay, USER_ANSWERS))
    found.add(find_by_rules(hay, POOL_ANSWERS))
    return found


def find_json_sites(hay: Haystack) -> Iterator[Site]:
    """Find identifiers in JSON that a terminal may have broken anywhere.

    The text is searched without its line ends, which JSON doesn't need.
    """
    if '"' not in hay.text:
        return
    text = hay.text.replace("\n", "")
    flat = Haystack(text, hay.lower.replace("\n", ""), b"", CORES)  # of a broken key, no part is a word above
    ends: list[int] | None = None  # where each line end was taken out
    for site in chain(find_by_rules(flat, JSON_RULES), _json_names(flat.text)):
        if ends is None:
            ends = [match.start() - number for number, match in enumerate(re.finditer("\n", hay.text))]
        start = site.start + bisect_right(ends, site.start)
        end = site.end + bisect_right(ends, site.end - 1)
        yield site._replace(start=start, end=end, line_ends=hay.text.count("\n", start, end))


def _json_names(text: str) -> Iterator[Site]:
    if '"oui"' not in text:
        return
    for match in JSON_NAME.finditer(text):
        numbers = {one[1]: one for one in JSON_NUMBER.finditer(text, *match.span(1))}
        number = numbers.get("id") or numbers.get("ext_id")
        if number is None or not int(number[2]):
            continue
        naa, oui = (int(numbers[name][2]) if name in numbers else 0 for name in ("naa", "oui"))
        name = f"{naa:x}{oui:06x}{int(number[2]):09x}" if naa else f"{oui:06x}{int(number[2]):010x}"
        yield Site(*number.span(2), "wwn", name, is_number=True)


def _idents(hay: Haystack) -> Iterator[Site]:
    """The values in front of "# Disk ident."."""
    place = hay.lower.find(IDENT)
    while place >= 0:
        line = max(hay.text.rfind("\n", max(place - 120, 0), place) + 1, place - 120, 0)
        before = hay.text[line:place]
        value = before.strip()
        if value and "#" not in value and is_value(value, "serial"):
            start = line + before.index(value)
            yield Site(start, start + len(value), "serial", value)
        place = hay.lower.find(IDENT, place + 1)


def _user_hosts(hay: Haystack) -> Iterator[Site]:
    if "@" not in hay.text:
        return
    for match in AT_HOST.finditer(hay.text):
        begin = max(match.start() - LONGEST_USER, 0)
        user = USER_BEFORE.search(hay.text, begin, match.start())
        if user is None:
            continue
        if user[0].lower() not in COMMON_USERS:
            yield Site(*user.span(), "user", user[0])
        host = match["host"].rstrip(".-")
        yield Site(match.start("host"), match.start("host") + len(host), "host", host)


def find_broken(text: str) -> list[Site]:
    """Find identifiers split by breaks other than line ends.

    The sites are stretches of the pasted text.
    """
    if text.isascii() and not (SOFT_BREAK.search(text) or any(sign in text for sign in ASCII_SIGNS)):
        return []
    joins = [(match.start(), match.end(), "") for match in BREAK.finditer(text)]
    joins = sorted([*joins, *_unusual_blanks(text)])
    return _spanning(text, joins) if joins else []


def find_wrapped(text: str) -> list[Site]:
    """Identifiers split by line ends, in a cleaned text."""
    joins = [(match.start(), match.end(), "") for match in REST.finditer(text) if _is_rest(match)]
    joins = sorted({*joins, *_full_lines(text), *_within_names(text)})
    return _spanning(text, joins) if joins else []


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether what is on both sides of a break is one name or address, and neither side is by itself."""
    before, behind = BEFORE.search(text, max(start - 60, 0), start), BEHIND.match(text, end)
    if before is None or behind is None:
        return False
    joined, length = before[0] + behind[0], len(before[0])
    if any(match.start() < length < match.end() for match in WHOLE.finditer(joined)):
        return WHOLE.search(before[0]) is None
    if joined.isdigit():
        return (
            LONG_NUMBER.fullmatch(joined) is not None
            and OF_POOL.search(_around(text, start, end)) is not None
        )
    labelled = OF_LABEL.search(text, max(start - 60, 0), start)
    return (
        labelled is not None
        and re.fullmatch("[0-9a-f]{16}", labelled[1] + behind[0], re.IGNORECASE) is not None
    )


def _around(text: str, start: int, end: int) -> str:
    """What is on the line in front of a break and on the line behind it."""
    return (
        text[max(start - 60, 0) : start].rpartition("\n")[2].lower()
        + text[end : end + 80].partition("\n")[0].lower()
    )


def _is_rest(match: re.Match[str]) -> bool:
    """Whether the parts around a line end can be one identifier.

    Its length or the rest of the line shows that.
    """
    text, place = match.string, match.start()
    before = LAST_WORD.search(text, max(place - 40, 0), place)
    if before is None:
        return False
    joined = before[0].rpartition("_")[2] + (match["rest"] or match["ident"])
    is_alone = text[(end := match.end() + len(match["rest"] or "")) : end + 1] in ("", "\n")
    return len(joined) <= LONGEST_SERIAL and (
        match["ident"] is not None or is_alone or is_mixed(match["rest"])
    )


def _within_names(text: str) -> Iterator[Edit]:
    """The line ends within names and addresses, and the blanks behind their signs."""
    for match in AFTER_SIGN.finditer(text):
        if _is_whole(text, match.start() + 1, match.end()):
            yield match.start() + 1, match.end(), ""
    for match in WITHIN_NAME.finditer(text):
        if _is_whole(text, *match.span()):
            yield *match.span(), ""


def _unusual_blanks(text: str) -> Iterator[Edit]:
    """The unusual blanks that split a word, each the only one in its line, or a name or an address."""
    blanks = [match.span() for match in BLANK.finditer(text)]
    for number, (start, end) in enumerate(blanks):
        if BLANK_WITHIN.match(text, start) is None:
            continue
        is_first = number == 0 or _are_apart(text, blanks[number - 1][1], start)
        is_only = is_first and (number + 1 == len(blanks) or _are_apart(text, end, blanks[number + 1][0]))
        if is_only or _is_whole(text, start, end):
            yield start, end, ""


def _are_apart(text: str, first: int, last: int) -> bool:
    """Whether a line end, or more than a terminal's width, is in between."""
    return last - first > WIDEST or text.find("\n", first, last) >= 0


def _full_lines(text: str) -> Iterator[Edit]:
    """Find the ends of lines as wide as the terminal.

    No line nearby is longer.
    """
    ends = [match.start() for match in WITHIN_WORD.finditer(text) if _is_one_word(text, match.start())]
    if not ends:
        return
    lengths = list(map(len, text.split("\n")))
    counts = Counter(lengths)
    number_of = {end: number for number, end in enumerate(accumulate(length + 1 for length in lengths))}
    for end in ends:
        number = number_of[end + 1]
        length = lengths[number]
        is_usual = counts[length] >= MIN_FULL and NARROWEST <= length <= WIDEST
        if is_usual and max(lengths[max(number - NEAR, 0) : number + NEAR + 1]) == length:
            yield end, end + 1, ""


def _is_one_word(text: str, end: int) -> bool:
    """Whether the words around a line end can be one, all upper or all lower case.

    The second doesn't begin a line of output.
    """
    before, behind = LAST_PART.search(text, max(end - 40, 0), end), FIRST_PART.match(text, end + 1)
    word = (before[0] if before else "") + (behind[0] if behind else "")
    return not (word.lower() != word != word.upper()) and NEW_LINE_START.match(text, end + 1) is None


def _spanning(text: str, joins: Sequence[Edit]) -> list[Site]:
    """Find identifiers across breaks, in the affected lines without the breaks."""
    edits = list(_without_other_lines(text, joins))
    joined = Traced(text).edit(edits)
    places: list[int] = []  # of the breaks in the joined text
    shift = 0
    for start, end, replacement in edits:
        if not replacement:
            places.append(start + shift)
        shift += len(replacement) - (end - start)
    found = []
    for site in find_sites(joined.text).sites:
        first = bisect_right(places, site.start)
        if first != bisect_right(places, site.end - 1) and _can_begin(
            joined.text[site.start : places[first]], site.kind
        ):
            start, end = joined.source_span(site.start, site.end)
            found.append(site._replace(start=start, end=end, line_ends=text.count("\n", start, end)))
    return found


def _can_begin(part: str, kind: str) -> bool:
    """Whether what is in front of a break can be of what is behind it: of a key not the last word of a line.

    Two lines too easily look like a path of data sets.
    """
    return kind != "pool" and (kind != "key" or any(map(str.isdigit, part)))


def _without_other_lines(text: str, joins: Sequence[Edit]) -> Iterator[Edit]:
    """The joins, and for each stretch of lines without one a line end in its place."""
    done = 0
    for start, end, _ in joins:
        if start >= done:
            line = text.rfind("\n", done, start) + 1
            if line > done:
                yield done, line, "\n"
        yield start, end, ""
        if end > done:
            line_end = text.find("\n", end)
            done = line_end if line_end >= 0 else len(text)
    if done < len(text):
        yield done, len(text), "\n"
