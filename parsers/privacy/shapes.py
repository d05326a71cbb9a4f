"""Masking rules for identifiers recognized by their shape, and for keys.

Keys are license keys, passwords and tokens.
"""

import re

from parsers.privacy.rules import (
    BETWEEN,
    MARK,
    Rule,
    at_line,
    at_word,
    by_run,
    by_shape,
    is_in_capitals,
    is_strong,
)
from parsers.privacy.table import label_rules

_HEX = "[0-9a-f]"
LETTER = re.compile("[a-f]")
DIGIT = re.compile("[0-9]")
# After these words a dotted number is a version
VERSION = re.compile(
    r"(?<![a-z])(?:version|ver|firmware|fw|rev|revision|phase|bios|driver|release|nvdata|package|build|kernel|linux"
    r"|library|lib|api|boot ?block|app|psoc|v|r|smartmontools|zfs|fio)"
    r"[ \t\"'.]{0,3}[:=(-]?[ \t\"'(]{0,20}v?(?:[\w.-]{1,30}[ \t]*,[ \t]*)?\Z"
)
PRIVATE = re.compile(r"10\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|169\.254\.")
NET_LINE = re.compile(r"(?<![\w])(?:tcp|udp|ip)[46]{0,2}[ ]")
NO_ADDRESS = re.compile(r"0\.0\.0\.0|127\.|255\.255\.|(?:.*\.)?0[0-9]")
# Meanings of numbers of 17 to 20 digits that aren't GUIDs
FIGURE_BEFORE = re.compile(
    r"(?:time|stamp|epoch|clock|date|start|end|sec|secs|seconds|_?ns|nsec|usec|bytes?|units?|sectors?|blocks?|count|total|sum"
    r"|written|reads?|writes?|lbas?|offset|timeout|limit|max|min|size|used|avail|available|free|seed|latency|lat|cpu|value|raw"
    r"|cycles|hours|events|rate|iops|bw)[\"'\w]{0,12}[\])]?[ \t:=\"'\[(-]{1,20}(?:0x)?\Z"
)
POOL_WORD = re.compile(
    r"unavail|offline|removed|faulted|degraded|online|avail|inuse|was /dev|guid|vdev|pool|id:|replac|attach|detach"
)
ROW_OF_ATTRIBUTES = re.compile(
    r"[ \t]*[0-9]{1,3}[ \t]+[a-z][\w/-]{3,40}[ \t]+(?:0x[0-9a-f]{4}|[-posrck]{6}[ \t])"
)
LARGEST = 1 << 64
CLOSE_TO_LARGEST = 1 << 40
EPOCH_NS = range(13 * 10**17, 23 * 10**17)
LONGEST_CONTEXT = 60
SIZES = re.compile(r"\d{1,8}b-\d{1,8}b")  # fio's "16384B-16384B"
FEWEST_DIGITS = 5  # of what is in groups: more would be words
SHORTEST_RANDOM, LONGEST_UNMIXED = 18, 26  # letters and digits of a token
NOT_HEX = re.compile(r"[G-Zg-z]")
FEWEST_TURNS = 0.3  # in a token, for each of its letters: half as many as at random
FEWEST_GROUPS = 4  # of an IPv6 address
GLOBAL = re.compile(r"(?:[23][0-9a-f]|f[cde])[0-9a-f]{2}")  # its first group


def _line_before(match: re.Match[str], start: int) -> str:
    begin = max(match.string.rfind("\n", max(start - 200, 0), start) + 1, start - 200, 0)
    return match.string[begin:start]


def _line_behind(match: re.Match[str], end: int) -> str:
    behind = match.string[end : end + 100]
    return behind.partition("\n")[0]


def _is_name(_match: re.Match[str], value: str) -> bool:
    """Whether 16 or more hexadecimal digits are a world-wide name.

    Others are numbers, addresses in memory or counters.
    """
    digits = value.lower().removeprefix("0x")
    if digits.isdigit():
        is_naa = digits.startswith(("50", "350")) or (value != digits and digits[0] in "356")
        return len(digits) in (16, 17, 32, 33) and (is_naa or len(digits) > 20)
    if len(digits) in (17, 33):
        return digits[0] == "3"
    return not digits.startswith(("000000", "ffff")) and DIGIT.search(digits) is not None


