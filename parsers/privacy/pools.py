"""Masking rules on pools and data sets: mount points, volumes, the commands and tables of zpool and zfs.

In a path, a name made of common words ("tank", "ssd-pool2") may be any folder's, and isn't masked.
"""

import re

from parsers.privacy.rules import Rule, at_hint, at_line, at_word, by_shape
from parsers.privacy.words import COMMANDS, COMMON_WORDS, NO_NAME, STORAGE_WORDS, USUAL_POOLS

HD_SIZE = r"hd size[^\n()]{1,60}\n?[^\n()]{0,20}\("
_WORDS = COMMON_WORDS | COMMANDS | NO_NAME | STORAGE_WORDS
_SHORTEST_JOINED = 3  # letters of a word within a longer one: "ssdpool" is two, "markus" isn't
_DISK = re.compile(
    r"(?:sd|vd|xvd|hd)[a-z]{1,3}\d*|c\d{1,3}t[0-9a-f]{1,20}d\d{1,3}(?:[sp]\d+)?|mpath[a-z]{1,2}\d*"
)
_NO_LETTERS = re.compile(r"[\W\d_]+")

_DEEPEST = 6  # data sets below each other
PART = r"[^\s/\\:;,|\"'`@()\[\]<>{}*$%#=]{1,60}"  # of a path
_PARTS = tuple(f"{PART}/" * depth for depth in range(_DEEPEST))
_END = r"(?=[\s\]\"'#$%>:,;)]|\Z)"
_MOUNTS = ("/mnt/", "/volumes/", "zvol/")
_MOUNTED = r"(?:/mnt/|(?:/vmfs)?/volumes/|(?<![\w.])(?:/dev/)?zvol/(?:r?dsk/)?)"
_OPTIONS = ("filename=", "file_name=", "directory=", "of=/", "if=/")
# Folders in the root of every system; any other one that is written to is a pool's
_NO_SYSTEM = (
    r"(?!(?:bin|boot|dev|etc|exports?|home|lib\w*|lost\+found|media|mnt|net|opt|proc|root|run|s?bin|srv|sys|tmp|users"
    r"|usr|var|vmfs|volumes?\d*)(?:/|\s|\Z))"
)
_OPTION = rf"(?:file_?name|directory|(?<![a-z])[io]f)=[\"']?/{_NO_SYSTEM}"
_SUBCOMMAND = (
    r"(?:add|attach|clear|clone|create|destroy|detach|export|history|import|initialize|inherit|iostat|labelclear"
    r"|list|load-key|mount|offline|online|promote|receive|recv|remove|rename|reopen|replace|resilver|rollback|scrub"
    r"|send|snapshot|split|status|sync|trim|unmount|upgrade)"
)
_ARGUMENTS = r"(?:-o[ ]\S{1,60}[ ]|-{1,2}[a-z]{1,12}[ ](?:\d\S{0,9}[ ])?|[\w:.-]{1,40}=\S{1,60}[ ]){0,8}"
_COMMAND = rf"(?<![\w/.-])z(?:pool|fs)[ ](?:{_SUBCOMMAND}|[gs]et[ ]{_ARGUMENTS}\S{{1,120}})[ ]{_ARGUMENTS}"
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


def _is_unusual(_match: re.Match[str], value: str) -> bool:
    """Whether it is neither a name from an installer or a handbook nor a file system without a device."""
    return value.lower() not in USUAL_POOLS


def _is_no_usual_set(_match: re.Match[str], value: str) -> bool:
    return not value.lower().startswith(("root", "data"))


def is_chosen_name(_match: re.Match[str], value: str) -> bool:
    """Whether somebody chose the name, and it isn't just common words or the name of a disk."""
    name = value.lower()
    return _DISK.fullmatch(name) is None and not all(_is_usual(part) for part in _NO_LETTERS.split(name))


def _is_chosen_folder(match: re.Match[str], value: str) -> bool:
    """Whether the last part of a path is a data set with a chosen name, not a file."""
    return "." not in value and is_chosen_name(match, value)


def _is_usual(letters: str) -> bool:
    """Whether it is a common word, several written as one, or too short to be distinctive."""
    if len(letters) < _SHORTEST_JOINED or letters in _WORDS:
        return True
    ends = {0}
    for end in range(_SHORTEST_JOINED, len(letters) + 1):
        if any(end - start >= _SHORTEST_JOINED and letters[start:end] in _WORDS for start in ends):
            ends.add(end)
    return len(letters) in ends


