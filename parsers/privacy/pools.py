"""Masking rules on pools and data sets: mount points, volumes, the commands and tables of zpool and zfs.

In a path, a name made of common words ("tank", "ssd-pool2") may be any folder's, and isn't masked.
"""

import re
from collections.abc import Iterator

from parsers.privacy.names import DATA_SET, EACH_PART, FOLDERS, NOT_IN_NAMES, PART, is_chosen_name, is_unusual
from parsers.privacy.rules import Rule, Site, at_hint, at_line, at_word, by_shape, in_lines, is_value
from parsers.privacy.table import label_rules

HD_SIZE = r"hd size[^\n()]{1,60}\n?[^\n()]{0,20}\("
# Folders in the root of every system; any other one that is written to is a pool's
_NO_SYSTEM = (
    r"(?!(?:bin|boot|dev|etc|exports?|home|lib\w*|lost\+found|media|mnt|net|opt|proc|root|run|s?bin|srv|sys|tmp|users"
    r"|usr|var|vmfs|volumes?\d*)(?:/|\s|\Z))"
)
# Folders of devices that nobody named
_NO_DEVICES = (
    r"(?!(?:block|bus|by-\w+|char|cpu|disk|diskid|dri|dsk|fd|gpt|gptid|input|iso9660|label|mapper|md|mpath|msdosfs"
    r"|multipath|net|ntfs|nvme-fabrics|pts|raid|rdsk|rmt|shm|snd|ufs|ufsid|vfio|zvol|zfs)/)"
)
# Folders in the root of some systems and of web sites
_NO_SITE = (
    r"(?!(?:api|app|applications|assets|blog|c|cdrom|community|compat|config|contrib|cores|cygdrive|data|devices"
    r"|doc|docs|efi|en|export|foren|forums?|images?|index|init|kernel|library|members?|mirror|nix|org|platform|posts?"
    r"|private|pub|questions?|r|rescue|search|snap|static|store|system|threads?|topics?|u|user|v\d|w|wiki|wp-\w+"
    r"|zones|ceph|certs|daily\.\d+|letsencrypt|private_keys|renewal|vmimages|bootbank|locker|scratch|sysroot|volume\w+)/)"
)
# What paths begin with: the words to look for, and the pattern
_BEGINNINGS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("/mnt/", "/volumes/"), r"(?:/mnt/|(?:/vmfs)?/volumes/)"),
    (("/volume", "/share/"), r"(?<![\w.])/(?:volume\d{1,2}|share)/"),
    (("/",), rf"(?<![\w./~\\\0)\]}}>-])(?<!href=[\"'])/{_NO_SYSTEM}{_NO_SITE}(?=[\w.+-]{{2,60}}/[\w\s\"'])"),
    (("zvol/",), r"(?<![\w.])(?:/dev/)?zvol/(?:r?dsk/)?"),
    (("/dev/md/", "/dev/"), rf"(?<![\w.])/dev/(?:md/|{_NO_DEVICES}(?=[\w.+-]{{1,60}}/\w))"),
    (
        ("filename=", "file_name=", "directory=", "of=/", "if=/"),
        rf"(?:file_?name|directory|(?<![a-z])[io]f)=[\"']?/{_NO_SYSTEM}",
    ),
    ((" -f /", " -d /"), rf"[ ]-[fd][ ]/{_NO_SYSTEM}"),
    (("ioping ", "diskinfo "), rf"(?:ioping|diskinfo)[ ](?:-\w{{1,4}}[ ]\w{{0,8}}[ ]?){{0,6}}/{_NO_SYSTEM}"),
)
_SUBCOMMAND = (
    r"(?:add|attach|bookmark|change-key|checkpoint|clear|clone|create|destroy|detach|diff|(?:un)?allow|export"
    r"|groupspace|history|hold|holds|import|initialize|iostat|labelclear|list|(?:un)?load-key|mount|offline"
    r"|online|promote|projectspace|receive|recv|redact|release|reguid|remove|rename|reopen|replace|resilver|rollback"
    r"|scrub|send|set|share|snap|snapshot|split|status|sync|trim|umount|unmount|unshare|upgrade|userspace|wait)"
)
# Options with their values: "-o", "-t", "-x" and "-i" have one in any case, others if it can't be a pool
_VALUES = (
    r"(?:\d\S{0,19}|/\S{0,120}|@\S{1,80}|none|legacy|prompt|file:\S{1,120}|name|used|refer|avail|creation"
    r"|[a-z]{1,20}(?:,[a-z:@_]{1,30}){1,20})"
)
_ARGUMENTS = (
    rf"(?:-\w{{0,6}}[otxi][ ](?!-)\S{{1,120}}[ ]|-{{1,2}}[a-z-]{{1,20}}(?:=\S{{1,60}})?[ ](?:{_VALUES}[ ])?"
    r"|[\w:.@-]{1,60}=\S{1,60}[ ]|\d{1,20}[ ]){0,12}+"
)
_COMMAND = (
    rf"(?<![\w/.-])z(?:pool|fs)[ ](?:(?:get|inherit)[ ]{_ARGUMENTS}\S{{1,160}}[ ]|{_SUBCOMMAND}[ ])"
    rf"{_ARGUMENTS}"
)
_ZDB = r"(?<![\w/.-])zdb[ ](?:-\S{1,60}[ ]){1,8}"
_STATE = r"(?:online|degraded|faulted|unavail|offline|removed|suspended)"
_SIZE = r"[ \t]{1,40}[\d.]{1,15}[bkmgtp]?i?"
_BIG_SIZE = r"[ \t]{1,40}\d[\d.]{0,7}[mgtp]i?"
_PROPERTY = (
    r"(?:size|capacity|health|guid|load_guid|ashift|autotrim|available|used|referenced|recordsize|volsize|volblocksize"
    r"|compression|compressratio|sync|logbias|atime|relatime|primarycache|secondarycache|mountpoint|checksum|dedup"
    r"|copies|xattr|type|creation|readonly|quota|reservation|mlslabel|encryption|special_small_blocks)"
)
_VALUE = (
    r"(?:\d|-[ \t]|/|(?:on|off|lz4|zstd|gzip|standard|always|disabled|latency|throughput|all|metadata|none|legacy"
    r"|sa|dir|yes|no|filesystem|volume|snapshot|online|degraded)(?![\w-]))"
)
_ROW = "|".join(  # behind the name
    (
        rf"(?:{_SIZE}){{3}}[ \t]{{1,20}}(?:/|none|legacy|-[ \t]*(?=\n|\Z))",  # of zfs list
        rf"@\S{{1,100}}{_SIZE}[ \t]",  # of its snapshots
        rf"[ \t]{{1,40}}{_PROPERTY}[ \t]{{1,40}}{_VALUE}",  # of zfs get and zpool get
        rf"(?:{_BIG_SIZE}){{3}}(?![\w.])",  # of zpool list -v
        rf"(?:{_SIZE}){{3}}[ \t]{{1,20}}\d{{1,3}}%[ \t]{{1,20}}/",  # of df
        r"[ ]on[ ]/\S{0,200}[ ](?:\(zfs|type[ ]zfs)",  # of mount
    )
)