def _is_guid(match: re.Match[str], value: str) -> bool:
    """Whether 17 to 20 digits are the GUID of a pool or device.

    Others are a time, a counter or a limit.
    """
    number = int(value)
    if (
        number >= LARGEST
        or LARGEST - number < CLOSE_TO_LARGEST
        or not number & (number + 1)
        or not number & (number - 1)
    ):
        return False
    before = _line_before(match, match.start("v1"))
    is_of_pool = POOL_WORD.search(before) or POOL_WORD.search(_line_behind(match, match.end("v1")))
    if number in EPOCH_NS or FIGURE_BEFORE.search(before):
        return is_of_pool is not None and not FIGURE_BEFORE.search(before)
    return ROW_OF_ATTRIBUTES.match(before) is None and not before.rstrip().endswith('":')


def _is_address(match: re.Match[str], value: str) -> bool:
    """Whether four numbers are an IPv4 address, not a version."""
    if NO_ADDRESS.match(value) or any(int(part) > 255 for part in value.split(".")):
        return False
    start, end = match.span("v1")
    before = _line_before(match, start)[-LONGEST_CONTEXT:]
    if VERSION.search(before):
        return False
    is_joined = before.endswith("-") or match.string[end : end + 1] in ("-", "_")
    return not is_joined or PRIVATE.match(value) is not None


def _is_endpoint(match: re.Match[str], value: str) -> bool:
    """Whether it is an address with a port: of netstat or tcpdump, or private."""
    is_of_net = NET_LINE.search(_line_before(match, match.start("v1"))) is not None
    return _is_address(match, value) and (is_of_net or PRIVATE.match(value) is not None)


def _is_address_or_endpoint(match: re.Match[str], value: str) -> bool:
    """Whether it is an address, or an address with a port as its fifth part."""
    behind = match.string[match.end("v1") : match.end("v1") + 2]
    has_port = behind[:1] == "." and behind[1:].isdigit()
    return _is_endpoint(match, value) if has_port else _is_address(match, value)


def _is_ipv6(match: re.Match[str], value: str) -> bool:
    """Whether groups are an IPv6 address, or one that netstat cut off; not a time or what is the same everywhere."""
    groups = [group for group in value.lower().split(":") if group]
    if value in ("::", "::1") or not groups or (value[0] == ":" != value[1]):
        return False  # fields of other lists begin with a single colon
    if len(groups) == 1:
        return match.string[match.end("v1") : match.end("v1") + 1] == "%"
    if "::" in value:
        return True
    is_cut = len(groups) >= FEWEST_GROUPS and GLOBAL.match(groups[0]) is not None
    return (is_cut or len(groups) == 8) and LETTER.search(value.lower()) is not None


def _is_hardware(_match: re.Match[str], value: str) -> bool:
    """Whether bytes are those of an address, not of a date or of nothing."""
    digits = re.sub(r"[^0-9a-f]", "", value.lower())
    return len(set(digits)) > 2 and (":" in value or LETTER.search(digits) is not None)


def _are_bytes_of_name(_match: re.Match[str], value: str) -> bool:
    """Whether bytes begin like a world-wide name."""
    digits = re.sub(r"[^0-9a-f]", "", value.lower().replace("0x", ""))
    return (
        digits.startswith(("500", "5cd", "58c", *map("".join, _MAKER_BYTES)))
        and LETTER.search(digits) is not None
    )


def _is_hardware_in_words(_match: re.Match[str], value: str) -> bool:
    """Whether three groups, or two, are a MAC address: with letters and digits enough, not a word and not a date."""
    has_digits = "." in value or sum(map(str.isdigit, value)) >= FEWEST_DIGITS
    return has_digits and not SIZES.fullmatch(value.lower()) and LETTER.search(value.lower()) is not None


