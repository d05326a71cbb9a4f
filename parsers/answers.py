"""Output of commands that print nothing but an identifier: `hostname`, `whoami`, `diskinfo -s`."""

from parsers.sites import at_line

PROMPT = r"(?:[^\n]{0,80}?[#$%>][ ]?)?(?:(?:sudo|doas)[ ])?(?:/\S{1,40}/)?"
_BELOW = r"[ \t]*\n\s{0,4}"
_END = r"[ \t]*(?=\n|\Z)"
_NAME = rf"(?P<v1>[a-z][\w.-]{{1,99}}){_END}"
_SERIAL = rf"(?P<v1>(?=[\w-]{{0,40}}[0-9])[a-z0-9][\w-]{{3,40}}){_END}"

ANSWER_RULES = (
    at_line(
        "host",
        *("hostname", "uname -n"),
        fits=(
            rf"{PROMPT}(?:hostname(?:[ ]-\w)?|uname[ ]-n|cat[ ]/etc/hostname|hostnamectl[ ]hostname){_BELOW}{_NAME}"
        ),
    ),
    at_line("host", "hostid", fits=rf"{PROMPT}hostid{_BELOW}(?P<v1>[0-9a-f]{{6,10}}){_END}"),
    at_line(
        "user",
        *("whoami", "id -un", "logname", "$user"),
        fits=rf"{PROMPT}(?:whoami|id[ ]-un|logname|echo[ ]\$(?:user|logname)){_BELOW}{_NAME}",
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
