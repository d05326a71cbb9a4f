"""Keep the tables of zpool and zfs: names of pools and datasets masked, those of devices as far as they are nodes.

Every row is put together from its cells. Of the properties only those are kept that are listed (properties.txt), with
a figure, a date, or words that are values of theirs (values.txt).
"""

import re
from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.base.target import Target, node_of, target_of, without_layers
from parsers.base.vocabulary import read_words
from parsers.privacy.masks import MASK
from parsers.privacy.paths import mask_path
from parsers.zpool.tables import CAPTIONS, GROUP, MESSAGES, STATES, TableRow, fields_above, walk

PROPERTIES = read_words(__file__, "properties.txt")
_VALUES = read_words(__file__, "values.txt")
_FIGURE = re.compile(
    r"[0-9]{1,20}(?:[.,][0-9]{1,3})?[KMGTPEZ]?[Bx%]?"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}[0-9]{1,2} {1,2}[0-9:]{4,5} [0-9]{4}"
)
_LEVEL = re.compile(r"-[0-9]{1,4}\Z")  # of a compression
# Properties whose values are paths, names or identifiers, unless they are one of these
_NAMING = frozenset(
    ["mountpoint", "altroot", "cachefile", "bootfs", "comment", "sharenfs", "sharesmb", "origin", "mlslabel"]
)
_NO_NAME = frozenset({"-", "none", "off", "on", "legacy", "default"})
_SCAN = re.compile(
    r"(?P<what>scrub|resilver)(?: \(draid[0-9:a-z-]{1,30}\))?(?P<state>ed| in progress| repaired| canceled| paused)?"
    r"|none requested"
)
_DISTRIBUTED_SPARE = re.compile(r"draid[123]-[0-9]{1,4}-[0-9]{1,4}")
_GUID = re.compile(r"[0-9]{6,20}")
_UUID = re.compile(r"3?[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}.{0,8}", re.IGNORECASE)
_BY_ID = re.compile(r"(?:ata|sata|nvme|scsi|usb|sas|mmc|virtio|wwn|SATA|SCSI|pci|platform|acpi|md|dm|lvm)-.+")
_ILLUMOS = re.compile(r"c[0-9A-F]{1,3}t(?:[0-9A-F]{1,40}|\[wwn-[0-9]{1,6}\])d[0-9]{1,4}(?:[sp][0-9]{1,2})?")
_FLAG = re.compile(r"-[DHLPTVacdegilnopqrstvwxy]{1,12}|[0-9]{1,6}(?:\.[0-9])?")  # or an interval, a count
_COMMANDS = ("status", "iostat", "get")


def keep(block: Block, masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = [None] * len(block.lines)
    for row in walk(block.lines):
        masked_lines[row.at] = _keep_row(row, block.lines[row.at], masks)
    for at, line in enumerate(block.lines):
        if masked_lines[at] is None and MESSAGES.include(line):
            masked_lines[at] = MESSAGES.keep(line)
    return KeptLines(masked_lines)


def keep_above(lines: Sequence[str], masks: Masker) -> dict[int, str | None]:
    """The fields above the first table."""
    return {row.at: _keep_field(row, masks) for row in fields_above(lines)}


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The subcommand with its flags, intervals and properties; names are masked."""
    if not words or words[0] not in _COMMANDS:
        return None
    masked_words = [words[0]]
    for word in words[1:]:
        if _FLAG.fullmatch(word) or all(part == "all" or part in PROPERTIES for part in word.split(",")):
            masked_words.append(word)
        elif word.isidentifier() or "/" in word or MASK.match(word):
            masked_words.append(mask_data_set(word, masks))
    return " ".join(masked_words)


def mask_data_set(name: str, masks: Masker) -> str:
    """The name of a pool, a dataset or a snapshot, each part masked."""
    pool, *rest = re.split(r"([/@])", name)
    return masks.pool(pool) + "".join(
        masks.mask("pool", word) if at % 2 else word for at, word in enumerate(rest)
    )


def mask_vdev(name: str, masks: Masker) -> str:
    """The name of a row below a pool's: device nodes remain, so do models; serial numbers and labels are masked."""
    below = without_layers(name)
    if below and below != name:
        return mask_vdev(below, masks) + name[len(below) :]
    if (
        GROUP.fullmatch(name)
        or name in CAPTIONS
        or MASK.fullmatch(name)
        or _DISTRIBUTED_SPARE.fullmatch(name)
    ):
        return name
    if name.startswith("/"):
        return mask_path(name, masks)
    if _GUID.fullmatch(name) or _UUID.fullmatch(name):
        return masks.mask("wwn", name)
    if _ILLUMOS.fullmatch(name):
        return mask_path(f"/dev/dsk/{name}", masks).removeprefix("/dev/dsk/")
    if _BY_ID.fullmatch(name):
        return mask_path(f"/dev/disk/by-id/{name}", masks).removeprefix("/dev/disk/by-id/")
    if "/" in name or target_of(name) is not Target.FILE or node_of(name):
        return mask_path(f"/dev/{name}", masks).removeprefix("/dev/")
    return masks.pool(name)


def _keep_row(row: TableRow, line: str, masks: Masker) -> str | None:
    if row.kind in ("ruler", "broken"):
        return line
    if row.kind == "field":
        return _keep_field(row, masks)
    if row.kind == "property":
        return _keep_property(row, masks)
    name = row.name
    if row.is_first and row.kind != "histogram":
        name = mask_data_set(name, masks)
    elif row.kind not in ("head", "histogram"):
        name = mask_vdev(name, masks) if name else ""
    return " " * row.indent + "  ".join(filter(None, (name, *row.cells)))


def _keep_property(row: TableRow, masks: Masker) -> str | None:
    name, value, source = row.cells
    if name in _NAMING:
        is_known = value in _NO_NAME
    else:
        words = (_LEVEL.sub("", word) for word in value.split(","))
        is_known = name in PROPERTIES and (
            _FIGURE.fullmatch(value) is not None or all(map(_VALUES.__contains__, words))
        )
    source = "inherited" if source.startswith("inherited") else source
    return f"{mask_data_set(row.name, masks)}  {name}  {value}  {source}".rstrip() if is_known else None


def _keep_field(row: TableRow, masks: Masker) -> str | None:
    value = row.cells[0].strip()
    if row.name == "pool":
        return f"  pool: {mask_data_set(value, masks)}" if value and " " not in value else None
    if row.name == "state":
        return f" state: {value}" if re.fullmatch(STATES, value) else None
    if row.name in ("scan", "scrub"):
        scan = _SCAN.match(value)
        return f"  scan: {scan['what']}{scan['state'] or ''}" if scan and scan["what"] else None
    return "config:" if row.name == "config" else "    id: \u2026" if row.name == "id" else None