def _has_letter(_match: re.Match[str], value: str) -> bool:
    return LETTER.search(value.lower()) is not None


# Behind a letter of an escape as well: "\n", systemd's "\x2d", "%3d" of a web address
_ALONE = r"(?:(?<![0-9a-z])|(?<=\\[nrt])|(?<=\\x2[df])|(?<=%[23][0-9a-f]))"
_END = r"(?![0-9a-z])"
_DASH = r"(?:[-_ ]|\\x2d|%2d)"
_BYTES = rf"{_HEX}{{2}}(?P<by>[:-]){_HEX}{{2}}(?:(?P=by){_HEX}{{2}})"
_BYTES_END = rf"(?![0-9a-z]|(?P=by){_HEX})"
# Numbers of makers, which begin an EUI-64, and end one whose bytes are stored in the other order
_MAKER_BYTES = (
    ("00", "25", "38"),
    ("00", "14", "ee"),
    ("00", "1b", "44"),
    ("00", "a0", "75"),
    ("5c", "d2", "e4"),
    ("64", "79", "a7"),
    ("8c", "e3", "8e"),
    ("ac", "e4", "2e"),
    ("e8", "23", "8f"),
)
_EUI_BYTES = "|".join(" ".join(maker) for maker in _MAKER_BYTES)
_EUI_REVERSED = "|".join(" ".join(reversed(maker)) for maker in _MAKER_BYTES)
_MAKERS = ("st", "wd", "ssd", "hu", "mz", "ct")
_MODEL = r"(?:st[0-9]{3,5}[a-z]{2}|wd[0-9]{2,4}|ssd(?:pe|sc|sa|pf)|hu[ashc]|mz[a-z0-9]{3}|ct[0-9]{3})[0-9a-z-]{2,20}"
_PARTS_MOST = 5
# How world-wide names begin: the form and the first digits of the maker's number
_NAMES_BEGIN = (
    *("500", "50 0", "50-0", "50:0", "50_0", "50.0", "5 00", "5-00", "5.00"),
    *("55c", "5 5c", "5-5c", "58c", "5 8c", "5ac"),
    *("600", "60 0", "60-0", "60:0", "6 00", "6d0", "350", "35 0"),
)


def _is_parted_name(_match: re.Match[str], value: str) -> bool:
    """Whether 16 hexadecimal digits in groups are a world-wide name, not a date or numbers in a row."""
    groups = re.split(r"[^0-9a-f]{1,2}", value.lower())
    digits = "".join(groups)
    if not LETTER.search(digits) or sum(map(str.isdigit, digits)) < FEWEST_DIGITS or "dec" in groups:
        return False
    if set(map(len, groups)) == {2}:
        return digits.startswith(("500", "5cd", "58c")) and " " in value and digits[1:7] != "000000"
    is_alike = len(set(re.findall("[^0-9a-f]", value.lower()))) == 1
    return is_alike and 1 < len(groups) <= _PARTS_MOST and max(map(len, groups)) >= 4


