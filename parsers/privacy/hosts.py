"""How a text names a machine: prompts, logs, mounts, greetings, commands, labels."""

import re

from parsers.privacy.pools import HD_SIZE
from parsers.privacy.rules import (
    HOST,
    REST,
    SEPARATOR,
    Rule,
    at_hint,
    at_line,
    at_word,
    by_shape,
    in_lines,
    is_name,
)
from parsers.privacy.table import label_rules
from parsers.privacy.words import COMMANDS, COMMON_WORDS, NO_NAME, PUBLIC_DOMAINS, SYSTEMS

# The same, or one that begins with figures
ANY_HOST = rf"(?:{HOST}|\d{{1,6}}[a-z][\w-]{{1,60}}(?:\.[\w-]{{1,63}}){{0,6}})"
LOCAL = (
    *(
        ".local",
        ".lan",
        ".localdomain",
        ".localnet",
        ".home.arpa",
        ".internal",
        ".intranet",
        ".intra",
        ".private",
    ),
    ".fritz.box",
    # of those who reach their machine from outside
    *(
        ".ts.net",
        ".synology.me",
        ".myqnapcloud.com",
        ".duckdns.org",
        ".dyndns.org",
        ".ddns.net",
        ".myfritz.net",
    ),
)
# Domains of organizations. A name with this many parts below one of them is a machine's, except on public sites
_TLD = (
    "com|net|org|edu|gov|info|biz|cloud|dev|eu|de|at|ch|li|nl|be|lu|fr|uk|ie|it|es|pt|pl|cz|sk|hu|ro|bg|gr|ru|ua|by|lt|lv"
    "|ee|fi|se|no|dk|tr|il|cn|jp|kr|tw|hk|sg|au|nz|za|br|mx|ar|cl|ca|us"
)
_SHARED = re.compile(r"(?:co|com|org|net|ac|gov|gv|or|ne|edu)\.[a-z]{2}")  # "co.uk" is nobody's domain
_REVERSED = (
    "com.",
    "org.",
    "net.",
    "io.",
    "de.",
    "nqn.",
    "iqn.",
    "www.",
)  # names of properties, of NVMe and iSCSI
COMMAND = re.compile(r"(?P<name>[a-z_][a-z0-9_-]{0,30})(?![\w.:=/-])|\./\w")
PATH = re.compile(r"[\]):|\[ ]{0,2}[~/][^\n]*[#$%>] ?$")
ACCOUNT = re.compile(r":[x*!]?:\d{1,7}:\d{1,7}:[^\n:]*$")
DAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d*")
ARGUMENT = re.compile(r"(?:[ ][a-z0-9_]{1,20}){0,3}[ ](?:-{1,2}[a-z]|[~.]{0,2}/[a-z])")
FAMILIES = ("mega", "sg_", "sas2", "sas3", "storcli", "perccli", "python", "iperf")


def _is_not_word(match: re.Match[str], value: str) -> bool:
    """Whether a word is a name even where words of a sentence are common."""
    return value.lower() not in COMMON_WORDS and is_name(match, value)


def _is_no_system(match: re.Match[str], value: str) -> bool:
    return not value.lower().startswith(tuple(SYSTEMS)) and is_name(match, value)


def _is_not_placeholder(match: re.Match[str], value: str) -> bool:
    """Whether it is no placeholder in a list of options."""
    return not value.isupper() and _is_not_word(match, value)


def _is_mounted(match: re.Match[str], value: str) -> bool:
    """Whether it isn't a surname in the file of accounts."""
    return (
        is_name(match, value)
        and ACCOUNT.search(match.string, max(match.start() - 60, 0), match.start()) is None
    )


def _is_mounted_here(match: re.Match[str], value: str) -> bool:
    """Whether a word in front of any path names a host that shares it."""
    return value.lower() not in COMMANDS and _is_not_word(match, value) and _is_mounted(match, value)


def _is_no_day(match: re.Match[str], value: str) -> bool:
    return DAY.fullmatch(value.lower()) is None and is_name(match, value)


def _is_of_home(_match: re.Match[str], value: str) -> bool:
    """Whether a host in an address is one of a private network."""
    name = value.lower()
    return name not in NO_NAME and ("." not in name or name.endswith(LOCAL))


def _is_machine(_match: re.Match[str], value: str) -> bool:
    """Whether a name of several parts is a machine's, not a domain's, a property's or a public site's."""
    name = value.lower()
    domain = ".".join(name.split(".")[-2:])
    if _SHARED.fullmatch(domain):
        return name.count(".") > 2  # "nas.example.co.uk"
    return not name.startswith(_REVERSED) and domain not in PUBLIC_DOMAINS


def _is_at_prompt(match: re.Match[str], value: str) -> bool:
    """Whether a command follows the prompt: a known one, or one with arguments."""
    command = COMMAND.match(match.string, match.end())
    if command is None or not is_name(match, value):
        return match.string.startswith("# ", match.end()) and _is_not_word(match, value)
    name = command["name"]
    if name is None or name in COMMANDS or name.startswith(FAMILIES):
        return True
    if not _is_not_word(match, value):
        return False
    behind = match.string[match.end("v1") : match.end()]
    return PATH.match(behind) is not None or (
        behind[0] in "#$>" and ARGUMENT.match(match.string, command.end()) is not None
    )


def _is_beside_address(match: re.Match[str], value: str) -> bool:
    """Whether a word in front of an address is a machine's name, and the address no version."""
    name = value.lower()
    before = match.string[max(match.start() - 24, 0) : match.start()]
    return not (INTERFACE.fullmatch(name) or VERSION.search(before) or name in NO_MACHINE) and _is_not_word(
        match, value
    )


def _is_end_of_name(match: re.Match[str], value: str) -> bool:
    """Whether the end of an NQN or IQN names a machine; makers put models there."""
    return (
        MAKER.search(match[0]) is None
        and not value.lower().startswith(("cnode", "subsys", "target", "disk", "lun", "nvme", "test"))
        and _is_not_word(match, value)
    )


def _is_no_authority(match: re.Match[str], value: str) -> bool:
    """Whether it isn't the part of Windows in the place of a machine or domain."""
    return value.lower() not in ("builtin", "authority", "autorite", "service", "nt-autorität") and is_name(
        match, value
    )


