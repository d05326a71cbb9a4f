"""Masking rules on what tools print of devices: serial numbers, world-wide names, answers of commands."""

import re

from parsers.privacy.rules import (
    BETWEEN,
    GUID,
    MARK,
    SEPARATOR,
    VALUE,
    Rule,
    at_line,
    at_word,
    by_shape,
    is_in_capitals,
    is_labelled,
    is_mixed,
    is_plain,
    is_strong,
    labelled,
)
from parsers.privacy.table import HEADINGS, begins, label_rules, line_rules, spelled

SERIAL_NAMES = HEADINGS["serial"]
SPELLED = spelled(*SERIAL_NAMES)
WITH_DIGIT = r"(?=[a-z-]{0,20}[0-9])"
_PLAIN_WORD = r"[0-9a-z][\w-]{3,63}"
# What can follow the serial number in the name of a device node
NODE_END = r"(?=(?:-part[0-9]+|_[0-9]|-[0-9]:[0-9])*(?:[\s\"',;:)<\]|]|\.{2,}|\u2026|\Z))"
_PARTS = r"[^\s_/\"':\0]{1,40}(?:_[^\s_/\"':\0]{1,40}){0,8}?_"
# Digests of stored units depend on the values that these rules find, so they come first and take precedence.
TOOL_RULES = (
    # "Serial Number:    X" of smartctl
    *line_rules("serial"),
    # "Serial Number X" of FreeBSD's boot messages, "serial no. X12345" of people
    at_word(
        "serial",
        "serial",
        fits=(
            rf"serial(?:[ ]number[ \t]+(?P<v2>{WITH_DIGIT}[0-9a-z][0-9a-z-]{{5,63}})\b"
            rf"|(?:[ ]no\.[ \t]*+[:=#]?|[ \t]*[:=])[ \t]*+(?P<v3>{WITH_DIGIT}[\w-]{{5,63}}))"
        ),
    ),
    at_word(
        "serial",
        "sn:",
        "sn=",
        "s/n",
        fits=rf"s/?n(?<![a-z0-9]sn){SEPARATOR}(?P<v1>{WITH_DIGIT}{_PLAIN_WORD})",
    ),
    # "ident: X" of geom, and names of device nodes that hold the serial number
    at_word("serial", "ident:", fits=r"ident:[ \t]+(?P<v1>\S{4,40})"),
    at_word(
        "serial",
        "diskid/disk-",
        fits=r"diskid/disk-(?P<v1>[^\s/\"',]{1,80}?)(?=(?:[ps][0-9]+)?(?:[\s/\"',]|$))",
    ),
    at_word(
        "serial",
        "/by-id/",
        fits=(
            rf"/by-id/(?!nvme-eui|wwn-|scsi-3[0-9a-f]{{16}}){_PARTS}"
            r"(?P<v1>[^\s_/\"']{4,40}?)(?=(?:-part[0-9]+|_[0-9])?(?:[\s/\"',;:)]|\Z))"
        ),
    ),
    at_word(
        "serial",
        *("ata-", "sata-", "nvme-", "scsi-", "usb-", "sas-", "mmc-"),
        fits=(
            rf"(?<![\w/.-])(?:s?ata|nvme|scsi|usb|sas|mmc)-(?!nvme\.|eui\.){_PARTS}"
            rf"(?P<v1>(?=[^\s_/\"',:]{{0,40}}[0-9])[^\s_/\"',:]{{4,40}}?){NODE_END}"
        ),
    ),
    *line_rules("wwn"),
    at_word("wwn", "wwn", fits=rf"wwn{SEPARATOR}(?P<v1>[0-9a-fx]{{16,34}})\b"),
    # its groups on two lines or three
    at_word(
        "wwn",
        "wwn device",
        fits=r"wwn device\s+id[ \t]*:\s*(?P<v1>[0-9a-f][ \t]*[\s][0-9a-f]{6}[ \t]*[\s][0-9a-f]{9})(?!\w)",
    ),
    # enclosure paths: "id1,enc@n500.../type@0/slot@4/elmdesc@Slot_07"
    at_word("wwn", "enc@n", fits=r"enc@n(?P<v1>[0-9a-f]{8,32})"),
    at_word("wwn", "vml.", fits=r"vml\.(?P<v1>[0-9a-f]{20,200})"),
    at_word("wwn", "wwn-0x", fits=r"wwn-(?P<v1>0x[0-9a-f]{16,32})"),
    # "naa." and "eui."; behind "nvme." the serial number in hexadecimal, between the vendor's number and the model
    at_word("wwn", "naa.", "eui.", fits=r"(?:naa|eui)\.(?P<v1>[0-9a-f]{16,32})"),
    at_word("wwn", "nvme.", fits=r"nvme\.[0-9a-f]{4}-(?P<v1>[0-9a-f]{8,80})-[0-9a-f]{2,100}"),
)