SHAPE_RULES: tuple[Rule, ...] = (
    # UUIDs; one of version 1 holds the machine's MAC address
    by_shape(
        "wwn",
        *(
            "hhhh-hhhh-hhhh-hhhh-h",
            "hhhh_hhhh_hhhh_hhhh_h",
            "hhhh hhhh hhhh hhhh h",
            "hhhh\\xhhhhhh\\xhh",
            "hhhh%hhhhhh%hh",
        ),
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{8}}(?:{_DASH}{_HEX}{{4}}){{3}}{_DASH}{_HEX}{{12}}){_END}",
    ),
    by_shape(
        "wwn",
        "h" * 16,
        fits=rf"(?=0x|{_HEX}{{16}}){_ALONE}(?<![0-9]\.)(?P<v1>(?:0x)?(?:{_HEX}{{32,33}}|{_HEX}{{16,17}})){_END}",
        accepts=_is_name,
    ),
    by_shape(
        "wwn",
        "h" * 17,
        fits=r"(?<![0-9a-z_])(?<![0-9][.,])(?P<v1>[0-9]{17,20})(?![0-9a-z_]|[.,][0-9])",
        accepts=_is_guid,
    ),
    # within the names of devices of illumos and udev: "c0t5000…d0", "disk@w5000…,0", "sas-exp0x5000…-phy4"
    by_shape(
        "wwn",
        "h" * 16,
        fits=(
            rf"(?:(?<![0-9a-z])(?:c[0-9]{{1,3}}t|w)|@[gwn]|-exp0x)(?P<v1>{_HEX}{{16}}|6{_HEX}{{31}})"
            r"(?=d[0-9]{1,3}(?:[ps][0-9]{1,2})?(?![0-9a-z])|[^0-9a-z]|\Z)"
        ),
        hint=rf"(?:c[0-9]{{1,3}}t|w|@[gn]|-exp0x){_HEX}{{16}}",
    ),
    # in groups: of smartctl, sas2ircu, enclosures, stickers, dumps
    at_word(
        "wwn",
        *_NAMES_BEGIN,
        fits=(
            rf"(?:{_ALONE}|(?<=0x))(?<![0-9][:-])(?<![0-9a-f]{{2}}[:-])"
            rf"(?P<v1>[356](?:(?:[ ]{{1,2}}|[\t:._-])?{_HEX}){{15}})"
            rf"(?![0-9a-z]|-{_HEX}|:{_HEX}{{4}})"
        ),
        accepts=_is_parted_name,
    ),
    by_shape(
        "wwn",
        "hhhhhh hhhhhhhhhh",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{6}}[ ]{_HEX}{{10}}){_END}",
        accepts=_has_letter,
    ),
    # an EUI-64 or NGUID in bytes
    by_shape(
        "wwn",
        "hh hh hh hh hh hh hh hh",
        fits=(
            rf"{_ALONE}(?P<v1>(?:{_EUI_BYTES})(?: {{1,2}}{_HEX}{{2}}){{5}}"
            rf"|{_HEX}{{2}}(?: {_HEX}{{2}}){{4}} (?:{_EUI_REVERSED})){_END}"
        ),
    ),
    # a name whose bytes are swapped in pairs, in a dump of what an ATA device tells of itself
    at_word(
        "wwn",
        *("00 50 ", "01 50 ", "d2 5c "),
        fits=rf"{_ALONE}(?P<v1>(?:0[01] 50|d2 5c)(?: {{1,2}}(?!00){_HEX}{{2}}){{6}}){_END}",
        accepts=_has_letter,
    ),
    # of Windows, a device's place behind its maker's name; of FAT, in a unit of systemd
    by_shape(
        "wwn",
        fits=r"(?<![0-9a-z])(?P<v1>[0-9a-f]&[0-9a-f]{6,8}&[0-9a-f]&[0-9a-f]{6})(?![0-9a-z])",
        hint="&[0-9a-f]{6,8}&[0-9a-f]&",
    ),
    at_word("wwn", "uuid-", fits=rf"uuid-(?P<v1>{_HEX}{{4,8}}\\x2d{_HEX}{{2,4}}){_END}"),
    # the parts that smartctl prints in YAML and assignments, and others of its JSON
    at_word(
        "wwn",
        "oui",
        fits=(
            r"oui'?\]?[ ]{0,4}[:=][ ]{0,4}'?(?:0x)?[0-9a-f]{1,8}[\s,;']{1,40}(?:[\w.\[\]]{1,60}\.)?'?(?:ext_)?id'?"
            r"[ ]{0,4}[:=][ ]{0,4}'?(?P<v1>0x[0-9a-f]{6,12}|[0-9]{8,20})(?![0-9a-z])"
        ),
    ),
    # a machine's of VMware, in 16 bytes
    by_shape(
        "wwn",
        "hh hh hh-hh hh hh",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{2}}(?: {_HEX}{{2}}){{7}}-{_HEX}{{2}}(?: {_HEX}{{2}}){{7}}){_END}",
    ),
    # in the pages of SCSI: the head of a designator, and 8 or 16 bytes
    at_word(
        "wwn",
        *("03 00 08 ", "93 00 08 ", "a3 00 08 ", "02 00 08 ", "03 00 10 "),
        fits=(
            r"[0-9a]?[23] 00 (?:08|10) {1,2}"
            rf"(?P<v1>[2356]{_HEX}(?: {{1,2}}{_HEX}{{2}}){{7}}(?:(?: {{1,2}}{_HEX}{{2}}){{8}})?)"
        ),
        accepts=_has_letter,
    ),
    # bytes in the notation of C
    at_word(
        "wwn",
        *("0x50,", "\\x50", "0x5c,", "\\x5c", "0x00,", "\\x00"),
        fits=r"(?P<v1>(?:0x|\\x)(?:5[0c8]|00)(?:,?[ ]?(?:0x|\\x)[0-9a-f]{2}){7,15})(?![0-9a-z,\\])",
        accepts=_are_bytes_of_name,
    ),
    # the serial number of an NVMe device as Windows shows it
    by_shape(
        "serial",
        "hhhh_hhhh_hhhh_hhhh",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{4}}(?:_{_HEX}{{4}}){{3,7}}){_END}",
    ),
    # a maker's model, and in brackets, in quotes or behind a sign a serial number
    at_word(
        "serial",
        *_MAKERS,
        fits=(
            rf"(?<![0-9a-z]){_MODEL}[ ]?[(\[<\"'#/]{{1,2}}[ ]?(?P<v1>(?=[a-z]{{0,20}}[0-9])[0-9a-z]{{8,20}})"
            r"(?![0-9a-z])"
        ),
        accepts=is_strong,
    ),
    # a row of a table without its head: the device, a maker's model, and last what is no word
    at_line(
        "serial",
        *("nvme", "nvd", "da", "sd"),
        fits=(
            r"[ \t]*(?:/dev/)?(?:sd[a-z]{1,2}|nvme[0-9]n[0-9]|a?da[0-9]{1,3}|nvd[0-9])[ \t][^\n]{0,80}?"
            rf"(?<![0-9a-z]){_MODEL}[ \t]{{1,40}}(?P<v1>(?=[a-z]{{0,20}}[0-9])[0-9a-z]{{8,20}})[ \t]*$"
        ),
        accepts=is_strong,
    ),
    by_shape("wwn", "hhhhhhhh:hhhhhhhh", fits=rf"{_ALONE}(?P<v1>{_HEX}{{8}}(?::{_HEX}{{8}}){{3}}){_END}"),
    by_shape(
        "wwn",
        *("hh:hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh-hh"),
        fits=rf"(?<![0-9a-z:-])(?P<v1>{_BYTES}{{5,62}}){_BYTES_END}",
        accepts=_is_hardware,
    ),
    by_shape(
        "address",
        *("hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh"),
        fits=rf"(?<![0-9a-z])(?<![0-9a-f][:-])(?P<v1>{_BYTES}{{4}}){_BYTES_END}",
        accepts=_is_hardware,
    ),
    # of Cisco and Huawei, HPE and ProCurve
    by_shape(
        "address",
        *("hhhh.hhhh.hhhh", "hhhh-hhhh-hhhh", "hhhhhh-hhhhhh"),
        fits=(
            rf"(?<![0-9a-z.-])(?P<v1>{_HEX}{{4}}(?P<by>[.-]){_HEX}{{4}}(?P=by){_HEX}{{4}}|{_HEX}{{6}}-{_HEX}{{6}})"
            r"(?![0-9a-z]|[.-][0-9a-z])"
        ),
        accepts=_is_hardware_in_words,
    ),
    # of the BSDs, illumos and macOS, without leading zeros
    by_shape(
        "address",
        fits=rf"(?<![\w:.])(?P<v1>{_HEX}{{1,2}}(?::{_HEX}{{1,2}}){{5}})(?![\w:])",
        hint=rf":{_HEX}{{1,2}}:{_HEX}{{1,2}}:{_HEX}{{1,2}}:{_HEX}{{1,2}}:",
        accepts=_has_letter,
    ),
    *label_rules("address"),
    # names of interfaces, and UEFI's path of a device
    at_word(
        "address",
        *("enx", "wlx", "mac(", "br-"),
        fits=rf"(?<![\w-])(?:enx|wlx|mac\(|br-)(?P<v1>{_HEX}{{12}}){_END}",
    ),
    # perhaps with a port, as netstat of the BSDs has it
    by_shape(
        "address",
        *(".h.h", ".hh.h", ".hhh.h"),
        fits=(
            r"(?<![\w.])(?P<v1>[0-9]{1,3}(?:\.[0-9]{1,3}){3})"
            r"(?:(?![0-9a-z]|\.[0-9])|(?=\.[0-9]{1,5}(?:[\s:>)]|\Z)))"
        ),
        hint=r"\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]",
        accepts=_is_address_or_endpoint,
    ),
    # names for the way back, and addresses that nobody is to click on
    by_shape("address", fits=r"(?<!\w)(?P<v1>[0-9a-f](?:\.[0-9a-f]){7,31})(?=\.ip6)", hint=r"\.ip6\.arpa"),
    by_shape("address", fits=r"(?<!\w)(?P<v1>[0-9]{1,3}(?:\[\.\][0-9]{1,3}){3})(?!\w)", hint=r"\[\.\][0-9]"),
    # a private network: "192.168.7.", "192.168.7.x", "192.168.7/24"
    at_word(
        "address",
        *("192.168.", "10.", "172."),
        fits=(
            r"(?<![\w.-])(?P<v1>(?:192\.168|10\.[0-9]{1,3}|172\.(?:1[6-9]|2[0-9]|3[01]))\.[0-9]{1,3})"
            r"(?=\.(?:[x*_]|[ ][0-9/]|/[0-9])|/[12][0-9](?![0-9]))"
        ),
    ),
    # the name of a line of a provider
    by_shape(
        "host",
        "h-h",
        fits=r"(?<![\w.-])(?P<v1>[a-z]{0,8}-?[0-9]{1,3}(?:-[0-9]{1,3}){3}(?:\.[a-z][\w-]{1,40}){1,6})(?![\w-])",
        hint=r"-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}\.[a-z]",
    ),
    by_shape(
        "address",
        fits=(
            rf"(?:(?<![\w:.])|(?<=ipv6:))(?P<v1>{_HEX}{{0,4}}(?::{_HEX}{{0,4}}){{2,7}})"
            r"(?:(?![\w:])|(?=:[0-9]{5}(?![\w:])))"
        ),
        hint=rf"::|:{_HEX}{{1,4}}:{_HEX}{{1,4}}:{_HEX}",
        accepts=_is_ipv6,
    ),
    # serial numbers of Intel and Solidigm, Samsung, Western Digital
    at_word(
        "serial",
        *("ph", "bt", "cv"),
        fits=rf"{_ALONE}(?P<v1>(?:ph|bt|cv)[a-z0-9]{{2}}[0-9]{{4}}[0-9a-z]{{6,10}}){_END}",
        accepts=is_in_capitals,
    ),
    by_shape(
        "serial",
        fits=rf"{_ALONE}(?P<v1>s[1-9][0-9a-z]{{2}}n[0-9a-z]{{3,4}}[0-9]{{5,6}}[a-z]?){_END}",
        hint=r"s[1-9][0-9a-z]{2}n[0-9a-z]{8}",
        accepts=is_in_capitals,
    ),
    at_word(
        "serial", "wd-", fits=rf"{_ALONE}(?P<v1>wd-[a-z][0-9a-z]{{10,12}}){_END}", accepts=is_in_capitals
    ),
)


