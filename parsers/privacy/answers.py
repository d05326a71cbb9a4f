"""Output of commands that print nothing but an identifier: `hostname`, `whoami`, `diskinfo -s`."""

from parsers.privacy.rules import at_line

PROMPT = r"(?:[^\n]{0,80}?[#$%>][ ]?)?(?:(?:sudo|doas)[ ])?(?:/\S{1,40}/)?"
_BELOW = r"[ \t]*(?:(?:;|&&|\|)[^\n]{0,60})?\n[\s>|]{0,8}"
_END = r"[ \t]*(?=\n|\Z)"
_NAME = rf"(?P<v1>(?:[a-z]|\d{{1,6}}[a-z])[\w.-]{{1,99}}){_END}"
_SERIAL = rf"(?P<v1>(?=[\w-]{{0,40}}[0-9])[a-z0-9][\w-]{{3,40}}){_END}"

ANSWER_RULES = (
    at_line(
        "host",
        *("hostname", "uname -n", "scutil", "nodename", "computername"),
        fits=(
            rf"{PROMPT}(?:hostname(?:[ ]-{{1,2}}\w{{1,10}})?|uname[ ]-n|(?:cat|more|less)[ ]/etc/(?:hostname"
            r"|nodename)"
            r"|hostnamectl[ ](?:hostname|--static)|scutil[ ]--get[ ]\w{1,20}|sysctl[ ]-n[ ]kern(?:el)?\.hostname"
            rf"|echo[ ][\"']?\$\{{?(?:hostname|host|env:computername)\}}?[\"']?|\$env:computername){_BELOW}{_NAME}"
        ),
    ),
    at_line(
        "host",
        "uname -",
        fits=(
            rf"{PROMPT}uname[ ]-(?:nr|rn|ns|sn|nm|nrs|snr){_BELOW}(?:(?:linux|freebsd|sunos|darwin)[ ])?"
            r"(?P<v1>[a-z][\w.-]{1,60})[ ]"
        ),
    ),
    at_line(
        "host",
        "/etc/hostid",
        fits=(
            rf"{PROMPT}(?:cat|od|xxd|hexdump)[ ][^\n]{{0,30}}/etc/hostid{_BELOW}(?:[0-9a-f]{{7,8}}:?[ ]{{1,2}})?"
            r"(?P<v1>[0-9a-f]{8}|[0-9a-f]{4}[ ][0-9a-f]{4}|[0-9a-f]{2}(?:[ ][0-9a-f]{2}){3})(?![0-9a-f])"
        ),
    ),
    at_line(
        "host",
        "hostid",
        fits=rf"{PROMPT}(?:hostid|sysctl[ ]-n[ ]kern\.hostid){_BELOW}(?P<v1>[0-9a-f]{{6,10}}){_END}",
    ),
    at_line(
        "user",
        "whoami",
        fits=rf"{PROMPT}whoami{_BELOW}(?P<v1>[a-z][\w.-]{{0,30}}\\[a-z][\w.-]{{1,30}}){_END}",
    ),
    at_line(
        "user",
        *("whoami", "id -un", "id -nu", "logname", "$user"),
        fits=(
            rf"{PROMPT}(?:whoami|id[ ]-(?:un|nu)|logname|users|stat[ ][^\n]{{1,20}}%S?U[^\n]{{0,30}}"
            rf"|(?:echo[ ])?[\"']?\$\{{?(?:user|logname|env:username)\}}?[\"']?){_BELOW}{_NAME}"
        ),
    ),
    at_line(
        "serial",
        *("diskinfo -s", "camcontrol inquiry", "lsblk", "/serial"),
        fits=(
            rf"{PROMPT}(?:diskinfo[ ]-s[ ][^\n]{{1,60}}|camcontrol[ ]inquiry[ ](?:[^\n]{{1,40}}[ ]-s|-s[^\n]{{1,40}})"
            rf"|lsblk[ ][^\n]{{0,60}}serial[^\n]{{0,60}}|cat[ ]\S{{1,80}}serial){_BELOW}{_SERIAL}"
        ),
    ),
    at_line(
        "serial",
        "serial",
        fits=rf"[^\n]{{0,80}}[#$%>][ ][a-z/][^\n]{{1,80}}serial[^\n]{{0,80}}{_BELOW}{_SERIAL}",
    ),
    at_line(
        "wwn",
        *("/wwid", "/wwn", "lsblk"),
        fits=(
            rf"{PROMPT}(?:cat[ ]\S{{1,80}}(?:wwid|wwn)|lsblk[ ][^\n]{{0,60}}wwn[^\n]{{0,60}}){_BELOW}"
            r"(?P<v1>(?:0x|naa\.|eui\.)?[0-9a-f]{16,32})"
        ),
    ),
)
