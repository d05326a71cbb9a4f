"""Names of device nodes without their folder, as `ls /dev/disk/by-id` and `zpool status` list them."""

import re
from collections.abc import Iterator

from parsers.sites import Site, is_value
from parsers.sketch import sketches
from parsers.traced import Traced

WORDS = sketches("disk/by-", "id/", "lrwx", "pool")  # diskid/, gptid/; zpool, or "pool:" of its status
# The vendor's and the model's words, the serial number, and behind it a partition, a namespace or a unit
LISTED = tuple(
    re.compile(
        rf"{bus}(?<![\w/.-]{bus})[^\s_/\"':]{{1,40}}(?:_[^\s_/\"':]{{1,40}}){{0,8}}?_"
        r"(?P<serial>(?=[^\s_/\"',:]{0,40}[0-9])[^\s_/\"',:]{4,40}?)"
        r"(?=(?:-part[0-9]+|_[0-9]|-[0-9]:[0-9])*(?:[\s\"',;:)]|\Z))"
    )
    for bus in ("ata-", "nvme-", "scsi-", "usb-")
)
# Of a partition, in gptid/ or /dev/disk/by-partuuid/ or by itself; one of version 1 holds the machine's MAC address
UUID = re.compile(r"(?<![\w-])(?P<wwn>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![\w-])")
NAA = re.compile(r"scsi-3(?P<wwn>[0-9a-f]{16}(?:[0-9a-f]{16})?)\b")  # 3 is the kind of name that follows


def may_name_nodes(plain: Traced) -> bool:
    """Whether a text may name a node under /dev/disk, or list some."""
    for word in WORDS:  # noqa: SIM110 - any() takes twice as long
        if plain.may_hold(word):
            return True
    return False


def find_listed_names(plain: Traced) -> Iterator[Site]:
    """Serial numbers in such names, and world-wide names that have no sign of their own."""
    if not may_name_nodes(plain):
        return
    for kind, pattern in (*(("serial", one) for one in LISTED), ("wwn", NAA), ("wwn", UUID)):
        for match in pattern.finditer(plain.text):
            if is_value(match[kind], kind):
                yield Site(*match.span(kind), kind, match[kind])