def _is_no_usual_set(_match: re.Match[str], value: str) -> bool:
    return not value.lower().startswith(("root", "data"))


# In the arguments of a command: in front of a slash or a snapshot, or behind a slash
_SETS = rf"(?<![^\s\"'\x60:=]){PART}(?=[/@#][\w\0%])|(?<=[\w\0.-]/){PART}"
_QUOTED = r"[\"'\u2018\u201c\x60]"

# What "zfs list -H -o name" prints, with nothing else
POOL_ANSWERS: tuple[Rule, ...] = (
    at_line(
        "pool",
        "-o name",
        fits=(
            r"[^\n]{0,120}?z(?:pool|fs)[ ]list[ ](?:-[^\s]{1,12}[ ](?:snapshot[ ])?){0,4}-o[ ]name[^\n]{0,60}\n"
            rf"(?P<v1>(?:(?!name[ \t]*\n){DATA_SET}(?:@\S{{1,100}})?[ \t]*(?:\n|\Z)){{1,40}})"
        ),
        accepts=is_chosen_name,
        parts=rf"(?<![@\w.-]){PART}(?=[/@\s]|\Z)",
    ),
)

POOL_RULES: tuple[Rule, ...] = (
    *(
        at_word("pool", *words, fits=f"{begin}(?P<v1>{FOLDERS})", accepts=is_chosen_name, parts=EACH_PART)
        for words, begin in _BEGINNINGS
    ),
    *label_rules("pool"),
    # zpool create -o ashift=12 POOL, zfs get all POOL/SET
    *(
        at_word(
            "pool",
            *words,
            fits=rf"{command}(?P<v1>(?!-|/|\d+\b){DATA_SET})(?=[\s/@#\"'`;)]|\Z)",
            accepts=is_chosen_name,
            parts=EACH_PART,
        )
        for words, command in ((("zpool ", "zfs "), _COMMAND), (("zdb ",), _ZDB))
    ),
    at_word(
        "pool",
        *("zfs ", "syncoid ", "zrep ", "zxfer "),
        fits=r"(?<![\w/.-])(?:zfs|syncoid|zrep|zxfer)[ ](?P<v1>[^\n|;&]{3,300})",
        accepts=is_chosen_name,
        parts=_SETS,
    ),
    # tables
    at_line("pool", "pool: ", fits=rf"[ \t>]{{0,8}}pool:[ \t]'?(?P<v1>{PART})'?[ \t]*$", accepts=is_unusual),
    at_word(
        "pool",
        "cksum",
        fits=rf"cksum[^\n]{{0,40}}\n[ \t>]{{0,12}}(?P<v1>{PART})[ \t]{{1,60}}{_STATE}",
        accepts=is_unusual,
    ),
    at_line(
        "pool",
        *("online", "degraded", "faulted", "unavail"),
        fits=rf"(?P<v1>{PART})(?:{_SIZE}){{3}}(?:[ \t]{{1,20}}[\d.%x-]{{1,8}}[kmgtp]?){{2,6}}[ \t]{{1,20}}{_STATE}",
        accepts=is_unusual,
    ),
    at_word(
        "pool",
        "alloc ",
        fits=rf"alloc[ ]{{1,20}}free[^\n]{{1,200}}\n[- ]{{20,300}}\n(?P<v1>{PART})[ ]",
        accepts=is_unusual,
    ),
    by_shape(
        "pool",
        fits=(
            rf"^[ >]{{0,8}}(?P<v1>{PART})(?:[ \t]{{1,30}}[\d.]{{1,8}}[kmgtp]){{2}}"
            r"(?:[ \t]{1,20}[\d.]{1,12}[kmg]?){4}[ \t]*$"
        ),
        hint=r"alloc[ ]{1,20}free",
        accepts=is_chosen_name,
    ),
    at_line(
        "pool",
        "\t",
        fits=rf"(?P<v1>{PART})(?:\t[\d.]{{1,20}}[kmgtp]){{2}}(?:\t[\d.]{{1,20}}[kmg]?){{4}}[ \t]*$",
        accepts=is_chosen_name,
    ),
    by_shape(
        "pool",
        fits=rf"(?<![^\n])(?P<v1>{DATA_SET})(?:{_ROW})",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_line(
        "pool",
        *("online", "degraded", "faulted", "unavail", "removed", "offline"),
        fits=rf"[ \t>]{{0,20}}(?P<v1>{PART})[ \t]{{1,60}}{_STATE}(?:[ \t]{{1,20}}\d[\d.]{{0,6}}[km]?){{3}}",
        accepts=is_chosen_name,
    ),
    at_hint(
        "pool",
        fits=rf"[ \t>]{{0,12}}(?P<v1>{DATA_SET})(?:@[\w.:-]{{1,100}})?:<0x[0-9a-f]{{1,8}}>",
        hint=":<0x[0-9a-f]",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word(
        "pool",
        "zfs_member ",
        fits=rf"zfs_member[ \t]+(?:\d+[ \t]+)?(?P<v1>{PART})(?=\s)",
        accepts=is_chosen_name,
    ),
    # fstab, the table of mounts
    in_lines(
        "pool",
        "zfs",
        fits=(
            rf"(?<!\S)(?P<v1>{DATA_SET})[ \t]{{1,60}}(?:(?:/|none)\S{{0,200}}[ \t]{{1,60}}zfs[ \t]{{1,40}}\S"
            r"|zfs[ \t]{1,40}r[ow][,\s])"
        ),
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # other rows that begin with a data set, or end as those of zfs get
    at_line(
        "pool",
        "/",
        fits=(
            rf"(?P<v1>[^{NOT_IN_NAMES}.][^{NOT_IN_NAMES}]{{1,59}}(?:/(?!(?:s|sec|io|min|op|a)[ \t]){PART}){{1,8}})"
            r"(?:@\S{1,100})?(?:[ ]{2,80}|\t)[^\s/|(]"
        ),
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_line(
        "pool",
        *("-", "local", "default", "received", "inherited"),
        fits=(
            rf"(?P<v1>{DATA_SET})(?:@\S{{1,100}})?(?:[ ]{{2,60}}|\t)[a-z][a-z0-9_@.:]{{2,60}}(?:[ ]{{2,60}}|\t)"
            r"\S[^\n\t]{0,80}?(?:[ ]{2,60}|\t)(?:-|local|default|received|inherited from \S{1,120})[ \t]*$"
        ),
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # items of Zabbix, loops of a shell
    in_lines(
        "pool",
        *("zpool", "zfs"),
        fits=rf"(?<![\w/])z(?:pool|fs)\.[\w.]{{1,40}}\[\"?(?P<v1>{DATA_SET})[\"\],]",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word(
        "pool",
        "for ",
        fits=rf"for \w{{1,20}} in (?P<v1>{DATA_SET}(?:[ ]{DATA_SET}){{0,12}})[ ]?;[^\n]{{1,100}}z(?:pool|fs)[ ]",
        accepts=is_chosen_name,
        parts=r"[^/\s]+",
    ),
    # zfs mount
    at_line(
        "pool",
        *("  /", "\t/"),
        fits=rf"(?P<v1>{PART}(?:/{PART}){{1,8}})(?:[ ]{{2,80}}|\t)/[^\s:]{{0,200}}[ \t]*$",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # zfs diff
    at_line(
        "pool",
        "\t/",
        fits=rf"[mr+-]\t(?:[bcdfps|@=>/]\t)?/{_NO_SYSTEM}(?P<v1>{FOLDERS})",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # sections of sanoid's settings
    at_line(
        "pool",
        "[",
        fits=rf"\[(?P<v1>{PART}(?:/{PART}){{1,8}})\][ \t]*$",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # settings and messages
    at_word(
        "pool",
        "pools",
        fits=rf"pools\"?[ ]?[:=][ \n]{{0,20}}[\[{{][ \n]{{0,20}}\"(?P<v1>{PART})\"",
        accepts=is_chosen_name,
    ),
    at_line(
        "pool",
        "pool ",
        fits=rf"[ \t]{{1,8}}pool[ ](?P<v1>{DATA_SET})[ \t]*$",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word("pool", "zfs=", "zfs:", fits=rf"(?<![\w-])zfs[=:](?P<v1>{PART})(?=/)", accepts=is_chosen_name),
    in_lines(
        "pool",
        *(
            "cannot ",
            "pool",
            "dataset",
            "filesystem",
            "snapshot",
            "destination",
            "volume",
            "passphrase",
            "key",
        ),
        *("/dev/",),
        fits=(
            r"(?:cannot[ ]\w{2,12}(?:[ ][\w-]{2,12}){0,2}|pool|dataset|filesystem|snapshots?|destination|volume"
            rf"|passphrase for|provided for|device)[ ]{_QUOTED}/?(?P<v1>{DATA_SET})(?=['\"\u2019\u201d`/@#])"
        ),
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word(
        "pool",
        "name: '",
        fits=rf"name: '(?P<v1>{PART})'(?=\n(?:[^\n]*\n){{0,5}}[^\n]*(?:pool_guid|state|txg))",
        accepts=is_chosen_name,
    ),
    at_word(
        "pool",
        "dataset ",
        fits=rf"dataset[ ](?P<v1>{DATA_SET})(?=[ ]\[z)",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word("pool", "kstat", fits=r"kstat[./]zfs[./](?P<v1>[\w-]{2,60})(?=[./])", accepts=is_chosen_name),
    at_word(
        "pool",
        "dataset_name",
        fits=rf"dataset_name[ \t:]{{1,40}}(?:\d[ \t]{{1,20}})?(?P<v1>{DATA_SET})",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word("pool", "(zfs ", fits=rf"\(zfs[ ](?P<v1>{PART})(?=[/ ])", accepts=is_chosen_name),
    # zfs get userquota@somebody
    at_line(
        "pool",
        *("userquota@", "userused@", "groupquota@", "groupused@"),
        fits=rf"(?P<v1>{DATA_SET})[ \t]{{1,40}}(?:user|group)(?:quota|used)@",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    at_word("pool", "/dev/mapper/", fits=rf"/dev/mapper/(?P<v1>{PART})", accepts=is_chosen_name),
    at_word(
        "pool",
        "label=",
        fits=r"(?<![a-z])label=(?:\"(?=[^\"\n]{1,60}\"))?(?P<v1>(?:(?<=\")[^\"\n]{1,60}|[^\s\"',]{1,60}))",
        accepts=is_chosen_name,
    ),
    at_line(
        "pool",
        *("volume name", "volume label", "device name", "array name", "filesystemlabel", "drive label"),
        fits=(
            r"[ \t|]{0,20}(?:volume[ ](?:name|label)|logical[ ]device[ ]name|array[ ]name|filesystemlabel"
            r"|logical[ ]drive[ ]label)[ \t]{0,40}[:=][ \t]{0,40}(?P<v1>[^\s:][^\n]{0,60})"
        ),
        accepts=is_chosen_name,
    ),
    # a data set's snapshot
    by_shape(
        "pool",
        fits=rf"(?<![^\s\"'(])(?<!\d[ ])(?P<v1>{DATA_SET})@[\w.:%-]{{1,100}}(?=[\s\"',)]|\Z)",
        hint=r"/[\w.:-]{1,60}@\w",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    by_shape(
        "pool",
        fits=rf"(?<=[ ])(?P<v1>{DATA_SET})[ ]\(~[ ]?\d",
        hint=r"[ ]\(~[ ]?\d",
        accepts=is_chosen_name,
        parts=EACH_PART,
    ),
    # what pveperf ran on
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}(?P<v1>\w[^()\s:/]{{0,99}})(?=[/)\s]|\Z)",
        accepts=is_unusual,
    ),
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}\w[^()\s:/]{{0,99}}/(?P<v1>[^()\s:]{{1,200}})",
        accepts=_is_no_usual_set,
    ),
)

_BELOW = re.compile(
    rf"\[pool-\d{{1,6}}\]/(?P<rest>(?:(?:{PART}|\[pool-\d{{1,6}}\])/){{0,8}}(?:{PART}(?=[\s@#\"',;:)]|\Z))?)"
)
_NAME_BELOW = re.compile(rf"{PART}(?=/|\Z)")


def sets_below(text: str) -> Iterator[Site]:
    """The data sets in paths that begin with a pool's mask."""
    for path in _BELOW.finditer(text) if "[pool-" in text else ():
        for part in _NAME_BELOW.finditer(path["rest"]):
            name, place = part[0], path.start("rest") + part.start()
            is_file = "." in name and part.end() == len(path["rest"])
            if is_value(name, "pool") and is_chosen_name(part, name) and not is_file:
                yield Site(place, place + len(name), "pool", name)