# Of a dump: where it is, up to 16 bytes, and their characters
BYTES_ROW = (
    r"[ \t]{0,8}(?:[0-9a-f]{2,8}:?[ ]{1,8})?(?:[0-9a-f]{2}[ ]{1,3}){3,15}[0-9a-f]{2}(?:[ ]{1,40}[^\n]{1,18})?"
)
_WORD = r"[^\W\d_]"
# "Seriennummer", "numéro de série", "sériové číslo", "seri numarası", "Серийный номер": a word that begins like this,
# and up to two more
_LATIN = rf"s[eéèê]ri(?!es(?!\w)|al(?!e)){_WORD}{{0,12}}\.?(?:[ -]{{0,2}}{_WORD}{{1,12}}(?!\w)\.?){{0,2}}"
_OTHERS = rf"(?:сер[иі]?|σειρ){_WORD}{{0,10}}\.?(?:[ ]{_WORD}{{1,10}}\.?)?"
_DIGIT_AHEAD = r"(?=[a-z-]{0,30}[0-9])"
_MAKER = r"(?=[ \t]|intel |samsung |wdc |micron|mtfd|st[0-9]{3,5}[a-z]|ct[0-9]|toshiba|hgst|hitachi|kingston|crucial"
_NODE_NAME = r"(?P<v1>(?=[\w.-]{0,60}[0-9])[a-z0-9][\w.-]{4,60}?)(?=(?:-part[0-9]+)?(?:[\s\"',;:)]|\Z))"
# Makers of iSCSI targets and initiators: in front of a machine's name, or instead of it
_ISCSI = (
    r"(?:org\.(?:(?:free|true)nas(?:\.ctl)?|linux-iscsi|debian|freebsd|open-iscsi)"
    r"|com\.(?:synology|qnap|redhat|microsoft|vmware|ubuntu|sun|oracle|dell|hp|netapp|apple)|de\.suse)"
)
SERIAL_RULES: tuple[Rule, ...] = (
    # udev: the model and the serial number in one value
    at_word(
        "serial",
        "id_serial=",
        fits=r"id_serial=[\"']?(?:[^\n\"'_]{1,40}_){0,9}(?P<v1>(?=[^\s\"'_]{0,40}[0-9])[^\s\"'_]{4,40})",
    ),
    *label_rules("serial"),
    # one without a digit, behind a colon
    at_word(
        "serial",
        *begins(*SERIAL_NAMES),
        fits=(
            rf"(?<![a-z0-9]){SPELLED}\.?[\"']?[ \t]{{0,20}}[:=\uff1a][ \t\"'`]{{0,20}}"
            r"(?P<v1>[a-z]{6,20})(?![\w-])"
        ),
        accepts=is_in_capitals,
    ),
    at_word("serial", "seri", "séri", "sèri", fits=labelled(_LATIN), accepts=is_plain),
    at_word("serial", "ro de s", "ro di s", fits=labelled("ro d[ei] s[eé]rie"), accepts=is_labelled),
    at_word("serial", "сер", "σειρ", fits=labelled(_OTHERS), accepts=is_labelled),
    # the label on a separate line, and in tags
    at_line(
        "serial",
        *begins(*SERIAL_NAMES),
        fits=(
            rf"[ \t\"'|]{{0,20}}{SPELLED}\.?[ \t\"':|]{{0,20}}\n"
            r"[ \t\"'|]{0,20}(?P<v1>(?=[\w-]{0,40}[0-9])[\w-]{4,40})[. \t\"'|]{0,40}(?=\n|\Z)"
        ),
    ),
    at_word(
        "serial",
        "serial",
        fits=rf"serial[\w:.-]{{0,20}}[ ][^>\n]{{1,80}}>[ \t\n]{{0,20}}{VALUE}(?=[ \t\n]{{0,20}}<)",
    ),
    at_word(
        "serial",
        *("no", "nr", "n°", "nº", "№"),
        fits=rf"(?<![\w.])(?:n[or]\.?|n[°º]|№)[ :#]{{0,3}}{VALUE}",
        accepts=is_strong,
    ),
    at_word("serial", "#", fits=rf"#(?<![\w&#]#)[ ]?{VALUE}", accepts=is_strong),
    at_word("serial", "lunname", fits=r"lunname[:>][ \t]*(?P<v1>[^\s<][^\n<]{3,80})"),
    # MegaCLI: of SATA devices the serial number comes first, of SAS devices last; the fields have their widths
    at_word(
        "serial",
        "inquiry data",
        fits=rf"inquiry data:?[ \t]*(?P<v1>{_DIGIT_AHEAD}[\w-]{{6,20}}?){_MAKER})",
    ),
    at_word(
        "serial",
        "inquiry data",
        fits=rf"inquiry data:?[ \t]*[a-z]{{2,20}}[ \t][^\n]{{1,60}}[ \t](?P<v1>{_DIGIT_AHEAD}[\w-]{{6,40}})[ \t]*$",
    ),
    # openSeaChest parts its fields by dashes
    at_line(
        "serial",
        " - ",
        fits=(
            r"/dev/\S{1,40} - [^\n]{1,60}? - (?P<v1>(?=[\w-]{0,40}[0-9])[\w-]{4,40}) - "
            r"\S{1,20} - (?:ata|scsi|nvme|sata|sas)"
        ),
    ),
    # nvme list of version 0.x: "/dev/nvme0n1: NVM Express - 0x144d - MODEL   SERIAL - 0"
    at_word(
        "serial",
        "nvm express - ",
        fits=r"nvm express - 0x[0-9a-f]{4} - [^\n]{1,60}[ ](?P<v1>(?=[\w%-]{0,40}[0-9])[\w%-]{6,40})[ ]- ",
    ),
    at_word("serial", "iserial", fits=rf"iserial[ \t]{{1,30}}[0-9]{{1,3}}[ ]{VALUE}"),
    # a row of nvme list: node, serial number, model, namespace, usage
    at_line(
        "serial",
        "/dev/nvme",
        fits=(
            r"[ \t]*/dev/nvme\S{1,12}[ \t]{1,20}(?:/dev/ng\S{1,12}[ \t]{1,20})?(?P<v1>[a-z0-9][\w-]{4,39})[ ]{1,30}"
            r"\S[^\n]{0,60}?[ ](?:0x)?[0-9a-f]{1,8}[ ]{1,20}[0-9.]{1,8}[ ]{1,4}[kmgtp]?i?b /"
        ),
    ),
    # of an NVMe subsystem: the serial number behind the numbers of the vendor, or as the last part
    at_word("serial", "nvmexpress:", fits=r"nvmexpress:(?!uuid)[0-9a-f]{8}(?P<v1>[\w-]{4,40})"),
    at_word(
        "serial",
        "nqn.",
        fits=(
            r"nqn\.[\w.-]{1,60}(?::[\w. -]{1,60}){0,8}:(?:nvm-subsystem-sn-|sn)?"
            r"(?P<v1>(?=[\w.-]{0,60}[0-9])[\w-]{4,60})(?![\w:-]|[ ][\w ]{0,20}:)"
        ),
    ),
    at_word("host", "iqn.", fits=r"iqn\.[0-9]{4}-[0-9]{2}\.[\w.-]{1,80}:(?P<v1>[\w.:-]{1,80})"),
    at_word(
        "host",
        "iqn.",
        fits=rf"iqn\.[0-9]{{4}}-[0-9]{{2}}\.(?!{_ISCSI}(?![\w.-]))(?:{_ISCSI}\.)?+(?P<v1>[\w-][\w.-]{{0,79}})",
    ),
    # a page of SCSI's as bytes, below its title
    *(
        at_line(
            "serial",
            *("serial number", "identification", "inquiry data", "inquiry page"),
            fits=(
                r"[^\n]{0,80}(?:serial number|identification|inquiry)[^\n]{0,40}\n"
                rf"(?>{BYTES_ROW}\n){{{above}}}(?P<v1>{BYTES_ROW})[ \t]*$"
            ),
        )
        for above in range(6)
    ),
    # ESXi fills up its fields with underscores
    at_word(
        "serial",
        "t10.",
        fits=r"t10\.[a-z0-9]{1,8}_{1,8}[\w.-]{1,80}?_{2,40}(?P<v1>(?=[a-z0-9]{0,40}[0-9])[a-z0-9]{6,40})(?![a-z0-9_])",
    ),
    # smartd's files, and names of disks that hold the model as well
    at_word(
        "serial",
        *("smartd.", "attrlog."),
        fits=r"(?:smartd|attrlog)\.[\w.]{1,80}-(?P<v1>[\w-]{4,40}?)\.(?:ata|scsi|nvme)\.",
    ),
    by_shape(
        "serial",
        fits=(
            rf"_(?P<v1>{_DIGIT_AHEAD}[a-z0-9-]{{6,40}})(?:-[0-9]:[0-9])?"
            r"[ ]\((?:sd[a-z]{1,2}|nvme[0-9]n[0-9]|a?da[0-9]{1,3})\)"
        ),
        hint=r" \((?:sd[a-z]|nvme[0-9]|a?da[0-9])",
    ),
    at_word("serial", "{serial", fits=rf"\{{serial(?:_lunid)?\}}(?P<v1>{_DIGIT_AHEAD}[a-z0-9-]{{4,40}})"),
    # device nodes of transports that no tool rule knows
    at_word("serial", "/by-id/", fits=rf"/by-id/(?!wwn-|nvme-|dm-|lvm-|md-)[a-z0-9]{{2,12}}-{_NODE_NAME}"),
    at_word("serial", "virtio-", "ieee1394-", fits=rf"(?<![\w/.-])(?:virtio|ieee1394)-{_NODE_NAME}"),
)

