"""The catalogue that the project ships."""

import pytest

from parsers.base.device_class import DeviceClass
from parsers.classify.rules import ClassEvidence, classify
from results.catalogue.files.products_csv import read_catalogue
from results.catalogue.matching.match import names_to_try
from results.catalogue.matching.patterns import Matcher
from results.models.choices import Plp

LINES = read_catalogue()
MATCHER = Matcher((line.slug, line.patterns) for line in LINES)


def test_each_example_matches_only_its_product_also_as_tools_print_it(subtests):
    for line in [line for line in LINES if line.example_model]:
        with subtests.test(line.slug):
            assert MATCHER.find_owners(line.example_model) == [line.slug]
            called = " ".join(line.example_model.split()).removeprefix("ATA ")
            assert MATCHER.find(names_to_try(called)) == line.slug


def test_cut_names_shared_by_two_lines_match_neither():
    assert MATCHER.find(names_to_try("INTEL SSDSC2BA20")) is None
    assert MATCHER.find(names_to_try("Samsung SSD 850")) is None


def test_3d_xpoint_without_a_statement_is_safe_by_design():
    by_design = {line.slug for line in LINES if line.plp is Plp.BY_DESIGN}
    assert {
        "intel-optane-900p",
        "intel-optane-905p",
        "intel-optane-p4800x",
        "intel-optane-p5800x",
    } <= by_design
    assert {line.device_class for line in LINES if line.plp is Plp.BY_DESIGN} == {"optane"}


def test_source_is_cited_once_per_line():
    for line in LINES:
        urls = [statement.url for statement in line.plp_statements]
        assert len(set(urls)) == len(urls), line.slug


def test_statement_about_a_variant_has_a_note():
    notes = [statement.note for line in LINES for statement in line.plp_statements if statement.note]
    assert notes
    assert not [note for note in notes if '"' in note]


NAMES_OF_DRIVES = {
    "intel-optane-d4800x": ("INTEL SSDPD21K375GA",),
    "intel-optane-p5800x": ("INTEL SSDPFR1Q400GBF", "Dell Ent NVMe P5800x WI U.2 400GB", "SSDPF21Q016TB01"),
    "sk-hynix-bc501": ("BC501 HFM256GDJTNG-8310A", "SK hynix BC501 HFM256GDJTNG-8310A"),
    "micron-7500": ("MTFDKCC960TGP-1BK1JABYY",),
}


def test_each_name_of_a_drive_is_that_of_one_product():
    found = {name: MATCHER.find(names_to_try(name)) for names in NAMES_OF_DRIVES.values() for name in names}
    assert found == {name: slug for slug, names in NAMES_OF_DRIVES.items() for name in names}


def test_optane_is_known_by_its_name_alone():
    """Whatever the catalogue has as Optane is that to the parsers, too."""
    names = {line.example_model for line in LINES if line.device_class == DeviceClass.OPTANE} - {""}
    names |= {name for slug, names in NAMES_OF_DRIVES.items() if "optane" in slug for name in names}
    assert {classify(ClassEvidence(model=name, command_set="nvme")) for name in names} == {DeviceClass.OPTANE}


@pytest.mark.parametrize("name", ["Samsung SSD 990 EVO Plus 2TB", "INTEL SSDPFKNU010TZ", "MK000480GWCEV"])
def test_successor_with_a_similar_name_is_another_product(name):
    assert MATCHER.find(names_to_try(name)) is None


def test_external_battery_is_stated():
    external = {line.slug for line in LINES if line.plp is Plp.EXTERNAL}
    assert external == {"ddrdrive-x1", "gigabyte-i-ram", "micro-memory-mm5425"}
