"""Nothing that is used for anything may be erased."""

from tests.submitter.machines import SERIAL, geom_disk, geoms, in_turn, lsblk_below, lsblk_row

# What the tools of a Linux machine say, and the word by which the reason is known
LSBLK = {
    "mounted": (lsblk_row(MOUNTPOINT="/mnt/data"), "mounted"),
    "partition mounted": (lsblk_row() + lsblk_below("/dev/sdz1", MOUNTPOINT="/mnt/data"), "mounted"),
    "boot disk": (lsblk_row() + lsblk_below("/dev/sdz2", MOUNTPOINT="/"), "runs from it"),
    "boot disk's boot": (lsblk_row() + lsblk_below("/dev/sdz1", MOUNTPOINT="/boot/efi"), "runs from it"),
    "boot disk below lvm": (
        lsblk_row()
        + lsblk_below("/dev/sdz2")
        + lsblk_below("/dev/mapper/vg-root", PKNAME="/dev/sdz2", TYPE="lvm", MOUNTPOINT="/"),
        "runs from it",
    ),
    "partitioned": (lsblk_row() + lsblk_below("/dev/sdz1"), "partitioned"),
    "swap": (lsblk_row(MOUNTPOINT="[SWAP]"), "swap"),
    "swap partition": (lsblk_row() + lsblk_below("/dev/sdz1", MOUNTPOINT="[SWAP]"), "swap"),
    "md": (lsblk_row() + lsblk_below("/dev/md0", TYPE="raid1"), "held by /dev/md0 (raid1)"),
    "crypt": (lsblk_row() + lsblk_below("/dev/mapper/c", TYPE="crypt"), "held by"),
    "lvm": (lsblk_row() + lsblk_below("/dev/mapper/vg-x", TYPE="lvm"), "held by"),
    "multipath": (lsblk_row() + lsblk_below("/dev/mapper/mpatha", TYPE="mpath"), "held by"),
    "two paths": (lsblk_row() + lsblk_row(NAME="/dev/sdy"), "two paths"),
    "file system": (lsblk_row(FSTYPE="ext4"), "ext4"),
    "pool member": (lsblk_row(FSTYPE="zfs_member"), "zfs_member"),
    "a partition": (lsblk_row(TYPE="part", PKNAME="/dev/sdy"), "not an entire disk but a part"),
    "a loop device": (lsblk_row(TYPE="loop"), "not an entire disk"),
    "optical": (lsblk_row(TYPE="rom"), "not an entire disk"),
    "iSCSI": (lsblk_row(TRAN="iscsi"), "network"),
    "write protected": (lsblk_row(RO="1"), "only be read"),
    "empty slot": (lsblk_row(SIZE="0"), "no medium"),
    "unknown to lsblk": (lsblk_row(NAME="/dev/sda"), "does not know"),
    "lsblk says nothing": ("", "does not know"),
}
TOOLS = {
    "swap": ("swapon", "echo /dev/sdz", "swap"),
    "mounted": ("findmnt", "echo /dev/sdz", "mounted"),
    "signature": ("blkid", "echo '/dev/sdz: TYPE=\"zfs_member\"'", 'holds data: TYPE="zfs_member"'),
    "in use": (
        "wipefs",
        "echo 'wipefs: error: /dev/sdz: probing initialization failed: busy' >&2; exit 1",
        "in use",
    ),
    "in a pool": (
        "zpool",
        "printf '  pool: tank\\n state: ONLINE\\n\\t/dev/sdz  ONLINE 0 0 0\\n'",
        "in the pool tank",
    ),
    "exported pool": ("zdb", "printf '    name: old\\n    pool_guid: 4711\\n'", "not imported: old"),
    "two signatures": ("blkid", "exit 8", "holds data"),
    "signature that only wipefs sees": (
        "wipefs",
        "echo '/dev/sdz: 8 bytes were erased (atari)'",
        "holds data",
    ),
    "partition in a pool": ("zpool", "printf '  pool: tank\\n\\t/dev/sdz1  ONLINE 0 0 0\\n'", "in the pool"),
    "blkid is broken": ("blkid", "exit 127", "holds data"),
}
GEOMS = {
    "partitioned": ("0 DISK da9 1 512\n1 PART da9p1 1 512\n", "partitioned: da9p1"),
    "partitioned below its label": (
        "0 DISK da9 1 512\n1 LABEL diskid/DISK-X 1 512\n2 PART diskid/DISK-Xp1 1\n",
        "part",
    ),
    "mirrored": ("0 DISK da9 1 512\n1 MIRROR mirror/gm0 1 512\n", "GEOM holds it: mirror/gm0"),
    "multipath": ("0 DISK da9 1 512\n1 MULTIPATH multipath/m 1 512\n", "GEOM holds it"),
    "encrypted": ("0 DISK da9 1 512\n1 ELI da9.eli 1 512\n", "GEOM holds it"),
    "named": ("0 DISK da9 1 512\n1 LABEL label/slog 1 512\n", "GEOM holds it: label/slog"),
    "unknown to GEOM": ("0 DISK ada0 1 512\n1 PART ada0p1 1 512\n", "does not know"),
    "GEOM says nothing": ("", "does not know"),
}
FREEBSD = {
    "mounted": ("mount", "echo '/dev/da9 /mnt ufs rw 2 2'", "mounted: /dev/da9"),
    "partition mounted": ("mount", "echo '/dev/da9p2 /mnt ufs rw 2 2'", "mounted"),
    "swap": ("swapinfo", "echo '/dev/da9p1.eli 2097152 0 2097152 0%'", "swap"),
    "in a pool": ("zpool", "printf '  pool: tank\\n\\t/dev/da9p2  ONLINE 0 0 0\\n'", "in the pool tank"),
    "exported pool": ("zdb", "printf '    name: old\\n    pool_guid: 4711\\n'", "not imported"),
    "partition table": ("gpart", "exit 0", "partitioned"),
    "file system": ("fstyp", "echo ufs", "holds data: ufs"),
}
NAMES = {
    "/dev/zvol/tank/x": "zvol",
    "/dev/zd0": "zvol",
    "/dev/mapper/vg-root": "not the name",
    "/dev/disk/by-id/ata-X": "not the name",
    "/dev/../sdz": "not the name",
    "sdz": "not the name",
    "/dev/": "not the name",
    "/dev/sdz /dev/sdy": "not the name",
    "/dev/sdz\n/dev/sdy": "not the name",
    "/dev/sd?": "not the name",
    "/etc/passwd": "not the name",
    "/dev/nowhere": "there is no",
    "/dev/link": "a link",
    "/dev/char": "no block device",
    "/dev/file": "no disk",
    "/dev/dm-0": "no physical disk",
    "/dev/md127": "no physical disk",
    "/dev/zram0": "no physical disk",
    "/dev/mmcblk0boot0": "no physical disk",
}


