"""A value of diskinfo's header that is a piece of one, or holds another line, is left out and said."""

import re

from tests.parsers.samples import DISKINFO, identified, only, parse, places

HEADER = "512 # sectorsize\n200049647616 # mediasize in bytes (186G)\n"


def test_a_partial_value_is_refused():
    for line in (
        "oned # Zone Mode",
        "0 # Rotation r ate in RPM Not_Zoned # Zone Mode",
        "slot@4/elmdesc@Slot03 # Physical path",
        "Slot_03 # Physical path",
        "id1,enc@n5001 438aabb/type@0 # Physical path",
        "0 # stripeoffset EXAMPLE # Disk descr.",
    ):
        paste = parse(f"{HEADER}{line}\n")
        (reading,) = paste.readings
        assert (reading.zone_mode, reading.physical_path, reading.description) == (None, None, None), line
        assert ("unreadable_field", 3) in places(paste), line


def test_a_complete_value_is_read():
    for line, field, value in (
        ("Host_Aware # Zone Mode", "zone_mode", "Host_Aware"),
        ("id1,enc@n[wwn-1]/type@0/slot@4/elmdesc@Slot_07 # Physical path", "physical_path", None),
        ("pci0:1:0:0 # Physical path", "physical_path", "pci0:1:0:0"),
    ):
        reading = only(f"{HEADER}{line}\n")
        assert getattr(reading, field) == (value or line.partition(" #")[0]), line


def test_the_table_of_a_device_with_large_sectors_is_complete_without_the_small_sizes():
    text = identified(DISKINFO)
    text = re.sub(r"(?m)^\t.*\t# sectorsize", "\t4096        \t# sectorsize", text)
    text = re.sub(r"\t +(?:0\.5|1|2) kbytes.*\n", "", text)
    reading = only(text)
    assert (reading.sector_size, reading.complete) == (4096, True)


def test_a_serial_number_that_is_the_size_too_is_masked_there():
    text = re.sub(r"(?m)^\t.*\t# Disk ident\.", "\t200049647616\t# Disk ident.", identified(DISKINFO))
    assert "200049647616" not in parse(text).text
