"""What a paste states about the caches between a write and the medium, and of which disk."""

from parsers.base.readings import FlushPath
from tests import ladders, pastes
from tests.parsers.samples import read

SMARTCTL = pastes.prompted(pastes.smartctl(model="SAMPLE SSD"), "smartctl -a /dev/sda")
RUN = ladders.text({1: 5000}, path="/dev/sda")
STATED = {
    "# cat /sys/block/sda/queue/write_cache\nwrite back": {"kernel_write_cache": "write back"},
    "# cat /sys/block/sda/queue/write_cache\nwrite through": {"kernel_write_cache": "write through"},
    "# cat /sys/block/sda/queue/fua\n1": {"has_fua": True},
    "/sys/block/sda/queue/write_cache:write back\n/sys/block/sda/queue/fua:0": {
        "kernel_write_cache": "write back",
        "has_fua": False,
    },
    "/sys/class/scsi_disk/0:0:0:0/cache_type:write back, no read (daft)": {
        "kernel_write_cache": "write back"
    },
    "/sys/class/scsi_disk/0:0:0:0/cache_type:none": {"kernel_write_cache": "write through"},
    "# hdparm -W /dev/sda\n\n/dev/sda:\n write-caching =  1 (on)": {"write_cache_enabled": True},
    "# hdparm -W /dev/sda\n\n/dev/sda:\n write-caching =  0 (off)": {"write_cache_enabled": False},
    "/dev/sda:\n write-caching = 0 (not supported)": {"has_volatile_cache": False},
    "# sdparm --get=WCE /dev/sda\nWCE           1  [cha: y, def:  1, sav:  1]": {"write_cache_enabled": True},
    "vwc       : 0x1": {"has_volatile_cache": True},
    "vwc       : 0": {"has_volatile_cache": False},
    "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001": {"write_cache_enabled": True},
    "get-feature:0x6 (Volatile Write Cache), Current value:00000000": {"write_cache_enabled": False},
    "\tVolatile Write Cache Enable (WCE): Disabled": {"write_cache_enabled": False},
    "write cache                    yes\tyes": {"has_volatile_cache": True, "write_cache_enabled": True},
    "write cache                    yes\tno": {"has_volatile_cache": True, "write_cache_enabled": False},
    # of another disk, or no statement
    "/sys/block/sdb/queue/write_cache:write back": {},
    "/dev/sdb:\n write-caching =  0 (off)": {},
    "turn the write cache off, I read about WCE": {},
}


def path_of(text):
    """The flush path of the device that was measured."""
    return next(device for device in read(text).devices if device.fio is not None).flush_path


def test_statements_are_read_in_front_of_the_run_and_behind_it():
    for stated, expected in STATED.items():
        path = FlushPath(**expected) if expected else None
        assert path_of(f"{stated}\n\n{RUN}\n{SMARTCTL}") == path, stated
        assert path_of(f"{RUN}\n{SMARTCTL}\n{stated}\n") == path, stated


def test_each_of_several_disks_has_its_own():
    disks = "".join(
        ladders.text({1: 5000}, path=f"/dev/{name}")
        + pastes.prompted(
            pastes.smartctl(model=f"SAMPLE {name}", serial=f"SAMPLE00{name}"), f"smartctl -a /dev/{name}"
        )
        for name in ("sda", "nvme0n1")
    )
    kernel = (
        "/sys/block/sda/queue/write_cache:write through\n/sys/block/nvme0n1/queue/write_cache:write back\n"
    )
    found = read(f"{disks}\n{kernel}vwc : 0x1\n").devices
    assert [device.flush_path for device in found] == [
        FlushPath(kernel_write_cache="write through"),
        FlushPath(kernel_write_cache="write back"),  # vwc names no disk
    ]