def refused(machine, reason, disk=None):
    """Refused without a question, although everything was agreed to; and in the list as well."""
    outcome = machine.run("--yes-destroy", disk or machine.disk, "--server", "http://127.0.0.1:9")
    assert (outcome.status, machine.wrote_to_a_disk) == (1, False), outcome
    assert reason in outcome.err
    assert list(machine.temporary.iterdir()) == []


@in_turn("case", LSBLK)
def test_linux_by_what_lsblk_shows(linux_machine, case):
    table, reason = LSBLK[case]
    refused(linux_machine.prints("lsblk", table), reason)


@in_turn("case", TOOLS)
def test_linux_by_another_tool_alone(linux_machine, case):
    tool, body, reason = TOOLS[case]
    refused(linux_machine.tool(tool, body), reason)


@in_turn("case", GEOMS, "freebsd_machine")
def test_freebsd_by_what_geom_shows(freebsd_machine, case):
    conftxt, reason = GEOMS[case]
    geoms(freebsd_machine, conftxt)
    refused(freebsd_machine, reason)


@in_turn("mode", ["r1w1e1", "r0w0e1", "r1w0e0", ""], "freebsd_machine")
def test_freebsd_by_an_open_provider(freebsd_machine, mode):
    refused(freebsd_machine.prints("geom-da9", geom_disk("da9", Mode=mode)), "GEOM holds it open")


@in_turn("case", FREEBSD, "freebsd_machine")
def test_freebsd_by_another_tool_alone(freebsd_machine, case):
    tool, body, reason = FREEBSD[case]
    refused(freebsd_machine.tool(tool, body), reason)


@in_turn("name", ["/dev/da9p1", "/dev/nvme0", "/dev/cd0", "/dev/md0"], "freebsd_machine")
def test_freebsd_by_a_name_that_is_no_whole_disk(freebsd_machine, name):
    refused(freebsd_machine.kinds({name: "c"}), "not an entire disk", disk=name)


