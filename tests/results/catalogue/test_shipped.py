"""The catalogue that the project ships."""

import pytest

from results.catalogue.file import read_catalogue
from results.catalogue.match import names_to_try
from results.catalogue.matcher import Matcher
from results.models.choices import Plp

LINES = read_catalogue()
MATCHER = Matcher((line.slug, line.patterns) for line in LINES)


@pytest.mark.parametrize("line", [line for line in LINES if line.example_model], ids=lambda line: line.slug)
def test_each_example_matches_only_its_product(line):
    assert MATCHER.find_owners(line.example_model) == [line.slug]


@pytest.mark.parametrize("line", [line for line in LINES if line.example_model], ids=lambda line: line.slug)
def test_each_example_is_found_as_tools_print_it(line):
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
    notes = [one.note for line in LINES for one in line.plp_statements if one.note]
    assert len(notes) == 44
    assert not [note for note in notes if '"' in note]


@pytest.mark.parametrize("name", ["Samsung SSD 990 EVO Plus 2TB", "INTEL SSDPFKNU010TZ"])
def test_successor_with_a_similar_name_is_another_product(name):
    assert MATCHER.find(names_to_try(name)) is None


def test_external_battery_is_stated():
    external = {line.slug for line in LINES if line.plp is Plp.EXTERNAL}
    assert external == {"ddrdrive-x1", "gigabyte-i-ram", "micro-memory-mm5425"}
