"""Names as people type them find the right product of the shipped catalogue."""

import csv
from pathlib import Path

import pytest

from results.models import Product
from results.search.products import find_products

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]

with Path(__file__).with_name("shipped_names.csv").open(newline="", encoding="utf-8") as file:
    ROWS = [
        *csv.DictReader(file)
    ]  # as people type them, also with letters swapped, left out, doubled or blanks moved


def cases(*kinds):
    return [(row["typed"], row["slug"]) for row in ROWS if row["kind"] in kinds]


def found_slugs(text):
    return slugs_of(find_products(text).ids)


def slugs_of(ids):
    slugs = dict(Product.objects.filter(pk__in=ids).values_list("pk", "slug"))
    return [slugs[pk] for pk in ids]


def test_a_name_finds_its_product_first(subtests):
    for text, slug in cases("names", "part_numbers"):
        with subtests.test(text=text):
            assert found_slugs(text)[0] == slug


def test_a_name_with_a_wrong_letter_finds_its_product_among_the_first():
    typed = cases("replaced")
    misses = [text for text, slug in typed if slug not in found_slugs(text)[:5]]
    assert len(misses) <= 0.1 * len(typed), misses


def test_misspelled_names_find_their_product_first_in_95_of_100():
    typed = cases("swapped", "left_out", "doubled", "moved_blanks")
    assert len(typed) >= 200
    wrong = [(text, slug) for text, slug in typed if found_slugs(text)[:1] != [slug]]
    assert len(wrong) <= 0.05 * len(typed), wrong


def test_part_number_finds_its_product_with_any_customer_suffix(subtests):
    for part, slug in [
        ("MZVLB512HAJQ", "samsung-pm981-pm9a1"),
        ("MZ7KM480HMHQ", "samsung-sm863"),
        ("samsung MZQLB960HAJR", "samsung-pm983"),
        ("MZHPV512HDGL", "samsung-sm951-ahci"),
        ("MZPLL3T2HMLS", "samsung-pm1725"),
        ("MTFDHBG1T9TDF", "micron-7300"),
    ]:
        for made_for in ["", "-00000", "-000L7", "-000h1", "-0BW07", "-1AW1ZABYY"]:
            with subtests.test(part=part, made_for=made_for):
                found = find_products(f"{part}{made_for}")
                assert found.match == Product.objects.get(slug=slug).pk


def test_customer_suffix_of_an_unknown_part_finds_nothing(subtests):
    for text in ["MZ7LN256HAJQ-000H1", "MZNLN256HMHQ-000H1", "kingston-0dc50", "P300-000L7"]:
        with subtests.test(text=text):
            assert find_products(text).match is None


def test_shared_name_lists_all_its_products_first(subtests):
    for text, slugs in [
        ("P300", {"micron-p300", "toshiba-desktop"}),
        ("wd red", {"wd-red-plus", "wd-red-smr"}),
        ("p3000", {"micron-p300", "toshiba-desktop"}),
        ("optane 16gb", {"intel-optane-m10", "intel-optane-memory"}),
        ("optane 58gb", {"intel-optane-800p", "intel-optane-p1600x"}),
    ]:
        with subtests.test(text=text):
            assert set(found_slugs(text)[:2]) == slugs


def test_unknown_text_finds_nothing(subtests):
    for text in ["zfs slog", "%", "_", "qqqqqqqq", "'; DROP TABLE x; --", "\\", "—"]:
        with subtests.test(text=text):
            assert found_slugs(text) == []


def test_alias_finds_its_product_or_all_that_share_it():
    lost = []
    for slug, name, aliases in Product.objects.values_list("slug", "name", "aliases"):
        for text in (name, *aliases):
            found = find_products(text)
            slugs = slugs_of(found.ids if found.is_shared else found.ids[:1])
            if slug not in slugs:
                lost.append((text, slug, slugs))
    assert lost == []


def test_the_beginning_of_a_model_finds_its_products_alone():
    assert found_slugs("p48") == ["intel-optane-p4800x", "intel-optane-p4801x"]


def test_a_question_isn_t_taken_for_a_misspelled_name(client):
    response = client.get("/search/", {"q": "cheap used enterprise ssd"})
    assert 'id="products"' not in response.text
    assert "Did you mean" not in response.text
    assert '<a href="/shortlist/?condition=used#answer">' in response.text
