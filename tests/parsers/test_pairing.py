"""Which readings of a paste are about the same unit."""

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
DIGESTS = {"[serial-1]": "one", "[serial-2]": "two"}


def diskinfo(**fields):
    return DiskinfoReading(**LINES, **fields)


def smartctl(**fields):
    return SmartctlReading(**LINES, **fields)


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


def test_several_runs_of_fio_on_files_are_of_the_one_device_too():
    described = smartctl(serial="[serial-1]", model_name="EXAMPLE NV400")
    devices = pair_readings(
        (ON_FILE, described, ON_FILE, FioReading(**LINES, path="/dev/sdz")), DIGESTS
    ).devices
    assert [(device.fio, device.smartctl, device.model_name) for device in devices] == [
        (0, 1, "EXAMPLE NV400"),
        (2, 1, "EXAMPLE NV400"),
        (3, None, None),
    ]


def test_a_run_of_fio_on_a_file_is_of_the_device_that_diskinfo_names():
    named, run = pair_readings(
        (diskinfo(description="EXAMPLE SAS", serial="[serial-1]"), ON_FILE), DIGESTS
    ).devices
    assert (named.diskinfo, named.fio) == (0, None)
    assert (run.diskinfo, run.fio, run.model_name, run.unit) == (None, 1, "EXAMPLE SAS", "one")
