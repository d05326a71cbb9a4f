"""Numbers in groups of three, as builds of smartctl print them that follow the locale."""

import pytest

from parsers.base.device_class import DeviceClass
from tests.parsers.samples import only

SAS = """smartctl 7.3 2022-02-28 r5338 [x86_64-w64-mingw32-w10-22H2] (sf-7.3-1)

=== START OF INFORMATION SECTION ===
Vendor:               EXAMPLE
Product:              SAS4KN
User Capacity:        4,000,787,030,016 bytes [4.00 TB]
Logical block size:   4,096 bytes
Rotation Rate:        7,202 rpm
Transport protocol:   SAS (SPL-3)
SMART Health Status: OK
Accumulated power on time, hours:minutes 12,345:18
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
write:         0        0         0         0      67,506    123,456.789           0
"""
EXPECTED = (4000787030016, 4096, 7202, 12345, 123456789000000)


def grouped(text, mark, point):
    """The numbers with other marks; the label of the hours has a comma itself."""
    return text.replace(".", "\0").replace(",", mark).replace("\0", point).replace(f"time{mark}", "time,")


def figures(text):
    reading = only(text)
    assert reading.device_class is DeviceClass.HDD
    return (
        reading.user_capacity,
        reading.logical_block_size,
        reading.rotation_rate_rpm,
        reading.power_on_hours,
        reading.host_bytes_written,
    )


@pytest.mark.parametrize(("mark", "point"), [(",", "."), (".", ","), ("'", "."), ("\u2019", ",")])
def test_the_mark_between_groups_is_that_of_the_locale(mark, point):
    assert figures(grouped(SAS, mark, point)) == EXPECTED


def test_hours_of_the_factory_log_may_be_grouped():
    text = SAS.replace(
        "Accumulated power on time, hours:minutes 12,345:18", "number of hours powered up = 12.345,67"
    )
    assert figures(text)[3] == 12345


def test_a_raw_sector_size_may_be_grouped():
    text = "Device Model: EXAMPLE\nSector Sizes:     512 bytes logical, 4.096 bytes physical\n"
    reading = only(text)
    assert (reading.logical_block_size, reading.physical_block_size) == (512, 4096)


def test_gigabytes_whose_marks_are_not_certain_are_left_out():
    for written in ("123.456.789", "1234.56,789", "12.34,789", "123.456", "1.23.456,789", ""):
        text = SAS.replace("123,456.789", written)
        expected = 123456000000 if written == "123.456" else None  # of three decimals, without groups
        assert figures(text)[4] == expected, written
