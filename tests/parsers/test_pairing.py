"""Which readings of a paste are about the same unit."""

import pytest

from parsers.base.device_class import DeviceClass
from parsers.base.readings import (
    DiskinfoReading,
    FioReading,
    PgTestFsyncReading,
    PveperfReading,
    SmartctlReading,
)
from parsers.base.target import Target
from parsers.pairing import pair_readings

LINES = {"first_line": 1, "last_line": 2}
MODEL = "EXAMPLE NV400"
DIGESTS = {"[serial-1]": "one", "[serial-2]": "two"}


def diskinfo(**fields):
    return DiskinfoReading(**LINES, **fields)


def smartctl(**fields):
    return SmartctlReading(**LINES, **fields)


def fio(path=None, **fields):
    return FioReading(**LINES, path=path, **fields)


def pairs(*readings):
    devices = pair_readings(readings, DIGESTS).devices
    return [(device.diskinfo, device.smartctl, device.fio) for device in devices]


def test_the_same_serial_number_takes_precedence_over_order():
    assert pairs(
        diskinfo(serial="[serial-1]"),
        diskinfo(serial="[serial-2]"),
        smartctl(serial="[serial-2]"),
        smartctl(serial="[serial-1]"),
    ) == [(0, 3, None), (1, 2, None)]


def test_several_runs_of_one_unit_share_its_description():
    run = diskinfo(serial="[serial-1]")
    assert pairs(run, run, smartctl(serial="[serial-1]")) == [(0, 2, None), (1, 2, None)]


def test_units_that_share_the_visible_part_of_a_serial_number_are_paired_in_order():
    run = diskinfo(serial="[serial-3]")
    described = [smartctl(serial="[serial-3]", path=f"/dev/da{number}") for number in range(3)]
    assert pairs(run, run, run, run, *described) == [(0, 4, None), (1, 5, None), (2, 6, None), (3, 6, None)]


@pytest.mark.parametrize(
    ("run", "described", "expected"),
    [
        ({"media_size": 2000}, [{"user_capacity": 1000}, {"user_capacity": 2000}], 2),
        ({"path": "/dev/da1"}, [{"path": "/dev/da0"}, {"path": "/dev/da1"}], 2),
        ({"path": "/dev/da1"}, [{"path": "/dev/pass0"}, {"path": "/dev/pass1"}], None),
    ],
)
def test_of_drives_of_one_model_capacity_or_node_decides(run, described, expected):
    readings = diskinfo(description=MODEL, **run), *(smartctl(model_name=MODEL, **each) for each in described)
    assert pairs(*readings)[0] == (0, expected, None)


def test_the_model_pairs_readings_without_serial_numbers():
    for description, model, vendor in (
        ("EXAMPLE NV400", "Example  NV400", None),
        ("ATA EXAMPLE SATA 200", "EXAMPLE SATA 200GB rev 2", None),
        ("MAKER SAS4KN", "SAS4KN", "MAKER"),
    ):
        readings = (
            diskinfo(description=description),
            diskinfo(description="SOMETHING ELSE"),
            smartctl(model_name=model, vendor=vendor),
        )
        assert pairs(*readings) == [(0, 2, None), (1, None, None)], description


def test_a_mismatch_names_only_the_differences():
    for described, difference in (
        ({"serial": "[serial-2]"}, "the serial numbers differ"),
        (
            {"model_name": "EXAMPLE TWO", "user_capacity": 2000},
            "the models differ, 'EXAMPLE ONE' and 'EXAMPLE TWO'; the capacities differ, 1,000 and 2,000 bytes",
        ),
    ):
        alike = {"serial": "[serial-1]", "model_name": "EXAMPLE ONE", "user_capacity": 1000}
        if "serial" not in described:
            alike["serial"] = None
        reading = diskinfo(serial="[serial-1]", description="EXAMPLE ONE", media_size=1000)
        (notice,) = pair_readings([reading, smartctl(**{**alike, **described})], DIGESTS).notices
        assert notice.message == f"diskinfo and smartctl are about different devices: {difference}", described


def test_names_that_differ_at_the_same_size_are_no_contradiction():
    assert pairs(
        diskinfo(description="LSI SOMETHING", media_size=1000),
        smartctl(model_name="ELSE", user_capacity=1000),
    ) == [(0, 1, None)]


def test_ambiguous_readings_are_not_paired():
    assert pairs(diskinfo(), diskinfo(), smartctl(model_name="EXAMPLE")) == [
        (0, None, None),
        (1, None, None),
        (None, 2, None),
    ]


def test_readings_without_names_are_of_two_devices_if_their_capacities_differ():
    assert pairs(diskinfo(media_size=1000), smartctl(user_capacity=2000)) == [
        (0, None, None),
        (None, 1, None),
    ]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([None], [1]),
        (["/dev/dm-0", "/dev/dm-0"], [2, 2]),
        (["/dev/dm-0", "/dev/dm-1"], [None, None]),
        ([None, None], [None, None]),
    ],
)
def test_runs_of_one_unknown_node_are_of_the_only_drive(paths, expected):
    found = pairs(*map(fio, paths), smartctl(model_name=MODEL))
    assert [drive for _, drive, run in found if run is not None] == expected


@pytest.mark.parametrize("several", [{"hosts": 2}, {"targets": ("/dev/sda", "/dev/sdb")}])
def test_a_run_on_several_machines_or_disks_is_of_no_drive(several):
    assert pairs(fio(**several), smartctl(model_name=MODEL)) == [(None, None, 0), (None, 1, None)]


