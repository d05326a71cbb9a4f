"""What the preview asks about a workload on a pool, and the layout that the answers describe."""

import re
from collections.abc import Mapping
from typing import Any

from results.core.formats import format_block_size
from results.kinds.answers import Question, whole_number
from results.kinds.named_device import find_devices
from results.kinds.pool.models import ACCESS, NO_LOG, SYNC_MODES, WITH_LOG

MAX_VDEVS, MAX_MEMBERS = 64, 255
MAX_ARC_GIB = 16_384
_VERSION = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3}){1,3}(?:-?rc[0-9]{1,2})?")
_RECORD_SIZES = {str(size): format_block_size(size) for size in (512 << step for step in range(16))}
SYSTEMS = ("TrueNAS CORE", "TrueNAS SCALE", "FreeBSD", "Linux", "Proxmox VE", "illumos", "Solaris", "macOS")
VDEV_TYPES = {
    "disk": "single drives, striped",
    "mirror": "mirror",
    **{f"raidz{parity}": f"raidz{parity}" for parity in (1, 2, 3)},
    **{f"draid{parity}": f"draid{parity}" for parity in (1, 2, 3)},
}
FEWEST_MEMBERS = {
    "disk": 1,
    "mirror": 2,
    **{f"raidz{parity}": parity + 1 for parity in (1, 2, 3)},
    **{f"draid{parity}": parity + 2 for parity in (1, 2, 3)},
}


def _clean_version(text: str) -> str:
    version = text.lower().removeprefix("zfs-").removeprefix("v")
    if not _VERSION.fullmatch(version):
        raise ValueError("Enter a version such as 2.2.4, as “zfs version” prints it.")
    return version


LAYOUT_KEYS = ("vdev_type", "vdev_count", "vdev_members")
QUESTIONS = (
    Question("vdev_type", "Data vdevs of the pool", choices=VDEV_TYPES, is_of_paste=True),
    Question("vdev_count", "How many vdevs", clean=whole_number(1, MAX_VDEVS), is_of_paste=True),
    Question(
        "vdev_members",
        "Drives in each vdev",
        clean=whole_number(1, MAX_MEMBERS),
        hint="Leave this open for single drives.",
        is_of_paste=True,
    ),
    Question("system", "Operating system", choices={name: name for name in SYSTEMS}, is_of_paste=True),
    Question("zfs_version", "OpenZFS version", clean=_clean_version, is_of_paste=True),
    Question(
        "pool", "Which pool", choices={str(number): f"pool {number} of the text" for number in range(1, 10)}
    ),
    Question("log", "Log device (SLOG)", choices={NO_LOG: "none", WITH_LOG: "with a log device"}),
    Question("log_device", "Which log device", look_up=find_devices, hint="Its model, if it is listed here."),
    Question("sync", "sync of the dataset", choices=SYNC_MODES),
    Question("recordsize", "recordsize or volblocksize", choices=_RECORD_SIZES),
    Question(
        "compression",
        "compression",
        choices={
            compression: compression for compression in ("off", "on", "lz4", "zstd", "gzip", "zle", "lzjb")
        },
    ),
    Question("access", "Accessed", choices=ACCESS),
    Question(
        "arc_gib",
        "Memory of the machine (GiB)",
        clean=whole_number(1, MAX_ARC_GIB),
        hint="Data that fits into it is read and written at the memory’s speed.",
    ),
)


def stated_layout(answers: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
    """The layout that the sender described; empty without a type, or with too few drives for it."""
    kind = answers.get("vdev_type", "")
    if not kind:
        return ()
    count = int(answers.get("vdev_count", "1"))
    members = 1 if kind == "disk" else int(answers["vdev_members"]) if "vdev_members" in answers else None
    if members is not None and members < FEWEST_MEMBERS[kind]:
        return ()
    data = {"role": "data", "type": kind, "members": members}
    log = {"role": "log", "type": "disk", "members": 1}
    has_log = answers.get("log") == WITH_LOG or (answers.get("log_device") and answers.get("log") != NO_LOG)
    return (*([data] * count), *([log] if has_log else []))
