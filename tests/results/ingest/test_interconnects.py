"""The ceilings of links, against figures that anybody can look up."""

from urllib.parse import urlsplit

import pytest

from parsers.kinds import DeviceClass
from results.ingest.interconnects import INTERCONNECTS, fastest_link

MEGABYTE = 1_000_000
MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("name", "megabytes_s"),
    [
        ("SATA 6 Gb/s", 600),
        ("SAS 12 Gb/s", 1200),
        ("SAS 22.5 Gb/s", 2400),
        ("PCIe 1.0 x1", 250),
        ("PCIe 3.0 x4", 3938),
        ("PCIe 5.0 x16", 63_015),
        ("DDR4-3200 DIMM", 25_600),
    ],
)
def test_a_ceiling_is_what_the_specification_leaves(name, megabytes_s):
    (link,) = [one for one in INTERCONNECTS if one.name == name]
    assert link.ceiling_mib_s == pytest.approx(megabytes_s * MEGABYTE / MIB, rel=0.001)


def test_names_are_unique_and_sources_are_addresses():
    assert len({one.name for one in INTERCONNECTS}) == len(INTERCONNECTS)
    assert all(urlsplit(one.source_url).scheme == "https" for one in INTERCONNECTS)


def test_every_class_but_the_unknown_has_a_fastest_link():
    without = [device_class for device_class in DeviceClass if fastest_link(device_class) is None]
    assert without == [DeviceClass.UNKNOWN]