_POOL_STATES = (
    "unavail",
    "offline",
    "removed",
    "faulted",
    "degraded",
    "online",
    "avail",
    "inuse",
    "was /dev",
)


def _is_mixed(_match: re.Match[str], value: str) -> bool:
    return is_mixed(value)


NAME_RULES: tuple[Rule, ...] = (
    *label_rules("wwn"),
    at_word("wwn", "guid", fits=rf"guid(?:s|_sum)?{MARK}{{1,40}}{GUID}"),
    # LVM's
    at_word(
        "wwn",
        "uuid",
        fits=rf"uuid{BETWEEN}(?P<v1>[a-z0-9]{{6}}(?:-[a-z0-9]{{4}}){{5}}-[a-z0-9]{{6}})(?![a-z0-9])",
    ),
    at_word("wwn", "lvm-pv-uuid-", fits=r"lvm-pv-uuid-(?P<v1>[a-z0-9]{6}(?:-[a-z0-9]{4}){5}-[a-z0-9]{6})"),
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>(?=[a-z-]{0,31}\d)[a-z0-9]{6}(?:-[a-z0-9]{4}){5}-[a-z0-9]{6})(?![\w-])",
        hint=r"-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{6}(?![\w-])",
    ),
    # a datastore's of ESXi
    by_shape(
        "wwn",
        "hhhhhhhh-hhhhhhhh-hhhh-hhhhhhhhhhhh",
        fits=r"(?<![\w-])(?P<v1>[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])",
    ),
    # the identifier of a FAT file system
    by_shape("wwn", "hhhh-hhhh", fits=r"(?<![\w-])(?P<v1>[0-9a-f]{4}-[0-9a-f]{4})[ ]->[ ]"),
    at_line(
        "serial",
        "slot ",
        fits=(
            r"[ \t]*slot[ ]\d{1,3}[ \t]{1,8}\w{2,10}[ \t]{1,20}[^\n]{4,60}?[ ]{2,30}(?P<v1>[a-z0-9]{7,20})"
            r"[ ]{1,30}\d[\d.]{0,5}[gt]"
        ),
        accepts=_is_mixed,
    ),
    at_word("serial", "serial-no", fits=r"serial-no'[^\n]{0,60}\n[ \t]{0,40}value='(?P<v1>[^'\n]{4,40})'"),
    at_word(
        "serial",
        "naa.",
        fits=r"naa\.[0-9a-f\0]{16,32}[ \t]{1,20}(?P<v1>[a-z0-9]{8,20})[ \t]*$",
        accepts=_is_mixed,
    ),
    # a device that is missing from a pool, by its GUID
    at_line(
        "wwn",
        *_POOL_STATES,
        fits=(
            r"[ \t>]{0,40}(?P<v1>[0-9]{8,20})[ \t]{1,80}"
            r"(?:unavail|offline|removed|faulted|degraded|online|avail|inuse)"
        ),
    ),
    at_word(
        "wwn",
        "zpool ",
        fits=(
            r"zpool (?:replace|offline|online|detach|attach|remove|clear|import)[ ]"
            r"[^\n]{0,60}?[ ]?(?P<v1>(?<![\w.])[0-9]{8,20})(?![\w.])"
        ),
    ),
)