def _is_extension(match: re.Match[str], value: str) -> bool:
    """Whether it isn't what a mail server can do."""
    return "." in value and is_name(match, value)


def _is_of_subject(match: re.Match[str], value: str) -> bool:
    """Whether it isn't what a subject says of the mail itself."""
    return (
        value.lower() not in NO_SUBJECT
        and not value.isdigit()
        and _is_no_system(match, value)
        and _is_not_word(match, value)
    )


_ADDRESSES = (".h.", ".hh.", ".hhh.")  # the shapes in one
_IPV4 = r"(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}"
INTERFACE = re.compile(
    r"(?:eth|en[opsx]|wl[opsx]|wlan|br|vmbr|virbr|docker|veth|tap|tun|wg|bond|team|lagg|vlan|igb|igc|em|ix|ixl|ixgbe|re|bge|bce|cxgb?e?|mlx|mce"
    r"|lo|bridge|vmnic|vmk|net|nic|ib|vnet|epair|genet|awg|tailscale|zt)[a-z\d.]{0,14}"
)
VERSION = re.compile(r"(?:version|firmware|fw|rev|revision|phase|bios|driver|nvdata)\W{0,4}\Z")
MAKER = re.compile(
    r"samsung|intel|solidigm|kioxia|toshiba|micron|wdc|western|hgst|seagate|hynix|dell|hpe|huawei|memblaze|spdk|nvmexpress:uuid"
)
NO_MACHINE = frozenset(
    {
        "ipv4",
        "inet",
        "addr",
        "gateway",
        "broadcast",
        "dns",
        "dhcp",
        "nameserver",
        "via",
        "src",
        "dst",
        "firmware",
        "bios",
        "driver",
        "phase",
        "nvdata",
        "sas2008",
        "sas2308",
        "sas3008",
        "ip4",
        "peer",
        "nat",
        "lan",
        "wan",
        "fw",
    }
)
NO_SUBJECT = frozenset(
    {
        "re",
        "fwd",
        "fw",
        "aw",
        "wg",
        "sv",
        "vs",
        "rv",
        "tr",
        "alert",
        "critical",
        "notice",
        "problem",
        "recovery",
        "resolved",
        "firing",
        "bug",
        "patch",
        "solved",
        "external",
        "cron",
        "smartd",
        "smart",
        "scrub",
        "degraded",
        "zed",
        "mdadm",
        "raid",
        "pool",
        "ok",
    }
)
_CLOCK = r"[ \d]\d:\d\d:\d\d"
_WORD = r"(?:[^\W\d_]{2,9}\.?|\d{1,2}[\u6708\uc6d4])"  # a month or a day of the week
_LOG_TIME = (
    r"[ \t>|*\"-]{0,8}+(?:\d{1,3}[.)][ ](?=[a-z\d])|\d{1,7}[:-](?=[a-z])"
    r"|[/~][\w./~-]{2,60}+:(?:\d{1,7}:)?(?=[a-z0-9<]))?"
    rf"(?:<\d{{1,3}}>)?(?:1[ ])?\[?(?:\d{{4}}[ ])?(?:(?:{_WORD},?[ ])?"
    rf"(?:{_WORD}[ ]{{1,2}}\d{{1,2}}|\d{{1,2}}(?:[/-]|\.?[ ]?)(?:{_WORD}|\d\d[/.])),?[ /.-]?(?:\d{{4}}[t ,:])?"
    rf"[ ]?{_CLOCK}"
    rf"|(?:{_WORD}[ ])?\d{{4}}[/.-]\d\d[/.-]\d\d[t _]{_CLOCK})"
    r"(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d|[ ][ap]m|[ ][a-z]{3,4})?(?:[ ]\d{4})?\]?(?:[ ]<[\w.]{3,20}>)?"
)
# Where one is, a branch, a number; and who, in front of the sign
_AT_PROMPT = (
    r"(?:[ :|]{0,2}(?:[~/][^\s\]#$%>]{0,80}+|(?<=[ ])\([\w./-]{1,40}\)|\[[\w~/.:-]{1,60}\]|\d{1,5}(?="
    r"[ ]?[#$%>])|\])){0,4}"
    r"(?::[^\s#$%>]{0,80})?(?:[ ][\w.-]{1,32}(?=[#$%>]))?"
)
_COMMAND = r"[ ]?[#$%>][ ]?(?:(?:sudo|doas|time|nohup)[ ])?(?:/\S{1,60}/)?"
_BEFORE_PROMPT = (
    r"[ \t>]{0,8}(?:(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?|\[\d{1,4}\]|\([\w.-]{1,30}\)|!?\d{1,5})[ ]?){0,2}"
)
_FACILITY = r"(?:kern|user|daemon|auth|authpriv|local\d|syslog|cron|mail|security)\.[a-z]{3,8}[ ]"
_PROMPT = rf"{_BEFORE_PROMPT}[\[(<]?(?P<v1>[a-z][\w.-]{{1,60}}){_AT_PROMPT}{_COMMAND}"
_CLOSED = (
    r"(?:closed|timed|refused|reset|port|lost|terminated|dropped|established|failed|geschlossen|beendet|abgebrochen"
    r"|fermée|interrompue|cerrada|chiusa|gesloten|закрыто)"
)
_STATUS_TIME = (
    r"(?:\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?[ ,|]{1,3}(?:\d{1,2}[/. -](?:[a-z]{3}|\d\d)[/. -]\d\d|\d{4}-\d\d-\d\d)"
    r"|(?:\d{1,2}[/. -](?:[a-z]{3}|\d\d)[/. -]\d{2,4}|\d{4}-\d\d-\d\d)[ ,|]{1,3}\d{1,2}:\d\d)"
)

_DNS_INT = r"dns[ _]int[^\n()]{0,60}\n?[^\n()]{0,60}\("

