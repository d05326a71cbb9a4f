"""Parts of smartctl's output, without the name of the drive: the dialect and the class that they show."""

import json

from parsers.base.device_class import DeviceClass
from tests.parsers.samples import DISKINFO, identified, only, parse

READ_SECTION = "=== START OF READ SMART DATA SECTION ===\n"
NVME_SECTION = "=== START OF SMART DATA SECTION ===\n"
HEALTH = "SMART overall-health self-assessment test result: PASSED\n"
NVME_HEALTH = """SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        34 Celsius
Available Spare:                    100%
Percentage Used:                    1%
"""
HEAD = "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
SCSI_COUNTERS = """Elements in grown defect list: 0

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
read:          0        0         0         0          0       1244.405           0
write:         0        0         0         0          0       1686.994           0
"""
SCSI_LOADS = (
    "Specified load-unload count over device lifetime:  600000\nAccumulated load-unload cycles:  1061\n"
)
ATA, SCSI = {"device": {"protocol": "ATA"}}, {"device": {"protocol": "SCSI"}}
SAS_WEAR = "Percentage used endurance indicator: 3%\nCurrent Drive Temperature:     31 C\n"


def attributes(*names, flag="0x0032"):
    return HEAD + "".join(
        f"{number:3} {name:23} {flag}   100   100   000    Old_age   Always       -       {number}\n"
        for number, name in zip((1, 3, 4, 7, 193, 240), names, strict=False)
    )


def brief(*names):
    return "".join(
        f"{number:3} {name:23} -O--CK   100   100   000    -    7\n"
        for number, name in zip((1, 3, 4, 7, 193, 240), names, strict=False)
    )


def seen(text):
    """Dialect and class of the only reading."""
    reading = only(text)
    return reading.transport, reading.device_class.value


DISK_NAMES = (
    "Raw_Read_Error_Rate",
    "Spin_Up_Time",
    "Start_Stop_Count",
    "Seek_Error_Rate",
    "Load_Cycle_Count",
)


def test_a_part_of_the_output_shows_dialect_and_class(subtests):
    for text, dialect, device_class in [
        (NVME_SECTION + HEALTH, "nvme", "nvme"),
        (NVME_HEALTH, "nvme", "nvme"),
        (NVME_HEALTH.partition("\n")[2], "nvme", "nvme"),
        ("Error Information (NVMe Log 0x01, 16 of 64 entries)\nNo Errors Logged\n", "nvme", "nvme"),
        (READ_SECTION + HEALTH, "ata", "unknown"),
        (READ_SECTION + "SMART Error Log Version: 1\nNo Errors Logged\n", "ata", "unknown"),
        (attributes("Reallocated_Sector_Ct", "Wear_Leveling_Count"), "ata", "sata_ssd"),
        (attributes("Power_On_Hours", "Media_Wearout_Indicator"), "ata", "sata_ssd"),
        (brief("Power_On_Hours", "Used_Rsvd_Blk_Cnt_Tot"), "ata", "sata_ssd"),
        ("Device Statistics (GP Log 0x04)\n0x07  =====  =  =  ===  == Solid State Device Statistics (rev 1) ==\n",
         "ata", "sata_ssd"),
        (attributes(*DISK_NAMES), "ata", "hdd"),
        (brief(*DISK_NAMES), "ata", "hdd"),
        (brief("Spin_Retry_Count", "Head_Flying_Hours"), "ata", "hdd"),
        (SCSI_LOADS + SCSI_COUNTERS, "scsi", "hdd"),
        (SAS_WEAR + SCSI_COUNTERS, "scsi", "sas_ssd"),
    ]:  # fmt: skip
        with subtests.test(text=text, dialect=dialect):
            assert seen(text) == (dialect, device_class)


def test_output_that_fits_two_classes_shows_none():
    for text in (
        attributes("Raw_Read_Error_Rate", "Power_On_Hours", "Temperature_Celsius"),
        attributes("Spin_Up_Time", "Start_Stop_Count"),  # of an early SSD
        attributes(*DISK_NAMES, "Erase_Count_Avg"),  # of either, or of both in one
        READ_SECTION + "SMART Health Status: OK\n",
        SCSI_LOADS.replace("600000", "0").replace("1061", "0") + SCSI_COUNTERS,
        SAS_WEAR,  # of an NVMe drive that answers through a SCSI layer, too
        "Smartctl open device: /dev/nvme0 failed: Permission denied\n",
    ):
        banner = "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n"
        assert seen(banner + text)[1] == "unknown", text


def test_members_of_json_show_the_class():
    for members, device_class in (
        ({"nvme_smart_health_information_log": {"percentage_used": 1}}, "nvme"),
        (ATA | {"ata_smart_attributes": {"table": [{"id": 177, "name": "Wear_Leveling_Count"}]}}, "sata_ssd"),
        (ATA | {"ata_smart_attributes": {"table": [{"name": name} for name in DISK_NAMES]}}, "hdd"),
        (SCSI | {"scsi_start_stop_cycle_counter": {"accumulated_load_unload_cycles": 9}}, "hdd"),
        (SCSI | {"scsi_grown_defect_list": 0, "scsi_percentage_used_endurance_indicator": 1}, "sas_ssd"),
        (SCSI | {"scsi_percentage_used_endurance_indicator": 1}, "unknown"),
        ({"device": {"protocol": "NVMe"}}, "unknown"),
    ):  # fmt: skip
        members = {"json_format_version": [1, 0], "device": {"protocol": "NVMe"}} | members
        assert seen(json.dumps(members, indent=2))[1] == device_class, members


def test_the_name_and_the_rotation_rate_count_before_the_attributes():
    text = "Device Model:     EXAMPLE CACHE SSHD\nRotation Rate:    5400 rpm\n" + attributes(
        "Wear_Leveling_Count"
    )
    assert seen(text) == ("ata", "sshd")


def test_the_health_log_of_an_optane_drive_does_not_dispute_its_name():
    table = (
        identified(DISKINFO)
        .replace("ATA EXAMPLE SATA 200", "INTEL SSDPED1D280GA")
        .replace("/dev/da4", "/dev/nvd0")
    )
    paste = parse(table + "\n" + NVME_HEALTH)
    assert [device.device_class for device in paste.devices] == [DeviceClass.OPTANE]
    assert "class_disputed" not in {warning.code for warning in paste.warnings}


def test_a_banner_that_was_cut_at_a_column_is_not_joined_with_the_line_below():
    text = (
        "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.\nCopyright (C) 2002-22, Bruce Allen, Christian Fr\n"
    )
    reading = only(text + "=== START OF INFORMATION SECTION ===\nDevice Model:     EX\n")
    assert (reading.tool_version, reading.platform, reading.model_name) == ("7.3", None, "EX")


def test_rows_that_were_cut_at_a_column_are_not_joined():
    names = {12: "Power_Cycle_Count", 184: "End-to-End_Error"}
    rows = "".join(f"{number:3} {name:23} -O--CK   100   100   000    -\n" for number, name in names.items())
    reading = only(HEAD[:56] + "\n" + rows)
    assert reading.power_cycle_count is None


def test_a_line_that_was_cut_within_a_word_is_kept_without_it():
    line = "Error 12 [11] occurred at disk power-on lifetime: 20123 hours (838 days + 11 hours)"
    kept = parse(f"{HEAD}{line[:80]}\n").text
    assert kept.endswith("lifetime: 20123 hours (838 days + 11\n")