def _is_encoded(_match: re.Match[str], value: str) -> bool:
    """Whether it has figures, small letters and capitals, as base64 does."""
    return not value.islower() and not value.isupper() and any(map(str.isdigit, value))


def _is_random(_match: re.Match[str], value: str) -> bool:
    """Whether its letters and digits take turns as no name's do; in one case only, it has to be longer."""
    longest = max(re.findall(r"[0-9A-Za-z]+", value), key=len, default="")
    is_in_one_case = longest.islower() or longest.isupper()
    if (
        len(longest) < (LONGEST_UNMIXED if is_in_one_case else SHORTEST_RANDOM)
        or NOT_HEX.search(longest) is None
    ):
        return False
    turns = len(re.findall(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]", longest))
    return DIGIT.search(longest) is not None and turns >= len(longest) * FEWEST_TURNS


KEY_RULES: tuple[Rule, ...] = (
    at_word(
        "host",
        *("hostid", "host id"),
        fits=(
            rf"host[ ]?id{MARK}{{1,20}}"
            rf"(?P<v1>(?:0x)?{_HEX}{{6,16}}|{_HEX}{{4}}[ ]{_HEX}{{4}})(?![0-9a-z]|-[0-9a-z])"
        ),
    ),
    at_word(
        "key",
        *(
            "licen",
            "product",
            "registration",
            "activation",
            "cd",
            "subscription",
            "support key",
            "lizenz",
            *("raid key", "serial key"),
        ),
        fits=(
            r"(?:licen[cs]e|product|registration|activation|cd|subscription|support|volume|lizenz"
            r"|raid|serial|premium|feature)"
            rf"[ _-]?(?:key|code|schlüssel){BETWEEN}"
            r"(?P<v1>(?=[\w-]{0,60}[0-9])[a-z0-9][\w-]{7,80})"
        ),
    ),
    at_word(
        "key",
        "licen",
        fits=(
            rf"licen[cs]e(?:[ _-](?:id|number|no\.?|code))?[ ]?[:=]{MARK}{{0,10}}"
            r"(?P<v1>(?=[\w-]{0,60}[0-9])[a-z0-9]{2,12}(?:-[a-z0-9]{2,12}){2,9})"
        ),
    ),
    *label_rules("key"),
    at_word("key", "pass=", "password=", fits=r"pass(?:word)?=(?P<v1>[^\s,;&\"'\[]{4,100})"),
    at_word(
        "key",
        "sedutil-cli ",
        fits=r"sedutil-cli[ ]--\w{4,60}[ ](?P<v1>[^\s/\[]{4,60})[ ](?:\S{1,60}[ ])?/dev/",
    ),
    at_word("key", "ssid", fits=r"(?<![a-z])ssid[\"']?[ ]?[:=][ ]?\"?(?P<v1>[^\s\"][^\"\n]{2,40})"),
    # any other key that is long enough to be one
    at_word(
        "key",
        "key",
        fits=(
            r"key[\"']?[ ]{0,4}[:=][ ]{0,4}[\"']?"
            r"(?P<v1>(?=[\w+/=.:-]{0,60}[0-9])(?=[^a-z\s]{0,60}[a-z])[\w+/=.:-]{24,400})"
        ),
    ),
    # tokens of well-known services, and lines of a private key
    at_word(
        "key",
        *("ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "tskey-", "akia"),
        fits=(
            r"(?<![\w-])(?:gh[pos]_|github_pat_|glpat-|xox[bp]-|tskey-|akia)"
            r"(?P<v1>(?=[a-z_-]{0,60}[0-9])[\w-]{16,200})"
        ),
    ),
    by_shape(
        "key",
        fits=r"^[ \t]{0,8}(?P<v1>[0-9a-z+/]{60,76}={0,2})[ \t]*$",
        hint="private key-----",
        accepts=_is_encoded,
    ),
    at_word("key", "eyj", fits=r"(?<![\w+/])(?P<v1>eyj[\w-]{10,400}\.[\w-]{10,900}\.[\w-]{10,900})"),
    at_word("key", "-u ", fits=r"(?<![\w-])-u[ ]\S{1,40}[ ]-p[ ](?P<v1>\S{4,60})"),
    # of a Windows account or machine
    at_word("key", "s-1-5-21-", fits=r"(?<![\w-])(?P<v1>s-1-5-21(?:-[0-9]{3,10}){3,4})(?![\w-])"),
    at_line(
        "key",
        "key:",
        fits=(
            r"[ \t]*key:[ ]{1,20}(?P<v1>(?=[a-z-]{0,60}[0-9])[a-z0-9]{3,12}(?:-[a-z0-9]{4,40}){1,9})"
            r"[ \t]*$"
        ),
    ),
    at_word(
        "key",
        *("ssh-", "ecdsa-"),
        fits=r"(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-[\w-]{1,20})[ ](?P<v1>aaaa[\w+/=]{20,900})",
    ),
    at_word("key", "sha256:", fits=r"sha256:(?P<v1>[\w+/]{40,50})"),
    at_word("key", "md5:", fits=r"md5:(?P<v1>[0-9a-f]{2}(?::[0-9a-f]{2}){15})"),
    # license keys
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>(?=[a-z-]{0,40}[0-9])(?=[0-9-]{0,40}[a-z])[0-9a-z]{5}(?:-[0-9a-z]{5}){3,7})(?![\w-])",
        hint=r"-[0-9a-z]{5}-[0-9a-z]{5}(?![0-9a-z])",
        accepts=is_in_capitals,
    ),
    by_shape(
        "key",
        fits=r"^[ \t]{0,8}(?P<v1>[0-9a-z+/]{4,76}={0,2})(?=[ \t]{0,8}\n[ \t]{0,8}-----end)",
        hint="private key-----",
    ),
    # hashes of passwords
    at_word(
        "key",
        "$",
        fits=r"(?P<v1>\$(?:[0-9]|2[aby]|y|argon2[a-z]{1,2})\$[^\s:;\"'<>]{12,300})",
    ),
    # recovery keys of BitLocker, tokens that resume a replication, keys of Proxmox
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>[0-9]{6}(?:-[0-9]{6}){7})(?![\w-])",
        hint=r"-[0-9]{6}-[0-9]{6}-[0-9]{6}",
    ),
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>1-[0-9a-f]{6,16}-[0-9a-f]{1,6}-789c[0-9a-f]{20,4000})",
        hint="-789c[0-9a-f]{20}",
    ),
    at_word(
        "key",
        *("pve", "pbs", "pmg"),
        fits=r"(?<![\w-])(?P<v1>(?:pve[0-9]{0,2}|pbs|pmg)[a-z]-[0-9a-f]{10})(?![\w-])",
    ),
    # bytes of a dump of LUKS, on several lines
    at_word(
        "key",
        *("salt:", "digest:"),
        fits=r"(?:salt|digest):[ \t]{1,20}(?P<v1>[0-9a-f]{2}(?:\s{1,30}[0-9a-f]{2}){7,63})(?![\w:])",
    ),
    at_word(
        "key",
        *("fingerprint", "thumbprint"),
        fits=(
            r"(?:finger|thumb)print(?:[ ](?:is|of|for)(?:[ ][\w-]{1,20}){0,3})?[\"']?[ ]{0,20}[:=]?[ ]{0,20}[\"']?"
            r"(?P<v1>[0-9a-f]{2}(?:[: ]?[0-9a-f]{2}){15,31})(?![0-9a-z])"
        ),
    ),
    at_word(
        "key",
        "age1",
        "age-secret-key-1",
        fits=r"(?<![\w-])age(?:-secret-key-)?(?P<v1>1[0-9a-z]{50,70})(?!\w)",
    ),
    at_word("wwn", "lvm-", fits=rf"lvm-(?P<v1>[0-9a-z]{{32}}(?:[0-9a-z]{{32}})?){_END}"),
)


RANDOM_RULES: tuple[Rule, ...] = (
    # base64, and tokens of services
    by_shape(
        "key",
        fits=r"(?<![\w+/=])(?P<v1>[0-9a-z+/]{22,400}={1,2})(?![\w=])",
        hint=r"=(?<=[0-9a-z+/]{22}=)",
        accepts=_is_encoded,
    ),
    by_run(
        "key",
        SHORTEST_RANDOM,
        fits=r"(?<![\w+%-])(?<!store/)(?P<v1>[0-9a-z][\w+-]{17,400})",
        accepts=_is_random,
    ),
)
