"""How a text names a pool or a data set: mount points, volumes, the commands and tables of zpool and zfs.

In a path, a name made of common words ("tank", "ssd-pool2") may be any folder's, and stays.
"""

import re

from parsers.privacy.rules import Rule, at_hint, at_line, at_word
from parsers.privacy.words import COMMANDS, COMMON_WORDS, NO_NAME, STORAGE_WORDS, USUAL_POOLS

HD_SIZE = r"hd size[^\n()]{1,60}\n?[^\n()]{0,20}\("
_WORDS = COMMON_WORDS | COMMANDS | NO_NAME | STORAGE_WORDS
_SHORTEST_JOINED = 3  # letters of a word within a longer one: "ssdpool" is two, "markus" isn't
_NO_LETTERS = re.compile(r"[\W\d_]+")

_DEEPEST = 6  # data sets below each other
_PART = r"[^\s/\\:;,|\"'`@()\[\]<>{}*$%#=]{1,60}"  # of a path
_PARTS = tuple(f"{_PART}/" * depth for depth in range(_DEEPEST))
_END = r"(?=[\s\]\"'#$%>:,;)]|\Z)"
_MOUNTS = ("/mnt/", "/volumes/", "zvol/")
_MOUNTED = r"(?:/mnt/|(?:/vmfs)?/volumes/|(?<![\w.])(?:/dev/)?zvol/(?:r?dsk/)?)"
_OPTIONS = ("filename=", "file_name=", "directory=", "of=/", "if=/")
# Folders in the root of every system; another one that is written to is a pool's
_OPTION = (
    r"(?:file_?name|directory|(?<![a-z])[io]f)=[\"']?/(?!(?:bin|boot|dev|etc|exports?|home|lib\w*|lost\+found|media|mnt"
    r"|net|opt|proc|root|run|s?bin|srv|sys|tmp|users|usr|var|vmfs|volumes?\d*)(?:/|\s|\Z))"
)
_SUBCOMMAND = (
    r"(?:add|attach|clear|clone|create|destroy|detach|export|history|import|initialize|inherit|iostat|labelclear"
    r"|list|load-key|mount|offline|online|promote|receive|recv|remove|rename|reopen|replace|resilver|rollback|scrub"
    r"|send|snapshot|split|status|sync|trim|unmount|upgrade)"
)
_ARGUMENTS = r"(?:-o[ ]\S{1,60}[ ]|-{1,2}[a-z]{1,12}[ ](?:\d\S{0,9}[ ])?|[\w:.-]{1,40}=\S{1,60}[ ]){0,8}"
_COMMAND = rf"(?<![\w/.-])z(?:pool|fs)[ ](?:{_SUBCOMMAND}|[gs]et[ ]{_ARGUMENTS}\S{{1,120}})[ ]{_ARGUMENTS}"
_STATE = r"(?:online|degraded|faulted|unavail|offline|removed|suspended)"
_SIZE = r"[ \t]{1,40}[\d.]{1,8}[bkmgtp]?i?"
_ROWS = (
    rf"(?:{_SIZE}){{3}}[ \t]{{1,20}}(?:/|none|legacy|-[ \t]*$)",  # of zfs list
    rf"(?:{_SIZE}){{3}}[ \t]{{1,20}}\d{{1,3}}%[ \t]{{1,20}}/",  # of df
    r"[ ]on[ ]/\S{0,200}[ ](?:\(zfs|type[ ]zfs)",  # of mount
)


def _is_no_usual(_match: re.Match[str], value: str) -> bool:
    """Whether it is no name that an installer or a handbook gives, nor a file system without a device."""
    return value.lower() not in USUAL_POOLS


def _is_no_usual_set(_match: re.Match[str], value: str) -> bool:
    return not value.lower().startswith(("root", "data"))


def _is_own(_match: re.Match[str], value: str) -> bool:
    """Whether somebody chose a name of their own, and not just words."""
    return not all(_is_usual(part) for part in _NO_LETTERS.split(value.lower()))


def _is_own_folder(match: re.Match[str], value: str) -> bool:
    """Whether the last part of a path is a data set with a name of its own, not a file."""
    return "." not in value and _is_own(match, value)


def _is_usual(letters: str) -> bool:
    """Whether these are too few letters to tell, a common word, or several written as one."""
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
            at_word("pool", *words, fits=rf"{begin}{above}(?P<v1>{_PART})(?=/)", accepts=_is_own)
            for above in _PARTS
        ),
        *(
            at_word("pool", *words, fits=rf"{begin}{above}(?P<v1>{_PART}){_END}", accepts=_is_own_folder)
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
        fits=rf"{_COMMAND}(?P<v1>(?!-|/|\d+\b){_PART})(?=[\s/@]|\Z)",
        accepts=_is_own,
    ),
    *(
        at_word(
            "pool",
            "zfs ",
            fits=rf"{_COMMAND}{above}(?P<v1>{_PART})(?=[\s/@]|\Z)",
            accepts=_is_own,
        )
        for above in _PARTS[1:]
    ),
    # tables
    at_line("pool", "pool: ", fits=rf"[ \t>]{{0,8}}pool:[ \t](?P<v1>{_PART})[ \t]*$", accepts=_is_no_usual),
    at_word(
        "pool",
        "cksum",
        fits=rf"cksum[^\n]{{0,40}}\n[ \t>]{{0,12}}(?P<v1>{_PART})[ \t]{{1,60}}{_STATE}",
        accepts=_is_no_usual,
    ),
    at_line(
        "pool",
        *("online", "degraded", "faulted", "unavail"),
        fits=rf"(?P<v1>{_PART})(?:{_SIZE}){{3}}(?:[ \t]{{1,20}}[\d.%x-]{{1,8}}[kmgtp]?){{2,6}}[ \t]{{1,20}}{_STATE}",
        accepts=_is_no_usual,
    ),
    at_word(
        "pool",
        "alloc ",
        fits=rf"alloc[ ]{{1,20}}free[^\n]{{1,200}}\n[- ]{{20,300}}\n(?P<v1>{_PART})[ ]",
        accepts=_is_no_usual,
    ),
    *(
        at_hint(
            "pool",
            fits=rf"(?P<v1>{_PART})(?:/\S{{0,200}})?{row}",
            hint=rf"(?<=\S){row}",
            accepts=_is_no_usual,
        )
        for row in _ROWS
    ),
    *(
        at_hint(
            "pool",
            fits=rf"{above}(?P<v1>{_PART})(?:/\S{{0,200}})?{row}",
            hint=rf"(?<=\S){row}",
            accepts=_is_own,
        )
        for row in _ROWS
        for above in _PARTS[1:4]
    ),
    # what pveperf ran on
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}(?P<v1>\w[^()\s:/]{{0,99}})(?=[/)\s]|\Z)",
        accepts=_is_no_usual,
    ),
    at_word(
        "pool",
        "hd size",
        fits=rf"{HD_SIZE}\w[^()\s:/]{{0,99}}/(?P<v1>[^()\s:]{{1,200}})",
        accepts=_is_no_usual_set,
    ),
)