def _path_rules(words: tuple[str, ...], begin: str) -> tuple[Rule, ...]:
    """The rules on each part of a path: POOL/SET/SET/file."""
    return (
        *(
            at_word("pool", *words, fits=rf"{begin}{above}(?P<v1>{PART})(?=/)", accepts=is_chosen_name)
            for above in _PARTS
        ),
        *(
            at_word("pool", *words, fits=rf"{begin}{above}(?P<v1>{PART}){_END}", accepts=_is_chosen_folder)
            for above in _PARTS
        ),
    )


POOL_RULES: tuple[Rule, ...] = (
    *_path_rules(_MOUNTS, _MOUNTED),
    *_path_rules(_OPTIONS, _OPTION),
    # zpool create -o ashift=12 POOL, zfs get all POOL/SET
    at_word(
        "pool",
        *("zpool ", "zfs "),
        fits=rf"{_COMMAND}(?P<v1>(?!-|/|\d+\b){PART})(?=[\s/@]|\Z)",
        accepts=is_chosen_name,
    ),
    *(
        at_word(
            "pool",
            "zfs ",
            fits=rf"{_COMMAND}{above}(?P<v1>{PART})(?=[\s/@]|\Z)",
            accepts=is_chosen_name,
        )
        for above in _PARTS[1:]
    ),
    # tables
    at_line("pool", "pool: ", fits=rf"[ \t>]{{0,8}}pool:[ \t]'?(?P<v1>{PART})'?[ \t]*$", accepts=_is_unusual),
    at_word(
        "pool",
        "cksum",
        fits=rf"cksum[^\n]{{0,40}}\n[ \t>]{{0,12}}(?P<v1>{PART})[ \t]{{1,60}}{_STATE}",
        accepts=_is_unusual,
    ),
    at_line(
        "pool",
        *("online", "degraded", "faulted", "unavail"),
        fits=rf"(?P<v1>{PART})(?:{_SIZE}){{3}}(?:[ \t]{{1,20}}[\d.%x-]{{1,8}}[kmgtp]?){{2,6}}[ \t]{{1,20}}{_STATE}",
        accepts=_is_unusual,
    ),
    at_word(
        "pool",
        "alloc ",
        fits=rf"alloc[ ]{{1,20}}free[^\n]{{1,200}}\n[- ]{{20,300}}\n(?P<v1>{PART})[ ]",
        accepts=_is_unusual,
    ),
    *(
        by_shape(
            "pool",
            fits=rf"(?<![^\n]){above}(?P<v1>{PART})(?:/\S{{0,200}})?(?:{_ROW})",
            accepts=is_chosen_name,
        )
        for above in _PARTS[:4]
    ),
    at_line(
        "pool",
        *("online", "degraded", "faulted", "unavail", "removed", "offline"),
        fits=rf"[ \t>]{{0,20}}(?P<v1>{PART})[ \t]{{1,60}}{_STATE}(?:[ \t]{{1,20}}\d[\d.]{{0,6}}[km]?){{3}}",
        accepts=is_chosen_name,
    ),
    at_hint(
        "pool",
        fits=rf"[ \t>]{{0,12}}(?P<v1>{PART})(?:/\S{{0,200}})?:<0x[0-9a-f]{{1,8}}>",
        hint=":<0x[0-9a-f]",
        accepts=is_chosen_name,
    ),
    at_word(
        "pool",
        "zfs_member ",
        fits=rf"zfs_member[ \t]+(?:\d+[ \t]+)?(?P<v1>{PART})(?=\s)",
        accepts=is_chosen_name,
    ),
    by_shape(
        "pool",
        fits=rf"(?<!\S)(?P<v1>{PART})(?:/\S{{0,200}})?[ \t]{{1,60}}zfs[ \t]{{1,40}}r[ow][,\s]",
        hint=r"[ \t]zfs[ \t]{1,40}r[ow][,\s]",
        accepts=is_chosen_name,
    ),
    # labels, keys and settings
    at_word(
        "pool",
        *("pool=", "pool =", "poolname", "pool_name", 'pool"'),
        fits=rf"(?<![a-z])pool(?:_?name)?\"?[ ]{{0,20}}[=:][ ]{{0,20}}[\"']?(?P<v1>{PART})",
        accepts=is_chosen_name,
    ),
    at_word(
        "pool",
        "pools",
        fits=rf"pools\"[ ]?:[ \n]{{0,20}}\{{[ \n]{{0,20}}\"(?P<v1>{PART})\"",
        accepts=is_chosen_name,
    ),
    at_line(
        "pool",
        "pool ",
        fits=rf"[ \t]{{1,8}}pool[ ](?P<v1>{PART})(?:/\S{{0,100}})?[ \t]*$",
        accepts=is_chosen_name,
    ),
    at_line("pool", "zfspool: ", fits=rf"zfspool:[ ](?P<v1>{PART})", accepts=is_chosen_name),
    at_word("pool", "zfs=", "zfs:", fits=rf"(?<![\w-])zfs[=:](?P<v1>{PART})(?=/)", accepts=is_chosen_name),
    at_word(
        "pool",
        *("cannot ", "pool '", "dataset '"),
        fits=rf"(?:cannot[ ]\w{{2,12}}(?:[ ]\w{{2,12}})?|pool|dataset)[ ]'(?P<v1>{PART})(?=['/@])",
        accepts=is_chosen_name,
    ),
    at_word(
        "pool",
        "name: '",
        fits=rf"name: '(?P<v1>{PART})'(?=\n(?:[^\n]*\n){{0,5}}[^\n]*pool_guid)",
        accepts=is_chosen_name,
    ),
    at_word(
        "pool",
        "dataset ",
        fits=rf"dataset[ ](?P<v1>{PART})(?=(?:/\S{{0,100}})?[ ]\[z)",
        accepts=is_chosen_name,
    ),
    *(
        at_word(
            "pool",
            "dataset ",
            fits=rf"dataset[ ]{above}(?P<v1>{PART})(?=(?:/\S{{0,100}})?[ ]\[z)",
            accepts=is_chosen_name,
        )
        for above in _PARTS[1:4]
    ),
    at_word("pool", "kstat", fits=r"kstat[./]zfs[./](?P<v1>[\w-]{2,60})(?=[./])", accepts=is_chosen_name),
    at_word(
        "pool",
        "dataset_name",
        fits=rf"dataset_name[ \t:]{{1,40}}(?:\d[ \t]{{1,20}})?(?P<v1>{PART})",
        accepts=is_chosen_name,
    ),
    at_word("pool", "(zfs ", fits=rf"\(zfs[ ](?P<v1>{PART})(?=[/ ])", accepts=is_chosen_name),
    at_word("pool", "/dev/mapper/", fits=rf"/dev/mapper/(?P<v1>{PART})", accepts=is_chosen_name),
    at_word("pool", "label=", fits=r"(?<!part)label=\"(?P<v1>[^\"\n]{1,60})\"", accepts=is_chosen_name),
    at_line(
        "pool",
        *("volume name", "volume label", "device name", "array name", "filesystemlabel", "drive label"),
        fits=(
            r"[ \t|]{0,20}(?:volume[ ](?:name|label)|logical[ ]device[ ]name|array[ ]name|filesystemlabel"
            r"|logical[ ]drive[ ]label)[ \t]{0,40}[:=][ \t]{0,40}(?P<v1>[^\s:][^\n]{0,60})"
        ),
        accepts=is_chosen_name,
    ),
    # a data set's snapshot, and files of a pool that is mounted in the root
    by_shape(
        "pool",
        fits=rf"(?<![^\s\"'])(?P<v1>{PART})(?=/[\w./:-]{{1,100}}@[\w.:-]{{1,100}}(?:[\s\"']|\Z))",
        hint=r"/[\w.:-]{1,60}@\w",
        accepts=is_chosen_name,
    ),
    *_path_rules((" -f /",), rf"[ ]-f[ ]/{_NO_SYSTEM}"),
    *_path_rules(
        ("ioping ", "diskinfo "), rf"(?:ioping|diskinfo)[ ](?:-\w{{1,4}}[ ]\w{{0,8}}[ ]?){{0,6}}/{_NO_SYSTEM}"
    ),
    by_shape(
        "pool",
        fits=rf"(?<=[ ])(?P<v1>{PART})(?:/\S{{0,100}})?[ ]\(~[ ]?\d",
        hint=r"[ ]\(~[ ]?\d",
        accepts=is_chosen_name,
    ),
    # what pveperf ran on
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}(?P<v1>\w[^()\s:/]{{0,99}})(?=[/)\s]|\Z)",
        accepts=_is_unusual,
    ),
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}\w[^()\s:/]{{0,99}}/(?P<v1>[^()\s:]{{1,200}})",
        accepts=_is_no_usual_set,
    ),
)
