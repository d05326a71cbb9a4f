"""Where a text states what must not be shown: serial numbers, world-wide names, hosts and users.

Every repetition is bounded, so the search is linear in the text.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from parsers.errors import ParseError
from parsers.json_identifiers import find_json_sites
from parsers.sites import COMMON_USERS, NO_VALUE, Site, Statement, find_statements

MAX_SITES = 10_000
MASK = re.compile(r"\[(serial|wwn|host|user)-([0-9]{1,6})\]")

# The value goes up to the end of the line, or to the next label where line ends were lost; a terminal may have
# wrapped a long one, and then a piece of it stands alone on the line below.
_REST = r"[^\s\"'][^\n\"]{0,199}?(?=[ \t]*(?:\n|$)|[ \t]*\"|[ \t]+[A-Z][\w /.-]{2,30}:[ \t])"
_PIECE = r"(?:\n[0-9A-Za-z-]{1,60}(?=\n|$))?"
_SEPARATOR = r"[ \t]*[:=][ \t]*"
_WORD = r"[0-9A-Za-z][\w-]{3,63}"
_WITH_DIGIT = r"(?=[A-Za-z-]{0,20}[0-9])"

# Each begins with a literal (a lookbehind says what stands in front), so that the search runs at memory speed.
STATEMENTS = (
    # "Serial Number:    X" of smartctl, "serial_number": "X" of its JSON, "Serial Number X" of FreeBSD's boot
    # messages, "serial no. X12345" of people
    Statement(
        "erial",
        re.compile(
            rf"erial(?:[ _-]?[Nn]umber\"?{_SEPARATOR}\"?(?P<v1>{_REST}{_PIECE})"
            rf"|[ ][Nn]umber[ \t]+(?P<v2>{_WITH_DIGIT}[0-9A-Z][0-9A-Z-]{{5,63}})\b"
            rf"|(?:[ ][Nn]o\.[ \t]*[:=#]?|[ \t]*[:=#])[ \t]*(?P<v3>{_WITH_DIGIT}[\w-]{{5,63}}))"
        ),
        "serial",
    ),
    Statement("S", re.compile(rf"S/?N(?<![A-Za-z0-9]SN){_SEPARATOR}(?P<v1>{_WITH_DIGIT}{_WORD})"), "serial"),
    # "ident: X" of geom, and names of device nodes that hold the serial number
    Statement(
        "id",
        re.compile(
            r"id(?:ent:[ \t]+(?P<v1>\S{4,40})"
            r"|(?<=/diskid)/DISK-(?P<v2>[^\s/\"',]{1,80}?)(?=(?:[ps][0-9]+)?(?:[\s/\"',]|$))"
            r"|(?<=/by-id)/(?!nvme-eui|wwn-)[^\s_/\"']{1,40}(?:_[^\s_/\"']{1,40}){0,8}?_"
            r"(?P<v3>[^\s_/\"',]{4,40}?)(?=(?:-part[0-9]+|_[0-9])?(?:[\s/\"',;:)]|$)))"
        ),
        "serial",
    ),
    Statement(
        "WWN",
        re.compile(
            rf"WWN(?: Device Id{_SEPARATOR}(?P<v1>{_REST})|{_SEPARATOR}(?P<v2>[0-9a-fA-Fx]{{16,34}})\b)"
        ),
        "wwn",
    ),
    Statement("id", re.compile(rf"id(?:(?<=nit id)|(?<=lunid)){_SEPARATOR}(?P<v1>{_REST}{_PIECE})"), "wwn"),
    Statement("UI", re.compile(rf"UI(?:(?<=EUI)-64|D(?<=NGUID)){_SEPARATOR}(?P<v1>{_REST})"), "wwn"),
    Statement("SAS", re.compile(r"SAS address[ \t]*[=:][ \t]*(?P<v1>(?:0x)?[0-9a-fA-F]{4,32})"), "wwn"),
    # enclosure paths: "id1,enc@n500.../type@0/slot@4/elmdesc@Slot_07"
    Statement("@", re.compile(r"enc@n(?P<v1>[0-9a-fA-F]{8,32})"), "wwn"),
    # the forms that are a world-wide name wherever they stand
    Statement(
        "0x",
        re.compile(r"(?P<v1>0x(?:(?<=wwn-0x)[0-9a-fA-F]{16,32}|5[0-9a-fA-F]{15}(?<!\w.{18})\b))"),
        "wwn",
    ),
    # "naa." and "eui."; behind "nvme." the serial number in hexadecimal, between the vendor's number and the model
    Statement(
        ".",
        re.compile(
            r"\.(?:(?<=naa\.|eui\.)(?P<v1>[0-9a-fA-F]{16,32})"
            r"|(?<=nvme\.)[0-9a-f]{4}-(?P<v2>[0-9a-f]{8,80})-[0-9a-f]{2,100})"
        ),
        "wwn",
    ),
)
IDENT = "# Disk ident"  # diskinfo states the value first

# Not the parts of an enclosure path ("slot@4"), of which a wrapped one may begin a line.
AT_HOST = re.compile(
    r"@(?P<host>(?=[\d_]{0,20}[^\W\d_]|[\d.]{7})\w[\w.-]{0,99}+)(?![^\n]{0,80}# Physical path)"
)
LONGEST_USER = 64
USER_BEFORE = re.compile(r"(?<![\w.+/,-])[\w.+-]{1,64}$")
# A prompt without a user: "nas1# ", "nas1:~ alice$ ", "storage:~ # ", in front of one of the tools.
PROMPT = re.compile(
    r"(?!\[(?:host|user)-)\[?(?P<host>[\w][\w.-]{1,60})\]?(?::[^\s#$%>]{0,80})?"
    r"(?: (?P<user>[\w][\w.-]{0,31}))?(?: ~)?\]? ?[#$%>] ?"
    r"(?:sudo |doas )?(?:\S{1,60}/)?"
)
TOOLS = ("smartctl", "diskinfo", "fio ")
PEOPLE = (
    Statement(
        "[",
        re.compile(r"\[(?:QUOTE|quote)=[\"']?(?P<v1>[^\s\"',\]\[][^\"',\]\n\[]{0,59}?)(?=[\"',\]]| post)"),
        "user",
    ),
    Statement(" said:", re.compile(r"^(?P<v1>[^\s:\[][^\n:\[]{0,39}) said:", re.MULTILINE), "user"),
    Statement(" wrote:", re.compile(r"^(?P<v1>[^\s:\[,][^\n:\[,]{0,39}) wrote:", re.MULTILINE), "user"),
    Statement("<", re.compile(r"data-(?:quote|author|username)=\"(?P<v1>[^\"\n\[]{1,60})"), "user"),
    Statement("/", re.compile(r"/(?:home|Users)/(?P<v1>[\w][\w.-]{0,31})"), "user"),
    Statement("\\", re.compile(r"\\Users\\{1,2}(?P<v1>[\w][\w. -]{0,31}?)(?=[\\>\"\n]|$)"), "user"),
    Statement("ostname", re.compile(r"ostname\"?[ \t]*[:=][ \t]*\"?(?P<v1>[\w][\w.-]{0,99})"), "host"),
)


def find_sites(text: str) -> list[Site]:
    """Where identifiers are stated, in order and without overlap. Raises ParseError for an absurd number."""
    return _apart(
        chain(find_statements(text, STATEMENTS), find_json_sites(text), _idents(text), _people(text))
    )


def find_people(text: str) -> list[Site]:
    """Where hosts and users are named, in the same way."""
    return _apart(_people(text))


def _people(text: str) -> Iterator[Site]:
    yield from find_statements(text, PEOPLE)
    if "@" in text:
        yield from _user_hosts(text)
    for tool in TOOLS:
        yield from _prompts(text, tool)


def _apart(found: Iterator[Site]) -> list[Site]:
    """In order; of two that overlap the one that starts first, or the longer one."""
    sites = list(islice(found, MAX_SITES + 1))
    if len(sites) > MAX_SITES:
        raise ParseError(
            "there are more serial numbers and names here than any tool prints", code="too_many_names"
        )
    kept: list[Site] = []
    done = 0
    for site in sorted(sites, key=lambda one: (one.start, -one.end)):
        if site.start >= done:
            kept.append(site)
            done = site.end
    return kept


def _idents(text: str) -> Iterator[Site]:
    """The values in front of "# Disk ident."."""
    place = text.find(IDENT)
    while place >= 0:
        line = max(text.rfind("\n", max(place - 120, 0), place) + 1, place - 120, 0)
        before = text[line:place]
        value = before.strip()
        if value and "#" not in value and not NO_VALUE.fullmatch(value):
            start = line + before.index(value)
            yield Site(start, start + len(value), "serial", value)
        place = text.find(IDENT, place + 1)


def _user_hosts(text: str) -> Iterator[Site]:
    for match in AT_HOST.finditer(text):
        begin = max(match.start() - LONGEST_USER, 0)
        user = USER_BEFORE.search(text, begin, match.start())
        if user is None:
            continue
        if user[0].lower() not in COMMON_USERS:
            yield Site(*user.span(), "user", user[0])
        host = match["host"].rstrip(".-")
        yield Site(match.start("host"), match.start("host") + len(host), "host", host)


def _prompts(text: str, tool: str) -> Iterator[Site]:
    place = text.find(tool)
    while place >= 0:
        line = max(text.rfind("\n", max(place - 200, 0), place) + 1, place - 200, 0)
        match = PROMPT.fullmatch(text, line, place)
        if match is not None:
            for kind in ("host", "user"):
                if match[kind] and match[kind].lower() not in COMMON_USERS:
                    yield Site(*match.span(kind), kind, match[kind])
        place = text.find(tool, place + len(tool))
