"""What smartctl's output states and can't be: it is left out, and the rest is read."""

import json

from parsers.base.fillers import is_filler
from parsers.paste import parse_paste
from tests.parsers.samples import parse

ATA = """smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local build)
=== START OF INFORMATION SECTION ===
Device Model:     EXAMPLE SSD 240
Serial Number:    {serial}
Firmware Version: {firmware}
User Capacity:    240,057,409,536 bytes [240 GB]

=== START OF READ SMART DATA SECTION ===
ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       {hours}
 12 Power_Cycle_Count       0x0032   100   100   000    Old_age   Always       -       {cycles}
"""
NVME = """=== START OF INFORMATION SECTION ===
Model Number:                       EXAMPLE NVME 480
Firmware Version:                   {firmware}
=== START OF SMART DATA SECTION ===
SMART/Health Information (NVMe Log 0x02)
Percentage Used:                    3%
Power Cycles:                       61
Power On Hours:                     {hours}
"""
FARM = {
    "supported": True,
    "page_1_drive_information": {
        "serial_number": "ZLEXAM01", "world_wide_name": "0x5000c500e1a2b3c4", "device_interface": "SATA",
        "device_capacity_in_sectors": 1000000, "logical_sector_size": 4096, "rotation_rate": 7200,
        "firmware_rev": "SN04", "poh": 21034, "power_cycle_count": 40,
    },
}  # fmt: skip


def ata(serial="EXAM12345", firmware="EX10", hours="1200", cycles="40"):
    return ATA.format(serial=serial, firmware=firmware, hours=hours, cycles=cycles)


def test_a_figure_that_no_drive_can_have_reached_is_left_out_with_a_notice():
    for text, hours, cycles, is_noticed in (
        (ata(), 1200, 40, False),
        (ata(hours="175320"), 175_320, 40, False),  # twenty years
        (ata(hours="27041h+02m+45.123s"), 27_041, 40, False),
        (ata(hours="899027"), None, 40, True),
        (ata(cycles="2147000000"), 1200, None, True),
        (json.dumps({"json_format_version": [1, 0], "device": {"protocol": "ATA"}, "power_cycle_count": 40,
                     "power_on_time": {"hours": 894_900}}), None, 40, True),
    ):  # fmt: skip
        paste = parse(text)
        (reading,) = paste.readings
        assert (reading.power_on_hours, reading.power_cycle_count) == (hours, cycles), text
        messages = [warning.message for warning in paste.warnings if warning.code == "out_of_range"]
        assert bool(messages) == is_noticed, text


def test_hours_of_a_century_in_the_standard_log_are_noticed():
    """The log is read as it is printed; results leave the hours out."""
    paste = parse(NVME.format(firmware="EX20", hours="900,446"))
    assert paste.readings[0].power_on_hours == 900_446
    (notice,) = [warning for warning in paste.warnings if warning.code == "out_of_range"]
    assert notice.message == (
        "900,446 power-on hours are 102 years: this counter is wrong, so we don't store the hours"
    )


def test_a_filler_leaves_the_field_open():
    fillers = (
        "XXXXXXXX",
        "xxx",
        "XX-XX-XX",
        "********",
        "[REDACTED]",
        "<firmware>",
        "(removed)",
        "--",
        "n/a",
    )
    for firmware in (*fillers, "EX10", "0000", "XC311102", "1.0", "AAA2", "MAX1", "SN04", "X", "3.X.1"):
        assert is_filler(firmware) is (firmware in fillers), firmware
        for text in (ata(firmware=firmware), NVME.format(firmware=firmware, hours="9")):
            (device,) = parse(text).devices
            assert device.firmware_version == (None if firmware in fillers else firmware), text


def test_a_document_with_only_the_log_of_seagate_names_the_drive_and_its_hours():
    sas = {
        "drive_information": {"product_id": "ST10EXAMPLE", "serial_number": "ZLEXAM02", "power_on_hour": 77}
    }
    for document, expected in (
        (
            {"model_name": "ST4EXAMPLE", "seagate_farm_log": FARM},
            ("ST4EXAMPLE", 21_034, 4_096_000_000, "SN04"),
        ),
        ({"seagate_farm_log": sas}, ("ST10EXAMPLE", 77, None, None)),
        ({"seagate_farm_log": FARM, "power_on_time": {"hours": 5}}, (None, 5, 4_096_000_000, "SN04")),
    ):
        paste = parse(json.dumps({"json_format_version": [1, 0], **document}, indent=1))
        (reading,) = paste.readings
        got = reading.model_name, reading.power_on_hours, reading.user_capacity, reading.firmware_version
        assert got == expected
        assert paste.devices[0].unit is not None
        assert "ZLEXAM" not in paste.text
        assert "5000c500e1a2b3c4" not in paste.text
        assert parse_paste(paste.text, unit_key=b"key", unit_digests=paste.unit_digests).text == paste.text
