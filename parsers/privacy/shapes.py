"""Masking rules for identifiers recognised by their shape, and for keys.

Keys are licence keys, passwords and tokens.
"""

import re

from parsers.privacy.rules import BETWEEN, MARK, Rule, at_line, at_word, by_shape, is_in_capitals, is_strong
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


def _is_ipv6(_match: re.Match[str], value: str) -> bool:
    groups = [group for group in value.split(":") if group]
    if value in ("::", "::1") or len(groups) < 2:
        return False
    return "::" in value or (len(groups) == 8 and LETTER.search(value.lower()) is not None)


def _is_hardware(_match: re.Match[str], value: str) -> bool:
    """Whether bytes are those of an address, not of a date or of nothing."""
    digits = re.sub(r"[^0-9a-f]", "", value.lower())
    return len(set(digits)) > 2 and (":" in value or LETTER.search(digits) is not None)


def _has_letter(_match: re.Match[str], value: str) -> bool:
    return LETTER.search(value.lower()) is not None


_ALONE, _END = r"(?<![0-9a-z])", r"(?![0-9a-z])"
_BYTES = rf"{_HEX}{{2}}(?P<by>[:-]){_HEX}{{2}}(?:(?P=by){_HEX}{{2}})"
_BYTES_END = rf"(?![0-9a-z]|(?P=by){_HEX})"
_MAKERS = ("st", "wd", "ssd", "hu", "mz", "ct")
_MODEL = r"(?:st[0-9]{3,5}[a-z]{2}|wd[0-9]{2,4}|ssd(?:pe|sc|sa|pf)|hu[ashc]|mz[a-z0-9]{3}|ct[0-9]{3})[0-9a-z-]{2,20}"
SHAPE_RULES: tuple[Rule, ...] = (
    # UUIDs; one of version 1 holds the machine's MAC address
    by_shape(
        "wwn",
        "hhhh-hhhh-hhhh-hhhh-h",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}){_END}",
    ),
    by_shape(
        "wwn",
        "h" * 16,
        fits=rf"(?<![0-9a-z])(?<![0-9]\.)(?P<v1>(?:0x)?(?:{_HEX}{{32,33}}|{_HEX}{{16,17}})){_END}",
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
            rf"(?:(?<![0-9a-z])(?:c[0-9]{{1,3}}t|w)|@[gwn]|-exp0x)(?P<v1>(?:[35]{_HEX}{{15}}|6{_HEX}{{31}}))"
            r"(?=d[0-9]{1,3}(?:[ps][0-9]{1,2})?(?![0-9a-z])|[,:/\s-]|\Z)"
        ),
        hint=rf"(?:c[0-9]{{1,3}}t|w|@[gn]|-exp0x){_HEX}{{16}}",
    ),
    # the same in groups: of sas2ircu, smartd, smartctl, enclosures, md, dumps
    by_shape(
        "wwn",
        "hhhhhhh-h-hhhh-hhhh",
        fits=rf"{_ALONE}(?P<v1>[356]{_HEX}{{6}}-{_HEX}-{_HEX}{{4}}-{_HEX}{{4}}){_END}",
    ),
    by_shape(
        "wwn",
        "h-hhhhhh-hhhhhhhhh",
        "h hhhhhh hhhhhhhhh",
        "h.hhhhhh.hhhhhhhhh",
        fits=rf"{_ALONE}(?P<v1>[356][-. ]{_HEX}{{6}}[-. ]{_HEX}{{9}}){_END}",
        accepts=_has_letter,
    ),
    by_shape(
        "wwn",
        "hhhhhh hhhhhhhhhh",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{6}}[ ]{_HEX}{{10}}){_END}",
        accepts=_has_letter,
    ),
    by_shape(
        "wwn",
        *("hhhhhhh:hhhhhhhh", "hhhhhhh-hhhhhhhh", "hhhhhhh hhhhhhhh"),
        fits=rf"{_ALONE}(?P<v1>[356]{_HEX}{{6}}[: -]{_HEX}{{8,9}}){_END}",
        accepts=_has_letter,
    ),
    by_shape(
        "wwn",
        *("hhhh hhhh hhhh hhhh", "hhhh-hhhh-hhhh-hhhh", "hhhh:hhhh:hhhh:hhhh"),
        fits=(
            rf"(?<![0-9a-z:-])(?P<v1>[356]{_HEX}{{3}}(?P<by>[ :-]){_HEX}{{4}}(?:(?P=by){_HEX}{{4}}){{2}})"
            r"(?![0-9a-z:-])"
        ),
        accepts=_has_letter,
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
        "hh hh hh hh hh hh hh hh",
        fits=rf"{_ALONE}(?P<v1>5(?:0 0|c d){_HEX}(?: {_HEX}{{2}}){{6}}){_END}",
        accepts=_has_letter,
    ),
    by_shape(
        "wwn",
        *("hh:hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh-hh"),
        fits=rf"(?<![0-9a-z:-])(?P<v1>{_BYTES}{{6,18}}){_BYTES_END}",
        accepts=_is_hardware,
    ),
    by_shape(
        "address",
        *("hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh"),
        fits=rf"(?<![0-9a-z])(?<![0-9a-f][:-])(?P<v1>{_BYTES}{{4}}){_BYTES_END}",
        accepts=_is_hardware,
    ),
    by_shape(
        "address",
        "hhhh.hhhh.hhhh",
        fits=rf"{_ALONE}(?P<v1>{_HEX}{{4}}\.{_HEX}{{4}}\.{_HEX}{{4}}){_END}",
        accepts=_has_letter,
    ),
    *label_rules("address"),
    at_word("address", "enx", fits=rf"enx(?P<v1>{_HEX}{{12}}){_END}"),
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
    by_shape(
        "address",
        fits=rf"(?<![\w:.])(?P<v1>{_HEX}{{0,4}}(?::{_HEX}{{0,4}}){{2,7}})(?![\w:])",
        hint=rf"::|:{_HEX}{{1,4}}:{_HEX}{{1,4}}:{_HEX}{{1,4}}:{_HEX}{{1,4}}:",
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


KEY_RULES: tuple[Rule, ...] = (
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
    at_word("key", "community ", fits=r"(?<=r[ow])community[ ](?P<v1>[^\s\[]{3,60})"),
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
    at_word("key", "bearer ", fits=r"bearer[ ](?P<v1>[\w+/=.~-]{16,900})"),
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
    at_word("key", "safe", fits=rf"safe[ _-]?id{BETWEEN}(?P<v1>[a-z0-9]{{20,60}})(?![a-z0-9])"),
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
    # licence keys
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>(?=[a-z-]{0,40}[0-9])(?=[0-9-]{0,40}[a-z])[0-9a-z]{5}(?:-[0-9a-z]{5}){3,7})(?![\w-])",
        hint=r"-[0-9a-z]{5}-[0-9a-z]{5}(?![0-9a-z])",
        accepts=is_in_capitals,
    ),
)