HOST_RULES: tuple[Rule, ...] = (
    at_word("host", "hostname", fits=r"hostname\"?[ \t]*[:=][ \t]*[\"']?(?P<v1>[\w][\w.-]{0,99})"),
    at_word("host", "hostname ", fits=rf"hostname[ ][\"'](?P<v1>{HOST})"),
    # uname -a, the head of sysstat's tools, and the line above a login
    at_word(
        "host",
        *("freebsd ", "linux ", "sunos ", "darwin ", "netbsd ", "openbsd ", "dragonfly "),
        fits=rf"(?<![\w/-])[a-z]{{5,9}}[ ](?P<v1>{ANY_HOST})[ ](?=\d{{1,2}}\.\d)",
        accepts=is_name,
    ),
    at_word(
        "host", "linux ", "freebsd", fits=rf"(?<![^\n])(?:linux|freebsd)[ ]?\S{{1,60}}[ ]\((?P<v1>{HOST})\)"
    ),
    at_line("host", " tty", fits=rf"[^\n]{{0,60}}?(?:linux[ ]\d{{1,2}}|lts|\d)[ ](?P<v1>{HOST})[ ]ttyv?\d"),
    at_line("host", " login:", fits=rf"(?P<v1>(?!last|failed){HOST})[ ]login:"),
    # logs
    at_hint(
        "host",
        "hh:hh:hh",
        fits=(
            rf"{_LOG_TIME}[ ](?![a-z]{{3,4}}[ ]\d{{4}}[ ]|{_FACILITY})(?P<v1>{ANY_HOST})[ ](?:{_FACILITY})?"
            r"(?:[^\s:\[]{1,40}(?:\[\d{1,8}\])?\*{0,2}:|[\w./-]{1,40}[ ][\w-]{1,12}[ ][\w-]{1,12}[ ])"
        ),
        hint=r":\d\d:\d\d(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?(?: \d{4})?\]? (?:[a-z<]|\d{1,6}[a-z])",
        accepts=is_name,
    ),
    by_shape(
        "host",
        "hhhhhhhhhh.hhh",
        fits=rf"^[ \t>]{{0,8}}\d{{10}}\.\d{{3,6}}[ ](?P<v1>{HOST})[ ][^\s:\[]{{1,40}}(?:\[\d{{1,8}}\])?:",
        hint=r"(?<!\d)\d{10}\.\d{3,6} [a-z]",
        accepts=is_name,
    ),
    at_word(
        "host",
        *("last login", "last failed", "last success", "last unsuccess"),
        fits=(
            r"(?:last|previous)(?: failed| unsuccessful| successful)? login\b[^\n]{0,80}?"
            r"(?:\n[^\n]{0,40}?)?(?<=\s)(?:from|on host):?[ \n]"
            rf"(?P<v1>{HOST})"
        ),
    ),
    at_word(
        "host",
        "letzte ",
        fits=(
            r"letzte (?:anmeldung|login)\b"
            rf"[^\n]{{0,80}}?[ ]von[ ](?P<v1>{HOST})"
        ),
    ),
    at_word(
        "host",
        *(
            "onnection to",
            "onnection with",
            "verbindung ",
        ),
        fits=(
            r"(?:onnection (?:to|with)|verbindung (?:zu|mit)|(?:session"
            r"|tunnel) to)"
            rf"(?: host)?[ ](?P<v1>{HOST})(?: \([^)\n]{{1,60}}\))?(?:[ ]port[ ]\d{{1,5}})?[ \n]{{1,3}}"
            rf"(?:was |is |has |wurde |been ){{0,2}}{_CLOSED}"
        ),
        accepts=is_name,
    ),
    at_word(
        "host",
        *(
            "closed by ",
            "reset by ",
            "disconnected from ",
            "disconnect from ",
            "terminated by ",
        ),
        fits=(
            r"(?:(?:closed|reset|terminated) by|disconnect(?:ed)? from)(?: remote host)?"
            rf"(?: (?:authenticating |invalid )?user \S{{1,40}})?[ ](?P<v1>{HOST})(?=[ ]port|[.:]?[ \t]*$)"
        ),
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        "welcome to ",
        "willkommen ",
        fits=(
            rf"(?:welcome to|willkommen (?:auf|bei)|bienvenue (?:sur|à))[ ](?:host[ ])?[\"'*`]{{0,2}}(?P<v1>{HOST})"
            r"(?=[\"'`]|[ \t]*[^\w\n]{0,8}_?$|[ ]?[,;(\[|]|[ ][-\u2013*=][ *=-])"
        ),
        accepts=_is_no_system,
    ),
    at_word(
        "host",
        "welcome ",
        fits=(
            rf"welcome (?:to|on)[ ](?:the[ ])?(?P<v1>{HOST})[ ]"
            r"(?:server|nas|box|host|machine|cluster|node|system|console|shell|running|file ?server)(?![\w-])"
        ),
        accepts=_is_no_system,
    ),
    # commands that name a machine in an option
    at_word(
        "host",
        "smbclient ",
        fits=rf"smbclient[ ](?:[^\n|;]{{0,120}}?[ ])?-l[ =]?(?P<v1>{HOST})(?=[\s:,]|\Z)",
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        *(
            "esxcli ",
            "ipmitool ",
            "smbclient ",
            "mysql ",
            "psql ",
            "pg_dump ",
        ),
        fits=(
            r"(?<![\w-])(?:esxcli|ipmitool|smbclient|mysql(?:dump)?|psql|pg_dump|pgbench|ldapsearch)[ ]"
            rf"(?:[^\n|;]{{0,120}}?[ ])?-h[ =]?(?P<v1>{HOST})(?=[\s:,]|\Z)"
        ),
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        "iscsi",
        fits=(
            rf"iscsi(?:adm|ctl)?[ ](?:[^\n|;]{{0,120}}?[ ])?-{{1,2}}p(?:ortal)?[ =](?P<v1>{HOST})(?=[\s:,]|\Z)"
        ),
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        *("--client", "--host", "--server", "--portal"),
        fits=rf"--(?:client|host|hostname|server|portal)[= ](?P<v1>{HOST})(?=[\s:,]|\Z)",
        accepts=_is_not_placeholder,
    ),
    at_word(
        "host",
        "docker ",
        fits=rf"docker[ ](?:run|create)[ ](?:[^\n|;]{{0,200}}?[ ])?(?:-h|--hostname)[ =](?P<v1>{HOST})(?=\s|\Z)",
        accepts=_is_not_word,
    ),
    # what hostname prints on Windows
    at_line(
        "host",
        "hostname",
        "%computername%",
        fits=rf"[^\n>]{{0,120}}>[ ]?(?:hostname|echo %computername%)[ \t]*\n(?P<v1>{HOST})[ \t]*$",
        accepts=_is_not_word,
    ),
    # tmux's last line, fio's clients, ZFS
    at_line(
        "host",
        "] 0:",
        fits=(
            rf"[ \t>]{{0,8}}\[[^\n]{{1,240}}?(?:\"(?:\w{{1,32}}@)?|[ ])(?P<v1>{HOST})"
            r"(?:[^\"\n]{0,40}\")?[ |]{1,3}"
            rf"{_STATUS_TIME}"
        ),
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        *("<", ">"),
        fits=rf"[ \t]*<(?P<v1>{HOST})(?::\d{{1,5}})?>[ ](?=[\w.-]{{1,60}}:[ ]\(|fio|starting|run|jobs:)",
    ),
    at_word(
        "host",
        *("accessed by ", ") on "),
        fits=rf"(?:accessed by|\) on)[ ](?P<v1>{HOST})(?=[ ]\(hostid|:(?:linux|freebsd|solaris)|[ ]at[ ]|\])",
        accepts=is_name,
    ),
    at_line("host", "local to host ", fits=rf"[ \t]*name[ ]:[ ](?P<v1>{HOST}):"),
    at_word(
        "host",
        *("zfs ", "zpool "),
        fits=rf"z(?:fs|pool)[ ]\w{{1,30}}[ ](?:event|error)[ ]for[ ]\S{{1,60}}[ ]on[ ](?P<v1>{HOST})",
    ),
    # pveperf: the domain, and whose share is mounted
    at_word(
        "host", "dns int", "dns_int", fits=rf"{_DNS_INT}(?P<v1>[\w.-]{{1,100}}(?:\n[\w.-]{{1,100}}(?=\)))?)"
    ),
    at_word("host", "hd size", fits=rf"{HD_SIZE}(?P<v1>{ANY_HOST}):/"),
    at_word("host", "hd size", fits=rf"{HD_SIZE}//(?P<v1>{ANY_HOST})/"),
    at_word(
        "host",
        "connecting to ",
        fits=rf"connecting to[ ](?P<v1>{HOST})(?=,| port|:\d|\.\.|[ ]\[)",
        accepts=_is_not_word,
    ),
    at_word("host", "instance=", fits=rf"instance=[\"']?(?P<v1>{HOST}):\d", accepts=is_name),
    at_line("host", "array /dev/", fits=rf"array /dev/[^\n]{{1,120}}[ ]name=(?P<v1>{HOST}):"),
    at_line("host", " {", fits=rf"[ \t]*on (?P<v1>{HOST}) \{{", accepts=_is_not_word),
    at_line(
        "host", "server ", "portal ", fits=rf"\t(?:server|portal) (?P<v1>{HOST})[ \t]*$", accepts=_is_not_word
    ),
    at_line(
        "host",
        "node: ",
        fits=rf"[ \t]*node: (?P<v1>(?!nvme|sd[a-z]|a?da\d){HOST})[ \t]*$",
        accepts=_is_not_word,
    ),
    at_line(
        "host", " host ", fits=rf"[ \t]*-?\d[^\n]{{1,160}}[ ]host (?P<v1>{HOST})[ \t]*$", accepts=_is_not_word
    ),
    at_word(
        "host", "connected to ", fits=rf"connected to[ ](?:server[ ])?(?P<v1>{HOST})", accepts=_is_not_word
    ),
    at_word("host", "client:", "client=", fits=rf"client[:=][ ]?(?P<v1>{HOST})(?![\w(/])", accepts=is_name),
    at_word(
        "host",
        *("to host ", "of host ", "from host ", "on host ", "for host "),
        fits=rf"(?:to|of|from|on|for) host[ ][\"']?(?P<v1>{HOST})",
        accepts=is_name,
    ),
    at_word(
        "host",
        *("connection from ", "connect from ", "login from ", "session from "),
        fits=rf"(?:connect(?:ion)?|login|session) from[ ](?P<v1>{HOST})",
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        "subject:",
        fits=(
            rf"[ \t>]{{0,8}}subject:[ ](?P<v1>{HOST})(?=[ ](?:daily|weekly|monthly|security)[ ]"
            r"|:[ ](?:zfs|zpool|pool|smart|scrub|disk|raid|alert))"
        ),
        accepts=_is_not_word,
    ),
    # beside its address: "nas1 (10.0.0.2)", "nas1/10.0.0.2", in the order of /etc/hosts, arp, leases
    at_hint(
        "host",
        *_ADDRESSES,
        fits=rf"[^\n]{{0,160}}?(?<![\w./:@%+-])(?P<v1>{ANY_HOST})(?:[ ]?[(\[]|[/,]){_IPV4}(?![\w.-])",
        hint=r"[(\[/,]\d{1,3}\.\d{1,3}\.\d{1,3}\.\d",
        accepts=_is_beside_address,
    ),
    by_shape(
        "host",
        "hh:hh:hh:hh:hh",
        fits=rf"(?<![\d.]){_IPV4} (?P<v1>{ANY_HOST}) (?:\*|(?:[0-9a-f]{{2}}:){{4}})",
    ),
    # of shares and connections
    in_lines(
        "host",
        *("(rw", "(ro", "(sync", "(async", "(insecure", "(no_root_squash", "(sec="),
        fits=(
            rf"(?:(?<![\w./:@-])|(?<=\s\*\.))(?P<v1>{HOST})"
            r"\((?:rw|ro|sync|async|insecure|no_root_squash|sec=\w{1,9})[,)]"
        ),
        accepts=_is_not_word,
    ),
    in_lines(
        "host",
        *(":sd", ":nvme", ":da", ":ada"),
        fits=rf"(?<![\w./:@-])(?P<v1>{HOST}):(?:sd[a-z]{{1,2}}|nvme\d|a?da\d{{1,3}}(?=\s))",
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        *("established", "time_wait", "close_wait", "fin_wait"),
        fits=rf"[ \t]*(?:tcp|udp)[46]*\b[^\n]{{0,60}}?[ ](?P<v1>{HOST})[:.](?:[a-z]|\d{{1,5}}[ ])",
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        *("established", "time_wait", "close_wait", "fin_wait"),
        fits=(
            r"[ \t]*(?:tcp|udp)[46]*\b[^\n]{0,60}?[ ]\S{1,60}[:.]\w{1,16}[ ]{1,40}"
            rf"(?P<v1>{HOST})[:.]\w"
        ),
        accepts=_is_not_word,
    ),
    in_lines(
        "host",
        "->",
        fits=(
            rf"(?:(?<=tcp )|(?<=udp )|(?<=->))(?P<v1>{HOST}):[a-z\d][\w-]{{1,16}}"
            r"(?:->|[ ](?:\([a-z_]{4,16}\)|$))"
        ),
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        " > ",
        fits=rf"(?:(?<= ip )|(?<= ip6 )|(?<= > ))(?P<v1>{HOST})\.[a-z\d-]{{1,16}}(?=: | > )",
        hint=r" ip6? \S{1,60} > \S{1,60}: ",
        accepts=_is_not_word,
    ),
    by_shape(
        "host", fits=rf"^[ ]{{2,20}}(?P<v1>{HOST}):[ ]?\n[ ]{{4,24}}ansible_", hint=r"\n {4,24}ansible_"
    ),
    # that installers give
    in_lines(
        "host",
        *("desktop-", "laptop-", "win-", "minint-", "ec2amaz-", "ntnx-"),
        fits=(
            r"(?<![\w.-])(?P<v1>(?:desktop|ec2amaz)-(?=[a-z]*\d)[a-z\d]{7}|laptop-(?=[a-z]*\d)[a-z\d]{8}"
            r"|(?:win|minint)-(?=[a-z]*\d)[a-z\d]{7,11}|ntnx-[a-z\d]{6,16}-[a-d](?:-cvm)?)(?![\w-])"
        ),
    ),
    in_lines(
        "host",
        *("macbook", "imac", "-mac-", "-mbp"),
        fits=(
            r"(?<![\w.-])(?P<v1>[^\W\d_]{2,20}s?-(?:[^\W\d_]{2,20}s?-)?"
            r"(?:macbook(?:-pro|-air)?|imac(?:-pro)?|mac-(?:mini|studio|pro)|mbp)(?:-\d{1,2})?)(?![\w-])"
        ),
    ),
    # of network devices and of NetApp
    at_line("host", "::", fits=rf"[ \t]*(?P<v1>{HOST})::\*?>", accepts=_is_not_word),
    at_line(
        "host",
        *(" show", ">show", "#show", "# enable", "> enable", "# scope", "# configure"),
        fits=rf"[ \t]*(?P<v1>{HOST})(?:\([\w-]{{1,30}}\))?[#>] ?(?:show|enable|scope|conf)",
        accepts=_is_not_word,
    ),
    # archives, groups of output, jails, boards of names
    by_shape(
        "host",
        fits=(
            rf"^[ \t]*(?P<v1>{HOST})[-_]20\d\d-\d\d-\d\d[t_-]\d\d[.:]?\d\d\S{{0,20}}[ ]{{1,40}}"
            r"(?:mon|tue|wed|thu|fri|sat|sun),"
        ),
        hint=r", 20\d\d-\d\d-\d\d ",
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        fits=rf"^-{{10,20}}\n(?P<v1>{HOST})(?: \(\d{{1,4}}\))?\n-{{10,20}}$",
        hint="-\n.{2,64}\n-",
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        " {\n",
        fits=(
            rf"^(?P<v1>{HOST})[ ]\{{\n(?:[^}}\n]{{1,120}}\n){{0,12}}?"
            r"[ \t]*(?:host\.hostname|exec\.|mount\.devfs|ip4\.addr|\$ip|path[ ]=)"
        ),
        hint=r" \{\n",
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        "xhxx",
        fits=rf"^(?P<v1>{HOST}):[ ]?\n[ ]{{4}}(?!description)\S",
        hint=r"salt ['-]",
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        fits=rf"^(?:[\d.]{{7,15}}[ ])?[ \t]*(?P<v1>{HOST})[ ]{{0,20}}<[012][0-9a-f]>(?=\s)",
        hint=r"<(?:00|20|03|1[b-e])>",
    ),
    by_shape("host", fits=rf"^250-(?P<v1>{HOST})", hint="250-[a-z][^\n]{1,80}\n250-", accepts=_is_extension),
    at_line("host", "|-- ", fits=rf"[ ]{{0,3}}\d{{1,2}}\.[ ]?\|-- (?P<v1>{HOST})", accepts=is_name),
    at_line("host", " ms", fits=rf"[ ]{{0,3}}\d{{1,2}}[ ]{{1,3}}(?P<v1>{HOST})[ ]\([\d.:a-f]{{3,40}}\)[ ]"),
    # groups that an installer names after the machine
    by_shape(
        "host",
        fits=(
            r"(?<![\w-])(?P<v1>[a-z][\w.-]{1,40})--?vg"
            r"(?:-(?:root|swap|home|var|tmp|data)|/(?:root|swap|home|var)|[ ]{1,20}\d|[ \t]*$)"
        ),
        hint="-vg[-/ ]",
        accepts=_is_no_system,
    ),
    in_lines(
        "host",
        *("centos_", "fedora_", "rhel_", "rl_", "cl_", "ol_", "alma_", "almalinux_", "openeuler_"),
        fits=(
            r"(?<![\w-])(?:centos|fedora|rhel|rl|cl|ol|alma(?:linux)?|openeuler)_"
            r"(?P<v1>[a-z][\w.]{1,40})(?=-(?:root|swap|home|var|data)|/(?:root|swap|home|var)|[ ]{1,20}\d)"
        ),
        accepts=_is_not_word,
    ),
    at_line("host", "\tin\t", fits=rf";?(?P<v1>{HOST})\.[ \t]{{1,40}}(?:\d{{1,8}}[ \t]{{1,20}})?in\t"),
    in_lines("host", "\tin\t", fits=rf"in\t(?:cname|ptr|ns|soa)\t(?P<v1>{HOST})\."),
    # mails
    at_line(
        "host",
        "subject:",
        fits=(
            r"[ \t>]{0,8}subject:[^\n]{0,160}[ ](?:on|for|from|at|host|of)[ :]{1,2}"
            rf"(?P<v1>{ANY_HOST})[.:!]?[ \t]*$"
        ),
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        "subject:",
        fits=rf"[ \t>]{{0,8}}subject:[^\n\[(]{{0,80}}[\[(](?P<v1>{ANY_HOST})[\])]",
        accepts=_is_of_subject,
    ),
    at_line(
        "host",
        "subject:",
        fits=rf"[ \t>]{{0,8}}subject:[ ](?P<v1>{ANY_HOST})(?:[ ]?:|[ ][-\u2013|/][ ])",
        accepts=_is_of_subject,
    ),
    at_line(
        "host",
        " in ",
        fits=rf"[a-z_][\w.-]{{1,31}} in [^\w\s]{{1,3}}[ ]{{1,2}}(?P<v1>{HOST})(?: in |[ \t]*$)",
    ),
    at_word("host", "pretty hostname", fits=rf"pretty hostname{SEPARATOR}{REST}"),
    *(
        by_shape(
            "host",
            fits=rf"^/\S{{1,120}}[ \t]{{1,20}}(?:{HOST},){{{number}}}(?P<v1>{HOST})(?=,|[ \t]*$)",
            hint="exports? list (?:for|on)",
            accepts=_is_not_word,
        )
        for number in range(4)
    ),
    by_shape("host", fits=rf"^[ \t]*[*\u25cf\u25cb] (?P<v1>{HOST})\n[ ]{{4}}state:", hint=r"\n {4}state: "),
    at_word(
        "host",
        *("nqn.", "iqn."),
        fits=r"[ni]qn\.\d{4}-\d\d\.[\w.-]{2,60}(?::[\w.-]{1,40}){0,3}:(?P<v1>[a-z][a-z_-]{2,60}\d{0,3})(?![\w:.-])",
        accepts=_is_end_of_name,
    ),
    by_shape(
        "host",
        ":(",
        fits=rf"(?<![\w\\])(?P<v1>{HOST})\\[\w.$-]{{1,32}}:\((?:oi|ci|io|np|i|f|m|rx|r|w|deny)[),]",
        hint=r":\((?:oi|ci|io|np|i|f|m|rx|r|w|deny)[),]",
        accepts=_is_no_authority,
    ),
    at_line("host", ">#", ">$", fits=rf"[ \t]*<(?P<v1>{HOST})>[#$] ", accepts=_is_not_word),
    at_line(
        "host",
        *"#$%>",
        fits=rf"[ \t]*[\w.-]{{1,32}}:(?P<v1>{HOST}):[~/]\S{{0,80}}[#$%>] ",
        accepts=_is_not_word,
    ),
    by_shape(
        "host",
        "\\",
        fits=rf"(?<![\w.\\/-])(?P<v1>{HOST})\\[\w.-]{{1,32}}@[a-z]",
        hint=r"\\[\w.-]{1,32}@",
        accepts=is_name,
    ),
    by_shape(
        "host",
        "hh:hh:hh:hh:hh",
        "hh-hh-hh-hh-hh",
        fits=rf"^[ \t]*(?P<v1>{HOST})[ \t]{{1,30}}{_IPV4}[ \t]{{1,30}}(?:[0-9a-f]{{2}}[:-]){{5}}",
        accepts=_is_beside_address,
    ),
    at_hint(
        "host",
        *_ADDRESSES,
        fits=rf"[^\n\"']{{0,80}}[\"'](?P<v1>{HOST})[:=]{_IPV4}[\"']",
        hint=r":\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[\"']",
        accepts=_is_beside_address,
    ),
    # bonnie++
    at_line("host", "size k/sec", fits=rf"machine[ ]{{1,20}}size k/sec[^\n]{{0,100}}\n(?P<v1>{HOST})[ ]"),
    at_word("host", "size etc", fits=rf"size etc[^\n]{{0,100}}\n(?P<v1>{HOST})[ ]"),
    at_line("host", ",,", fits=rf"[12]\.\d\d\w?,[12]\.\d\d\w?,(?P<v1>{HOST}),\d"),
    # ansible and kubectl
    at_line(
        "host",
        *(" | changed", " | success", " | failed", " | unreachable"),
        fits=rf"(?P<v1>{HOST}) \| (?:changed|success|failed|unreachable)\b",
    ),
    at_line(
        "host",
        *("ok: [", "changed: [", "skipping: [", "failed: [", "fatal: ["),
        fits=rf"(?:ok|changed|skipping|failed|fatal): \[(?P<v1>{HOST})\]",
    ),
    at_line(
        "host",
        "ready ",
        fits=rf"(?P<v1>{HOST})[ ]{{2,40}}(?:not)?ready[\w,]{{0,30}}[ ]{{2,40}}[<a-z][^\n]{{2,60}}[ ]v\d",
    ),
    at_word("host", "hostname ", fits=rf"hostname (?:set )?to[ ]<?(?P<v1>{HOST})"),
    at_word(
        "host",
        *("node '", 'node "', "server '", "machine '", "host '"),
        fits=rf"(?:node|server|machine|host) [\"'](?P<v1>{HOST})[\"']",
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        *("mdadm running on", "daemon running on", "smartd running on", "zed running on"),
        fits=rf"\w{{3,6}} running on[ ](?P<v1>{HOST})",
        accepts=is_name,
    ),
    at_word("host", "portal", fits=rf"portal:?[ ](?P<v1>{HOST})[:,]\d"),
    *(
        at_line(
            "host",
            "sharenfs",
            fits=rf"[^\n]{{1,120}}[:=@,\"](?:root|rw|ro)=@?(?:@?{HOST}:){{{number}}}@?(?P<v1>{HOST})",
            accepts=_is_not_word,
        )
        for number in range(4)
    ),
    at_line("host", " - putty", " - mobaxterm", fits=rf"(?P<v1>{HOST}) - (?:putty|mobaxterm)"),
    at_line("host", "][", fits=rf"\[ (?P<v1>{HOST}) \]\["),
    at_line(
        "host", " in ", fits=rf"[a-z_][\w.-]{{1,31}} (?:in|at|on) (?:[^\w\s]{{1,3}} )?(?P<v1>{HOST}) in [~/]"
    ),
    at_line(
        "host",
        " in ",
        fits=rf"(?P<v1>{HOST}) in ~\S{{0,60}}(?:[ \t]*$|[ ](?:on|took|via|is)[ ])",
        accepts=_is_not_word,
    ),
    # "kept in /var" is a sentence
    at_line("host", " in ", fits=rf"(?=\S*[\d-])(?P<v1>{HOST}) in /\S{{0,60}}[ \t]*$", accepts=_is_not_word),
    at_line(
        "host",
        *("hostname", "host name", "computername", "computer name", "nodename", "node name", "client-name"),
        fits=(
            r"[ \t>|]{0,20}(?:set )?(?:system )?(?:(?:host|computer|node)[ ]?name|(?:dhcp-)?client-name)"
            rf"(?:\t|[ ]{{2,60}}|(?<=-name)[ ])[ \t]{{0,20}}(?P<v1>{HOST})[ \t|]*$"
        ),
        accepts=_is_not_word,
    ),
    # lshw, mdadm -E, ssh's settings
    by_shape(
        "host",
        fits=rf"^(?P<v1>{HOST})[ \t]*\n[ ]{{4}}description:[ ]",
        hint=r"\n {4}description: ",
        accepts=_is_not_word,
    ),
    at_line("host", "name : ", fits=rf"[ \t]*name[ ]:[ ](?P<v1>{HOST}):\w"),
    at_line("host", "host ", fits=rf"[ \t>]{{0,4}}host[ ](?P<v1>{HOST})[ \t]*$", accepts=_is_not_word),
    # resolv.conf and hosts
    at_line(
        "host",
        "search ",
        "domain ",
        fits=r"(?:search|domain)[ \t]+(?P<v1>[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5})[ \t]*$",
    ),
    *(
        at_hint(
            "host",
            fits=rf"\d{{1,3}}(?:\.\d{{1,3}}){{3}}[ \t]{{1,40}}{names}",
            hint=r"\.\d{1,3}\.\d{1,3}\.\d{1,3}[ \t]",
            accepts=is_name,
        )
        for names in (rf"(?P<v1>{HOST})(?=\s)", rf"{HOST}[ \t]{{1,40}}(?P<v1>{HOST})[ \t]*$")
    ),
    at_word("host", "truenas @", "freenas @", fits=rf"(?:true|free)nas @[ ](?P<v1>{HOST})"),
    # the domain of an account
    at_line(
        "host",
        "\\",
        fits=(
            r"[ \t]{0,8}(?:[-dlbcps][-rwxst]{9}[+.@]?[ \t]+\d{1,6}[ \t]+"
            rf"|[\w ]{{0,20}}(?:user|login|owner|account|author|run as)[\w ]{{0,40}}[:=][ ]{{0,20}})"
            rf"(?P<v1>{HOST})\\{{1,2}}\w"
        ),
        accepts=is_name,
    ),
    # prompts: "nas1# ", "nas1:~ alice$ ", "[nas1 ~]# ", in front of a command
    at_line("host", *"#$%>", fits=_PROMPT, accepts=_is_at_prompt),
    at_line("host", "$ ", fits=rf"\[?(?P<v1>{HOST}):[^\s#$%>]{{0,80}}[ ][a-z_][\w.-]{{1,31}}\$[ ]"),
    at_line(
        "host",
        "#",
        fits=rf"[ \t>]{{0,8}}\[?(?P<v1>{HOST})(?:(?:[ :]{{1,2}}[~/][^\s\]#$%>]{{0,80}}\]?[ ]?[#$%>])|#)[ \t]*$",
        accepts=_is_not_word,
    ),
    at_word("host", "`", fits=rf"`(?P<v1>[a-z][\w.-]{{1,60}}){_AT_PROMPT}{_COMMAND}", accepts=_is_at_prompt),
    at_line(
        "host",
        "\u279c",
        fits=rf"[ \t]*\u279c[ ]{{1,3}}(?P<v1>{HOST})[ ](?:git:\(\S{{1,40}}[ ])?",
        accepts=_is_at_prompt,
    ),
    at_line("host", "]: ps ", fits=rf"\[(?P<v1>{HOST})\]: ps "),
    # shares
    at_line("host", ":/", fits=rf"[ \t]*(?P<v1>{HOST}):/\S{{0,200}}[ \t]+(?:on[ ]/|/|\d)", accepts=is_name),
    by_shape(
        "host",
        fits=(
            rf"(?<![^\s\"'=])(?P<v1>{HOST})"
            r":/(?:mnt|exports?|volume\d|srv|share|tmp|home|data|pool|tank|root|var|nfs|media|backup)(?![\w-])"
        ),
        hint=r":/[a-z]",
        accepts=_is_mounted,
    ),
    by_shape(
        "host",
        fits=(
            rf"(?<![^\s\"'=])(?P<v1>{HOST}):/(?!dev/|sys/|proc/|etc/|usr/|s?bin/|lib|boot/|opt/"
            r"|run/)\w[\w./-]{0,120}"
            r"(?=[\s,;\"']|\Z)"
        ),
        hint=r":/[a-z]",
        accepts=_is_mounted_here,
    ),
    at_word("host", "/net/", fits=rf"(?<![\w.])/net/(?P<v1>{HOST})/\w", accepts=_is_not_word),
    at_word("host", "nfs ", "nfs:", fits=rf"nfs:? (?:mount |server )?(?P<v1>{HOST}):/", accepts=is_name),
    # ports of shares and measurements
    by_shape(
        "host",
        fits=rf"(?<![\w./:@-])(?P<v1>{HOST}):(?:111|139|445|548|2049|3260|5201|8765|9100)(?![\d:.])",
        hint=r":(?:111|139|445|548|2049|3260|5201|8765|9100)(?!\d)",
        accepts=_is_not_word,
    ),
    # terminals that someone uses, and from where
    at_line(
        "host",
        *("pts/", "tty"),
        fits=(
            r"[ \t>]{0,8}\S{1,32}(?:[ ][+-])?[ ]{1,20}(?:pts/|tty[a-z]?)\d{1,3}[ ]{1,12}"
            rf"(?P<v1>{HOST})[ ]{{1,40}}"
            r"(?:\d\d?:\d\d|[a-z]{3}[ ]|\d{4}-\d|[a-z]{3}\d)"
        ),
        accepts=_is_no_day,
    ),
    at_line(
        "host",
        *("pts/", "tty", "(:0)"),
        fits=(
            rf"[ \t>]{{0,8}}\S{{1,32}}(?:[ ][+-])?[ ]{{1,20}}(?:(?:pts/|tty[a-z]?)\d{{1,3}}|:\d|console)[ ]{{1,20}}"
            rf"[^\n(]{{5,50}}\((?P<v1>{HOST})\)[ \t]*$"
        ),
        accepts=is_name,
    ),
    # sentences
    at_word(
        "host",
        "hostname ",
        fits=rf"hostname[ ](?P<v1>{HOST})(?=:[ ](?:name|no|temp|nodename|unknown))",
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        *(" named ", " called ", " nicknamed "),
        fits=(
            r"[^\n]{0,120}?(?<!\w)(?:server|box|host|machine|nas|system|node|computer|pc|filer)(?:[ ]is|,)?[ ]"
            rf"(?:named|called|nicknamed)[ ][\"'*`]{{0,2}}(?P<v1>{HOST})"
        ),
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        "uploaded by ",
        fits=rf"uploaded by[ ]\S{{1,60}}[ ]from[ ](?P<v1>{HOST})",
        accepts=_is_not_word,
    ),
    at_word("host", "<computername>", "<hostname>", fits=rf"<(?:computer|host)name>(?P<v1>{HOST})<"),
    at_word(
        "host",
        *("nqn.", "iqn."),
        fits=r"[ni]qn\.\d{4}-\d\d\.[\w.-]{2,60}:(?P<v1>[a-z][\w-]{1,60}\.[\w.-]{2,60})",
        accepts=_is_not_word,
    ),
    at_word(
        "host",
        "://",
        fits=(
            r"://(?P<v1>(?:nas|truenas|freenas|pve|proxmox|esxi|server|storage|backup|home|vpn|cloud|nextcloud|grafana|plex)"
            r"\d{0,3}(?:-[\w-]{1,40})?(?:\.[\w-]{1,63}){2,5})(?=[:/\s\"')\]<]|\Z)"
        ),
        accepts=_is_machine,
    ),
    at_word("host", "nodes ", fits=rf"(?<=[\t ])nodes[ ](?P<v1>{HOST})(?=,|[ \t]*$)", accepts=_is_not_word),
    at_word(
        "host",
        "nodes ",
        fits=rf"(?<=[\t ])nodes[ ]{HOST},(?P<v1>{HOST})(?=,|[ \t]*$)",
        accepts=_is_not_word,
    ),
    at_line(
        "host",
        "\\",
        fits=(
            r"[ \t>]{0,8}[-dlbcps][-rwxst]{9}[+.@]?[ \t]+\d{1,6}[ \t]+[^\n\\]{1,32}[ \t]"
            rf"(?P<v1>{HOST})\\{{1,2}}\w"
        ),
        accepts=is_name,
    ),
    at_word(
        "host",
        *("scp ", "rsync "),
        fits=rf"(?:scp|rsync)[ ][^\n:]{{0,120}}[ ](?:[\w.-]{{1,32}}@)?(?P<v1>{HOST}):",
        accepts=is_name,
    ),
    at_word(
        "host",
        "//",
        fits=(
            r"(?<![^\s\"'=])//(?:[\w.;-]{1,40}(?::[^@\s/]{0,40})?@)?(?P<v1>[a-z0-9][\w.-]{0,62})"
            r"/[\w$% -]{1,80}(?=[\s/]|\Z)"
        ),
        accepts=is_name,
    ),
    at_word(
        "host", "\\\\", fits=r"(?<![\\:\w])\\\\(?P<v1>[a-z0-9][\w.-]{1,62})(?=\\[\w$]|\s|\Z)", accepts=is_name
    ),
    at_word(
        "host",
        "://",
        fits=r"://(?:[^\s/@]{1,60}@)?(?P<v1>[a-z][\w.-]{0,99})(?=[:/\s\"')\]<]|\Z)",
        accepts=_is_of_home,
    ),
    by_shape(
        "host",
        fits=(
            r"(?<![\w./~-])(?P<v1>(?!rc\.|[\w.]{1,40}\.conf\.)[a-z0-9][\w-]{0,62}(?:\.[\w-]{1,63}){0,4}"
            rf"(?:{'|'.join(map(re.escape, LOCAL))}))(?![\w-]|\.\w)"
        ),
        hint=r"\.(?:local|lan|home\.arpa|inter|intra|fritz|private|ts\.net|synology|myq|duckdns|d[dy]n[sd]|myfritz)",
    ),
    by_shape(
        "host",
        fits=(
            r"(?<![\w./@:~%=+-])(?P<v1>[a-z][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){1,4}"
            rf"\.(?:{_TLD}))(?![\w-]|\.\w|/)"
        ),
        hint=rf"(?<!tools)(?<!forge)\.(?:{_TLD})(?![\w-])",
        accepts=_is_machine,
    ),
    # commands that name a machine
    at_word(
        "host",
        *("ssh ", "ping ", "ping6 ", "iperf", "traceroute ", "telnet ", "nc ", "showmount "),
        fits=(
            r"(?<![\w-])(?!ping statistics)(?:ssh(?: -[46aciklopvx]+(?: (?!-)\S{1,60})?){0,6}"
            r"|ping6?(?: -[a-z]+(?: \d+)?){0,6}"
            rf"|iperf3?(?: -\w(?: \d+)?){{0,6}} -c|traceroute|telnet|nc|showmount -e)[ ](?P<v1>{HOST})(?=[\s(]|\Z)"
        ),
        accepts=is_name,
    ),
    at_word("host", "received: from", fits=rf"received: from[ ](?P<v1>{HOST})"),
    at_word("host", "received: from", fits=rf"received: from[ ]\S{{1,100}}[ ]\((?P<v1>{HOST})"),
    *label_rules("host"),
)
