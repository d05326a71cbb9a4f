"""Full names, as people and articles write them."""

import pytest

from results.catalogue.matching.names import Named, NameIndex, normalize_name, without_capacity


def index(*products):
    return NameIndex(Named(owner, vendor, names) for owner, vendor, *names in products)


def test_case_punctuation_and_fillers_are_ignored(subtests):
    for name in [
        "Aldera V700",
        "ALDERA v700",
        "Aldera V-700",
        "Aldera V700 Series",
        "Aldera SSD V700",
        "Aldera V700 NVMe M.2 SSD",
        "Aldera V700 (U.2)",
        "Aldera V700 Solid State Drive",
        "Aldera V700 solid-state disk",
    ]:
        with subtests.test(name=name):
            assert normalize_name(name) == "alderav700"


def test_plus_is_part_of_the_name():
    assert normalize_name("V700+") == normalize_name("V700 Plus") != normalize_name("V700")


def test_capacity_at_the_end_is_not_part_of_the_name(subtests):
    for name in ["V700 480GB", "V700 480 GB SSD", "V700 (2TB)", "V700 1.92TB", "V700 1,6 TB", "V700 2TiB"]:
        with subtests.test(name=name):
            assert without_capacity(name) == "v700"


def test_capacity_elsewhere_is_part_of_the_name():
    assert without_capacity("16GB Cache Module") == "16gbcachemodule"


def test_a_name_is_found_with_or_without_a_vendor(subtests):
    for name in ["V700", "Aldera V700", "Aldera SSD V700 480GB", "Borea V700"]:
        with subtests.test(name=name):
            assert index(("v700", "Aldera / Borea", "V700")).find(name) == "v700"


def test_only_full_names_match(subtests):
    for name in ["V70", "V7000", "V700 PRO", "the V700", "", "SSD", "480GB"]:
        with subtests.test(name=name):
            assert index(("v700", "Aldera", "V700", "SSD")).find(name) is None


def test_stated_vendor_must_be_the_products():
    names = index(("v700", "Aldera / Borea", "V700"))
    assert names.find("V700", "Borea") == "v700"
    assert names.find("V700", "Cetus") is None


@pytest.mark.parametrize("name", ["P300", "Aldera P300", "Borea P300"])
def test_name_shared_by_two_products_matches_neither(name):
    names = index(("p", "Aldera", "P300"), ("q", "Borea", "P300", "Q1"))
    assert names.find(name) is None
    assert names.find("Q1") == "q"


def test_vendor_and_name_collide_with_a_name_that_contains_the_vendor():
    assert index(("p", "Aldera", "P300"), ("q", "Borea", "Aldera P300")).find("Aldera P300") is None


def test_bare_number_matches_only_with_its_vendor():
    names = index(("s710", "Aldera", "SSD 710"))
    assert names.find("710") is None
    assert names.find("Aldera 710 Series SSD") == "s710"
    assert names.find("710 Series", "Aldera") == "s710"


def test_name_that_contains_a_capacity_takes_precedence():
    names = index(("small", "Aldera", "Cache 16GB"), ("all", "Aldera", "Cache"))
    assert (names.find("Cache 16GB"), names.find("Cache 32GB")) == ("small", "all")
