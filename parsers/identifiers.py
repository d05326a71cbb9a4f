"""Where a text states what must not be shown: serial numbers, world-wide names, hosts and users.

Every repetition is bounded, so the search is linear in the text.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from parsers.errors import ParseError
from parsers.json_identifiers import find_json_sites
from parsers.node_names import find_listed_names
from parsers.sites import COMMON_USERS, NO_VALUE, REST, WRAPPED, Site, find_statements, statement
from parsers.sketch import may_hold, sign, sketches
from parsers.traced import Traced

MAX_SITES = 10_000
MASK = re.compile(r"\[(serial|wwn|host|user)-([0-9]{1,6})\]")

_SEPARATOR = r"[ \t]*[:=][ \t]*"
_WORD = r"[0-9A-Za-z][\w-]{3,63}"
_WITH_DIGIT = r"(?=[A-Za-z-]{0,20}[0-9])"

# Each begins with a literal (a lookbehind says what stands in front), so that the search runs at memory speed.
STATEMENTS = (
    # "Serial Number:    X" of smartctl, "serial_number": "X" of its JSON, "Serial Number X" of FreeBSD's boot
    # messages, "serial no. X12345" of people
    statement(
        "serial",
        "erial",
        fits=(
            rf"erial(?:[ _-]?[Nn]umber\"?{_SEPARATOR}\"?{WRAPPED}"
            rf"|[ ][Nn]umber[ \t]+(?P<v2>{_WITH_DIGIT}[0-9A-Z][0-9A-Z-]{{5,63}})\b"
            rf"|(?:[ ][Nn]o\.[ \t]*[:=#]?|[ \t]*[:=#])[ \t]*(?P<v3>{_WITH_DIGIT}[\w-]{{5,63}}))"
        ),
    ),
    statement(
        "serial", "SN:", "SN=", "S/N", fits=rf"S/?N(?<![A-Za-z0-9]SN){_SEPARATOR}(?P<v1>{_WITH_DIGIT}{_WORD})"
    ),
    # "ident: X" of geom, and names of device nodes that hold the serial number
    statement(
        "serial",
        "ident:",
        "diskid/DISK-",
        "/by-id/",
        fits=(
            r"id(?:ent:[ \t]+(?P<v1>\S{4,40})"
            r"|(?<=diskid)/DISK-(?P<v2>[^\s/\"',]{1,80}?)(?=(?:[ps][0-9]+)?(?:[\s/\"',]|$))"
            r"|(?<=/by-id)/(?!nvme-eui|wwn-|scsi-3[0-9a-f]{16})[^\s_/\"']{1,40}(?:_[^\s_/\"']{1,40}){0,8}?_"
            r"(?P<v3>[^\s_/\"',]{4,40}?)(?=(?:-part[0-9]+|_[0-9])?(?:[\s/\"',;:)]|$)))"
        ),
    ),
    statement(
        "wwn",
        "WWN",
        fits=rf"WWN(?: Device Id{_SEPARATOR}{REST}|{_SEPARATOR}(?P<v2>[0-9a-fA-Fx]{{16,34}})\b)",
    ),
    statement("wwn", "nit id", "lunid", fits=rf"id(?:(?<=nit id)|(?<=lunid)){_SEPARATOR}{WRAPPED}"),
    statement("wwn", "EUI-64", "NGUID", fits=rf"UI(?:(?<=EUI)-64|D(?<=NGUID)){_SEPARATOR}{REST}"),
    statement("wwn", "SAS address", fits=r"SAS address[ \t]*[=:][ \t]*(?P<v1>(?:0x)?[0-9a-fA-F]{4,32})"),
    # enclosure paths: "id1,enc@n500.../type@0/slot@4/elmdesc@Slot_07"
    statement("wwn", "enc@n", fits=r"enc@n(?P<v1>[0-9a-fA-F]{8,32})"),
    # the forms that are a world-wide name wherever they stand
    statement(
        "wwn",
        "0x",
        fits=r"(?P<v1>0x(?:(?<=wwn-0x)[0-9a-fA-F]{16,32}|5[0-9a-fA-F]{15}(?<!\w.{18})\b))",
    ),
    # "naa." and "eui."; behind "nvme." the serial number in hexadecimal, between the vendor's number and the model
    statement(
        "wwn",
        "naa.",
        "eui.",
        "nvme.",
        fits=(
            r"\.(?:(?<=naa\.|eui\.)(?P<v1>[0-9a-fA-F]{16,32})"
            r"|(?<=nvme\.)[0-9a-f]{4}-(?P<v2>[0-9a-f]{8,80})-[0-9a-f]{2,100})"
        ),
    ),
)
IDENT = "# Disk ident"  # diskinfo states the value first
IDENT_WORDS = sketches(IDENT)

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
TOOLS = (sign("smartctl"), sign("diskinfo"), sign("fio "))
PEOPLE = (
    statement(
        "user",
        "[QUOTE=",
        "[quote=",
        fits=r"\[(?:QUOTE|quote)=[\"']?(?P<v1>[^\s\"',\]\[][^\"',\]\n\[]{0,59}?)(?=[\"',\]]| post)",
    ),
    statement("user", " said:", fits=r"^(?P<v1>[^\s:\[][^\n:\[]{0,39}) said:", flags=re.MULTILINE),
    statement("user", " wrote:", fits=r"^(?P<v1>[^\s:\[,][^\n:\[,]{0,39}) wrote:", flags=re.MULTILINE),
    statement("user", '"', fits=r"data-(?:quote|author|username)=\"(?P<v1>[^\"\n\[]{1,60})"),
    statement("user", "/home/", "/Users/", fits=r"/(?:home|Users)/(?P<v1>[\w][\w.-]{0,31})"),
    statement("user", "\\", fits=r"\\Users\\{1,2}(?P<v1>[\w][\w. -]{0,31}?)(?=[\\>\"\n]|$)"),
    statement("host", "ostname", fits=r"ostname\"?[ \t]*[:=][ \t]*\"?(?P<v1>[\w][\w.-]{0,99})"),
)


def find_sites(plain: Traced) -> list[Site]:
    """Where identifiers are stated, in order and without overlap. Raises ParseError for an absurd number."""
    text, sketched = plain.text, plain.sketch
    return _apart(
        chain(
            find_statements(text, sketched, STATEMENTS),
            find_json_sites(text, sketched),
            find_listed_names(plain),
            _idents(text) if may_hold(sketched, IDENT_WORDS) else (),
            _people(plain),
        )
    )


def find_people(plain: Traced) -> list[Site]:
    """Where hosts and users are named, in the same way."""
    return _apart(_people(plain))


def _people(plain: Traced) -> Iterator[Site]:
    text = plain.text
    yield from find_statements(text, plain.sketch, PEOPLE)
    if "@" in text:
        yield from _user_hosts(text)
    for word, tool in TOOLS:
        if plain.may_hold(word):
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


def _prompts(text: str, tool: re.Pattern[str]) -> Iterator[Site]:
    for found in tool.finditer(text):
        place = found.start()
        line = max(text.rfind("\n", max(place - 200, 0), place) + 1, place - 200, 0)
        match = PROMPT.fullmatch(text, line, place)
        if match is not None:
            for kind in ("host", "user"):
                if match[kind] and match[kind].lower() not in COMMON_USERS:
                    yield Site(*match.span(kind), kind, match[kind])
