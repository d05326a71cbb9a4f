"""The ceilings of links, compared with published figures."""

import re
from urllib.parse import urlsplit

import pytest

from parsers.base.device_class import DeviceClass
from parsers.base.units import MEBIBYTE
from results.catalogue.files.products_csv import read_catalogue
from results.kinds.interconnects import INTERCONNECTS, fastest_link, link_of_interface

MEGABYTE = 1_000_000


def test_ceiling_is_the_rate_without_the_line_code(subtests):
    for name, megabytes_s in [
        ("SATA 6 Gb/s", 600),
        ("SAS 12 Gb/s", 1200),
        ("SAS 22.5 Gb/s", 2400),
        ("PCIe 1.0 x1", 250),
        ("PCIe 3.0 x4", 3938),
        ("PCIe 5.0 x16", 63_015),
        ("DDR4-3200 DIMM", 25_600),
    ]:
        with subtests.test(name=name):
            (link,) = [interconnect for interconnect in INTERCONNECTS if interconnect.name == name]
            assert link.ceiling_mib_s == pytest.approx(megabytes_s * MEGABYTE / MEBIBYTE, rel=0.001)


def test_names_are_unique_and_sources_are_urls():
    assert len({interconnect.name for interconnect in INTERCONNECTS}) == len(INTERCONNECTS)
    assert all(urlsplit(interconnect.source_url).scheme == "https" for interconnect in INTERCONNECTS)


def test_every_known_class_has_a_fastest_link():
    without = [device_class for device_class in DeviceClass if fastest_link(device_class) is None]
    assert without == [DeviceClass.UNKNOWN]


def test_link_is_read_from_the_products_interface(subtests):
    for interface, expected in [
        ("SATA 3 (6 Gb/s)", "SATA 6 Gb/s"),
        ("SATA 3 (6 Gb/s), SATA 2 (3 Gb/s)", "SATA 6 Gb/s"),
        ("SATA 1 (1.5 Gb/s), PCI slot for power", "SATA 1.5 Gb/s"),
        ("SAS 12 Gb/s", "SAS 12 Gb/s"),
        ("SAS 24G", "SAS 22.5 Gb/s"),
        ("SAS 24 Gb/s", "SAS 22.5 Gb/s"),
        ("PCIe 3.0 x2 NVMe", "PCIe 3.0 x2"),
        ("PCIe 4.0 x4 (U.2), x8 (card) NVMe", "PCIe 4.0 x8"),
        ("NVMe (PCIe 3.0)", "PCIe 3.0 x4"),
        ("PCIe M.2 with AHCI (ATA command set)", "PCIe 5.0 x4"),
        ("SAS", None),
        ("DDR4", None),
        ("", None),
    ]:
        with subtests.test(interface=interface):
            link = link_of_interface(interface)
            assert (link.name if link else None) == expected


def test_every_catalogue_interface_with_a_rate_has_a_link():
    stating = {line.interface for line in read_catalogue() if re.search(r"Gb/s|PCIe|24G", line.interface)}
    assert [interface for interface in stating if link_of_interface(interface) is None] == []