def test_freebsd_by_two_paths_to_one_disk(freebsd_machine):
    freebsd_machine.prints("geom-da10", geom_disk("da10"))
    geoms(freebsd_machine, (freebsd_machine.folder / "answers" / "conftxt").read_text(), disks="da9 da10")
    refused(freebsd_machine, "/dev/da10 has the same serial number")


@in_turn("name", NAMES)
def test_by_the_name(linux_machine, name):
    kinds = {"/dev/link": "l", "/dev/char": "c", "/dev/file": "-", "/dev/dm-0": "b", "/dev/md127": "b"}
    linux_machine.kinds(
        {**kinds, "/dev/zram0": "b", "/dev/mmcblk0boot0": "b", "/dev/zd0": "b", "/dev/sdz": "b"}
    )
    refused(linux_machine, NAMES[name], disk=name)


def test_a_name_that_begins_alike_is_another_disk(linux_machine):
    linux_machine.prints("lsblk", lsblk_row() + lsblk_row(NAME="/dev/sdzz", SERIAL="OTHER1", MOUNTPOINT="/"))
    linux_machine.tool("zpool", "printf '  pool: tank\\n\\t/dev/sdzz  ONLINE 0 0 0\\n'")
    assert linux_machine.run("--dry-run", "/dev/sdz").status == 0


def test_a_namespace_is_not_a_partition_of_its_neighbor(linux_machine):
    linux_machine.prints("lsblk", lsblk_row(NAME="/dev/nvme0n1")).kinds({"/dev/nvme0n1": "b"})
    linux_machine.tool("zpool", "printf '  pool: tank\\n\\t/dev/nvme0n12  ONLINE 0 0 0\\n'")
    assert linux_machine.run("--dry-run", "/dev/nvme0n1").status == 0


@in_turn("serial", ["", "00000000"])
def test_disks_without_a_serial_number_are_no_two_paths(linux_machine, serial):
    rows = [lsblk_row(SERIAL=serial, WWN=f"0x{n}") + "" for n in (1, 2)]
    rows[1] = rows[1].replace("/dev/sdz", "/dev/sdy")
    linux_machine.prints("lsblk", "".join(rows))
    outcome = linux_machine.run("--dry-run", "/dev/sdz")
    assert outcome.status == 0
    assert ("not specified" in outcome.err) == (serial == "")


def test_what_changes_between_the_question_and_the_run_counts(machine):
    """The second look finds the disk in a pool."""
    flag = machine.folder / "imported"
    machine.tool("smartctl", f'touch "{flag}"; cat "{machine.folder}/answers/smartctl"')
    machine.tool("zpool", f'[ -e "{flag}" ] && printf "  pool: tank\\n\\t{machine.disk}  ONLINE 0 0 0\\n"')
    refused(machine, "in the pool tank")


def test_another_disk_under_the_same_name_is_not_the_one_that_was_shown(linux_machine):
    flag = linux_machine.folder / "swapped"
    linux_machine.tool("smartctl", f'touch "{flag}"; cat "{linux_machine.folder}/answers/smartctl"')
    listed, other = (linux_machine.folder / "answers" / name for name in ("lsblk", "other"))
    other.write_text(lsblk_row(SERIAL="ANOTHER99"))
    is_name = "[ $1 = -nro ] && echo sdz && exit"
    linux_machine.tool("lsblk", f'{is_name}; if [ -e "{flag}" ]; then cat "{other}"; else cat "{listed}"; fi')
    refused(linux_machine, "another disk")


def test_the_list_shows_every_disk_and_what_speaks_against_it(linux_machine):
    table = lsblk_row() + lsblk_row(
        NAME="/dev/sda", SERIAL="A1", MODEL="Boot disk with a name", MOUNTPOINT="/"
    )
    linux_machine.prints("lsblk", table).kinds({"/dev/sdz": "b", "/dev/sda": "b"})
    outcome = linux_machine.run("--dry-run", types="sdz\n")
    assert outcome.status == 0
    lines = outcome.err.splitlines()
    assert any(
        "/dev/sdz" in line and "400.1 GB" in line and line.endswith("can be measured") for line in lines
    )
    assert any(
        "/dev/sda" in line and "Boot disk with a name" in line and "runs from it" in line for line in lines
    )
    assert SERIAL in outcome.err