PROMPT = r"(?:[^\n]{0,80}?[#$%>][ ]?)?(?:(?:sudo|doas)[ ])?(?:/\S{1,40}/)?"
_BELOW = r"[ \t]*(?:(?:;|&&|\|)[^\n]{0,60})?\n[\s>|]{0,8}"
_END = r"[ \t]*(?=\n|\Z)"
_NAME_BELOW = rf"(?P<v1>(?:[a-z]|\d{{1,6}}[a-z])[\w.-]{{1,99}}){_END}"
_SERIAL_BELOW = rf"(?P<v1>(?=[\w-]{{0,40}}[0-9])[a-z0-9][\w-]{{3,40}}){_END}"

ANSWER_RULES = (
    # a line for each device of a loop
    *(
        at_line(
            "serial",
            "diskinfo -s",
            fits=(
                rf"[^\n]{{0,120}}diskinfo[ ]-s[ ][^\n]{{1,120}}\n(?:[\w-]{{6,24}}\n){{{above}}}"
                r"(?P<v1>[\w-]{6,24})[ \t]*$"
            ),
            accepts=_is_mixed,
        )
        for above in range(8)
    ),
    at_line(
        "host",
        *("hostname", "uname -n", "scutil", "nodename", "computername"),
        fits=(
            rf"{PROMPT}(?:hostname(?:[ ]-{{1,2}}\w{{1,10}})?|uname[ ]-n|(?:cat|more|less)[ ]/etc/(?:hostname"
            r"|nodename)"
            r"|hostnamectl[ ](?:hostname|--static)|scutil[ ]--get[ ]\w{1,20}|sysctl[ ]-n[ ]kern(?:el)?\.hostname"
            rf"|echo[ ][\"']?\$\{{?(?:hostname|host|env:computername)\}}?[\"']?|\$env:computername)"
            rf"{_BELOW}{_NAME_BELOW}"
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
            rf"|(?:echo[ ])?[\"']?\$\{{?(?:user|logname|env:username)\}}?[\"']?){_BELOW}{_NAME_BELOW}"
        ),
    ),
    at_line(
        "serial",
        *("diskinfo -s", "camcontrol inquiry", "lsblk", "/serial"),
        fits=(
            rf"{PROMPT}(?:diskinfo[ ]-s[ ][^\n]{{1,60}}|camcontrol[ ]inquiry[ ](?:[^\n]{{1,40}}[ ]-s|-s[^\n]{{1,40}})"
            rf"|lsblk[ ][^\n]{{0,60}}serial[^\n]{{0,60}}|cat[ ]\S{{1,80}}serial){_BELOW}{_SERIAL_BELOW}"
        ),
    ),
    at_line(
        "serial",
        "serial",
        fits=rf"[^\n]{{0,80}}[#$%>][ ][a-z/][^\n]{{1,80}}serial[^\n]{{0,80}}{_BELOW}{_SERIAL_BELOW}",
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