@pytest.mark.parametrize(
    ("letters", "shown"),
    [("bcd", "/dev/sdb, /dev/sdc, /dev/sdd"), ("bcde", "/dev/sdb, /dev/sdc, /dev/sdd, …")],
)
def test_the_notice_about_a_run_on_another_disk_names_up_to_three(letters, shown):
    described = [smartctl(path=f"/dev/sd{letter}") for letter in letters]
    (notice,) = pair_readings([fio("/dev/sda"), *described], DIGESTS).notices
    assert f"smartctl describes another device ({shown}):" in notice.message


ON_DA1 = diskinfo(path="/dev/da1", description=MODEL)


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        ([fio("/dev/da1"), ON_DA1], MODEL),
        ([ON_DA1, fio("/dev/da1"), smartctl(path="/dev/da2", model_name="OTHER")], MODEL),
        ([*[diskinfo(path="/dev/da1", description=MODEL, serial="[serial-1]")] * 2, fio("/dev/da1")], MODEL),
        ([ON_DA1, ON_DA1, fio("/dev/da1")], None),  # perhaps two drives, one after the other
    ],
)
def test_a_run_on_a_node_is_of_the_drive_that_diskinfo_names_there(readings, expected):
    devices = pair_readings(readings, DIGESTS).devices
    assert [device.model_name for device in devices if device.fio is not None] == [expected]


def test_smartctl_decides_the_class_and_the_dispute_is_reported():
    readings = [
        diskinfo(path="/dev/nvd0", description="EXAMPLE NV400", rotation_rate_rpm=0),
        smartctl(model_name="EXAMPLE NV400", device_class=DeviceClass.SATA_SSD, firmware_version="1.0"),
    ]
    pairing = pair_readings(readings, DIGESTS)
    (device,) = pairing.devices
    assert (device.device_class, device.firmware_version) == (DeviceClass.SATA_SSD, "1.0")
    assert [notice.code for notice in pairing.notices] == ["class_disputed"]


def test_the_catalogue_decides_the_class_that_diskinfo_leaves_open():
    known = {"EXAMPLE NV400": DeviceClass.OPTANE}
    reading = diskinfo(description="EXAMPLE NV400", path="/dev/nvd0")
    classes = [
        pair_readings([reading], DIGESTS, catalogue).devices[0].device_class
        for catalogue in (None, known.get)
    ]
    assert classes == [DeviceClass.NVME, DeviceClass.OPTANE]


PG_TEST_FSYNC, PVEPERF = PgTestFsyncReading(**LINES), PveperfReading(**LINES)
ON_FILE = FioReading(**LINES, stated_target=Target.FILE)


def file_runs(*readings):
    devices = pair_readings(readings, DIGESTS).devices
    return [
        (device.diskinfo, device.smartctl, device.fio, device.pg_test_fsync, device.pveperf)
        for device in devices
    ]


def test_runs_on_files_are_of_the_one_device_that_is_named():
    assert file_runs(PG_TEST_FSYNC, smartctl(), PVEPERF, PG_TEST_FSYNC) == [(None, 1, None, (0, 3), (2,))]
    assert file_runs(diskinfo(), PVEPERF) == [(0, None, None, (), (1,))]
    described = smartctl(serial="[serial-1]")
    assert file_runs(diskinfo(serial="[serial-1]"), described, PVEPERF) == [(0, 1, None, (), (2,))]
    assert file_runs(described, described, PVEPERF)[0] == (None, 0, None, (), (2,))
    described = smartctl(model_name=MODEL)
    assert file_runs(ON_DA1, ON_DA1, described, PVEPERF)[0] == (0, 2, None, (), (3,))


def test_runs_on_files_are_not_paired_with_several_devices():
    two = smartctl(serial="[serial-1]"), smartctl(serial="[serial-2]")
    assert file_runs(*two, PG_TEST_FSYNC, PVEPERF, PVEPERF) == [
        (None, 0, None, (), ()),
        (None, 1, None, (), ()),
        (None, None, None, (2,), ()),
        (None, None, None, (), (3,)),
        (None, None, None, (), (4,)),
    ]
    assert file_runs(PG_TEST_FSYNC) == [(None, None, None, (0,), ())]
    for unnamed in (diskinfo(), diskinfo()), (smartctl(model_name=MODEL), smartctl(model_name="OTHER")):
        assert file_runs(*unnamed, PVEPERF)[-1] == (None, None, None, (), (2,))


@pytest.mark.parametrize(
    ("source", "is_there"), [("/dev/sda2", True), ("/dev/mapper/pve-root", True), ("/dev/sdb1", False)]
)
def test_pveperf_is_not_of_the_only_drive_if_another_is_mounted_there(source, is_there):
    found = file_runs(smartctl(path="/dev/sda"), PveperfReading(**LINES, source=source))
    assert (found[0] == (None, 0, None, (), (1,))) is is_there


def test_several_runs_of_fio_on_files_are_of_the_one_device_too():
    described = smartctl(serial="[serial-1]", model_name="EXAMPLE NV400")
    devices = pair_readings(
        (ON_FILE, described, ON_FILE, FioReading(**LINES, path="/dev/sdz")), DIGESTS
    ).devices
    assert [(device.fio, device.smartctl, device.model_name, device.unit) for device in devices] == [
        (0, 1, "EXAMPLE NV400", "one"),
        (2, 1, "EXAMPLE NV400", "one"),
        (3, None, None, None),
    ]


def test_a_run_of_fio_on_a_file_is_of_the_device_that_diskinfo_names():
    named, run = pair_readings(
        (diskinfo(description="EXAMPLE SAS", serial="[serial-1]", media_size=1000), ON_FILE), DIGESTS
    ).devices
    assert (named.diskinfo, named.fio) == (0, None)
    assert (run.diskinfo, run.fio, run.model_name, run.unit) == (None, 1, "EXAMPLE SAS", "one")
    assert run.capacity == 1000
