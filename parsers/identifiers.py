"""Where a text states what must not be shown: serial numbers, world-wide names, hosts and users.

Every pattern begins with a literal or ends within a bounded stretch, so the search is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MASK = re.compile(r"\[(serial|wwn|host|user)-([0-9]{1,6})\]")


class Site(NamedTuple):
    """A stretch of the text that states an identifier."""

    start: int
    end: int
    kind: str
    value: str
    label_first: bool = True  # the label stands in front of it, not behind
    is_number: bool = False  # a bare number in JSON


class Statement(NamedTuple):
    """A way in which an identifier is stated: `needle` must be in the text, the groups are the values."""

    needle: str
    pattern: re.Pattern[str]
    kind: str


# The value goes up to the end of the line, or to the next label where line ends were lost; a terminal may have
# wrapped a long one, and then a piece of it stands alone on the line below.
_REST = r"(?P<value>[^\s\"'][^\n\"]{0,199}?)(?=[ \t]*(?:\n|$)|[ \t]*\"|[ \t]+[A-Z][\w /.-]{2,30}:[ \t])"
_PIECE = r"(?:\n(?P<piece>[0-9A-Za-z-]{1,60})(?=\n|$))?"
_SEPARATOR = r"[ \t]*[:=][ \t]*"
_WORD = r"(?P<value>[0-9A-Za-z][\w-]{3,63})"

STATEMENTS = (
    # smartctl and most other tools: "Serial Number:    ..."
    Statement("erial", re.compile(rf"erial[ _-]?[Nn]umber\"?{_SEPARATOR}\"?{_REST}"), "serial"),
    # FreeBSD's boot messages and camcontrol put no colon: "ada0: Serial Number WD-..."
    Statement(
        "erial",
        re.compile(r"erial [Nn]umber[ \t]+(?P<value>(?=[A-Z-]{0,20}[0-9])[0-9A-Z][0-9A-Z-]{5,63})\b"),
        "serial",
    ),
    Statement(
        "erial",
        re.compile(r"erial(?: [Nn]o\.?)?[ \t]*[:=#][ \t]*(?P<value>(?=[A-Za-z-]{0,20}[0-9])[\w-]{5,63})"),
        "serial",
    ),
    Statement("S/N", re.compile(rf"S/N{_SEPARATOR}{_WORD}"), "serial"),
    Statement("SN", re.compile(rf"SN(?<![A-Za-z0-9]SN){_SEPARATOR}{_WORD}"), "serial"),
    Statement("sn ", re.compile(r"^sn[ \t]+:[ \t]+(?P<value>\S{4,40})", re.MULTILINE), "serial"),
    Statement("ident:", re.compile(r"ident:[ \t]+(?P<value>\S{4,40})"), "serial"),
    # names of device nodes that hold the serial number
    Statement(
        "diskid/",
        re.compile(r"diskid/DISK-(?P<value>[^\s/\"',]{1,80}?)(?=(?:[ps][0-9]+)?[\s/\"',]|$)"),
        "serial",
    ),
    Statement(
        "/by-id/",
        re.compile(
            r"/by-id/(?!nvme-eui|wwn-|nvme-nvme)[^\s_/\"']{1,40}(?:_[^\s_/\"']{1,40}){0,8}?_"
            r"(?P<value>[^\s_/\"',]{4,40}?)(?=(?:-part[0-9]+|_[0-9])?(?:[\s/\"',;:)]|$))"
        ),
        "serial",
    ),
    Statement("LU WWN", re.compile(rf"LU WWN Device Id{_SEPARATOR}{_REST}"), "wwn"),
    Statement("nit id", re.compile(rf"nit id{_SEPARATOR}{_REST}{_PIECE}"), "wwn"),
    Statement("EUI-64", re.compile(rf"EUI-64{_SEPARATOR}{_REST}"), "wwn"),
    Statement("NGUID", re.compile(rf"NGUID{_SEPARATOR}{_REST}"), "wwn"),
    Statement("nguid", re.compile(rf"nguid\"?{_SEPARATOR}\"?{_REST}"), "wwn"),
    Statement("eui64", re.compile(rf"eui64[ \t]*:[ \t]*{_REST}"), "wwn"),
    Statement("nit_id", re.compile(r"nit_id\"[ \t]*:[ \t]*\"(?P<value>[^\"\n]{1,200})"), "wwn"),
    Statement(
        "SAS address", re.compile(r"SAS address[ \t]*[=:][ \t]*(?P<value>(?:0x)?[0-9a-fA-F]{4,32})"), "wwn"
    ),
    Statement("as_address", re.compile(r"as_address\"[ \t]*:[ \t]*\"(?P<value>[0-9a-fA-Fx]{4,34})"), "wwn"),
    Statement("WWN", re.compile(r"WWN[ \t]*[:=][ \t]*(?P<value>(?:0x)?[0-9a-fA-F]{16,32})\b"), "wwn"),
    Statement("lunid", re.compile(r"lunid:[ \t]*(?P<value>[0-9a-fA-F]{12,40})"), "wwn"),
    # enclosure paths: "id1,enc@n500.../type@0/slot@4/elmdesc@Slot_07"
    Statement("enc@n", re.compile(r"enc@n(?P<value>[0-9a-fA-F]{8,32})"), "wwn"),
    # the forms that are a world-wide name wherever they stand
    Statement("0x5", re.compile(r"(?P<value>0x5(?<!\w0x5)[0-9a-fA-F]{15})\b"), "wwn"),
    Statement("naa.", re.compile(r"naa\.(?P<value>[0-9a-fA-F]{16,32})"), "wwn"),
    Statement("eui.", re.compile(r"eui\.(?P<value>[0-9a-fA-F]{16,32})"), "wwn"),
    Statement("wwn-", re.compile(r"wwn-(?P<value>0x[0-9a-fA-F]{16,32})"), "wwn"),
    Statement("uuid.", re.compile(r"uuid\.(?P<value>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4})"), "wwn"),
)
# smartctl's JSON gives a world-wide name as numbers, in any order: {"naa": 5, "oui": 3152, "id": 8035000960}.
JSON_NAME = re.compile(r'"(?:wwn|eui64)"\s{0,20}:\s{0,20}\{([^{}]{0,300})')
JSON_NUMBER = re.compile(r'"(naa|oui|id|ext_id)"\s{0,20}:\s{0,20}([0-9]{1,20})\b')
IDENT = "# Disk ident"  # diskinfo states the value first

USER_AT_HOST = re.compile(r"(?<![\w.+/,-])(?P<user>[\w.+-]{1,64})@(?P<host>[\w][\w.-]{0,99})")
# A prompt without a user: "nas1# ", "nas1:~ alice$ ", "storage:~ # ", in front of one of the tools.
PROMPT = re.compile(
    r"(?!\[(?:host|user)-)\[?(?P<host>[\w][\w.-]{1,60})\]?(?::[^\s#$%>]{0,80})?"
    r"(?: (?P<user>[\w][\w.-]{0,31}))?(?: ~)?\]? ?[#$%>] ?"
    r"(?:sudo |doas )?(?:\S{1,60}/)?"
)
TOOLS = ("smartctl", "diskinfo", "fio ")
PEOPLE = (
    Statement("QUOTE=", re.compile(r"\[QUOTE=[\"']?(?P<value>[^\s\"',\]\[][^\"',\]\n\[]{0,59})"), "user"),
    Statement(
        "quote=",
        re.compile(r"\[quote=[\"']?(?P<value>[^\s\"',\]\[][^\"',\]\n\[]{0,59}?)(?=[\"',\]]| post)"),
        "user",
    ),
    Statement(" said:", re.compile(r"^(?P<value>[^\s:\[][^\n:\[]{0,39}) said:", re.MULTILINE), "user"),
    Statement(" wrote:", re.compile(r"^(?P<value>[^\s:\[,][^\n:\[,]{0,39}) wrote:", re.MULTILINE), "user"),
    Statement("data-", re.compile(r"data-(?:quote|author|username)=\"(?P<value>[^\"\n\[]{1,60})"), "user"),
    Statement("/home/", re.compile(r"/home/(?P<value>[\w][\w.-]{0,31})"), "user"),
    Statement("/Users/", re.compile(r"/Users/(?P<value>[\w][\w.-]{0,31})"), "user"),
    Statement("\\Users\\", re.compile(r"\\Users\\{1,2}(?P<value>[\w][\w. -]{0,31}?)(?=[\\>\"\n]|$)"), "user"),
    Statement("ostname", re.compile(r"ostname\"?[ \t]*[:=][ \t]*\"?(?P<value>[\w][\w.-]{0,99})"), "host"),
)
# What names nobody: the administrator, and what is the same on every machine.
COMMON_USERS = frozenset({"root", "admin", "administrator", "user", "truenas_admin", "public"})
# Put in the place of a value by a tool that has none or by a person who hid it.
NO_VALUE = re.compile(
    r"[\W_]*|[0\W_]+|(.)\1*|[Xx*#.?_ -]+|.*\[(?:serial|wwn|host|user)-[0-9]+\].*"
    r"|\W*(?:redacted|removed|hidden|masked|censored|deleted|omitted|private|none|null|n/?a|unknown|s/?n|id|serial"
    r"|serial ?n(?:umber|o)|snip(?:ped)?|not available|no information found|my ?serial)\W*",
    re.IGNORECASE | re.DOTALL,
)
# Of "5 0014ee ..." only the maker is left: six hexadecimal digits name nobody's device.
MIN_NAME_DIGITS = 8


def find_sites(text: str) -> list[Site]:
    """Where identifiers are stated, in order and without overlap."""
    sites = [*_statements(text, STATEMENTS), *_json_names(text), *_idents(text)]
    sites += find_people(text)
    return _apart(sites)


def find_people(text: str) -> list[Site]:
    """Where hosts and users are named."""
    sites = list(_statements(text, PEOPLE))
    if "@" in text:
        sites += _user_hosts(text)
    for tool in TOOLS:
        sites += _prompts(text, tool)
    return sites


def _apart(sites: list[Site]) -> list[Site]:
    """In order; of two that overlap the one that starts first, or the longer one."""
    kept: list[Site] = []
    done = 0
    for site in sorted(sites, key=lambda one: (one.start, -one.end)):
        if site.start >= done:
            kept.append(site)
            done = site.end
    return kept


def _statements(text: str, statements: tuple[Statement, ...]) -> Iterator[Site]:
    for needle, pattern, kind in statements:
        if needle not in text:
            continue
        for match in pattern.finditer(text):
            start, _end = match.span("value")
            value = match["value"].rstrip()
            if _is_value(value, kind):
                piece = match.groupdict().get("piece")
                yield Site(
                    start, match.end("piece") if piece else start + len(value), kind, value + (piece or "")
                )


def _is_value(value: str, kind: str) -> bool:
    if NO_VALUE.fullmatch(value):
        return False
    if kind == "user":
        return value.lower() not in COMMON_USERS
    return kind != "wwn" or sum(character in HEX_DIGITS for character in value) >= MIN_NAME_DIGITS


HEX_DIGITS = frozenset("0123456789abcdefABCDEF")


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


def _idents(text: str) -> Iterator[Site]:
    """The values in front of "# Disk ident."."""
    place = text.find(IDENT)
    while place >= 0:
        line = max(text.rfind("\n", max(place - 120, 0), place) + 1, place - 120, 0)
        before = text[line:place]
        value = before.strip()
        if value and "#" not in value and not NO_VALUE.fullmatch(value):
            start = line + before.index(value)
            yield Site(start, start + len(value), "serial", value, label_first=False)
        place = text.find(IDENT, place + 1)


def _user_hosts(text: str) -> Iterator[Site]:
    for match in USER_AT_HOST.finditer(text):
        host = match["host"].rstrip(".-")
        if match["user"].lower() not in COMMON_USERS:
            yield Site(*match.span("user"), "user", match["user"])
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
