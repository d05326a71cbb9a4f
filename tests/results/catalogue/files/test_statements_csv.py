"""The files of claims, prices, life cycles and caveats: reading and storing."""

import csv
from dataclasses import asdict
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from results.catalogue.files.products_csv import CATALOGUE_FILE, read_catalogue
from results.catalogue.files.statements_csv import (
    CAVEATS,
    CLAIMS,
    FACT_KINDS,
    LIFE_CYCLES,
    PRICES,
    CaveatLine,
    ClaimLine,
    LifeCycleLine,
    PriceLine,
    read_facts,
    store_facts,
)
from results.core.lines import CatalogueError
from results.models import Claim, LifeCycle
from tests.factories import make_product
from tests.results.catalogue.catalogue_cells import FACT_CELLS, SOURCE, write_facts

SLUGS = {"aldera-s1", "aldera-s2"}
CLAIM = ClaimLine(
    slug="aldera-s1",
    capacity_bytes=480_000_000_000,
    variant="",
    quantity="write_latency_us",
    value=Decimal("52.5"),
    is_below=False,
    text="",
    unit="us",
    stated_by="maker",
    source_url=SOURCE,
    note="typical random write",
)


@pytest.fixture
def read(tmp_path):
    """Read a file of lines, each the kind's cells with changes."""

    def write_and_read(kind, *lines):
        return read_facts(kind, write_facts(tmp_path, kind, *lines), SLUGS)

    return write_and_read


def shipped(kind):
    slugs = {line.slug for line in read_catalogue()}
    return read_facts(kind, CATALOGUE_FILE.with_name(kind.file_name), slugs)


def test_claim_is_a_figure_or_a_text(read, subtests):
    for changes, expected in [
        ({}, {"value": Decimal("52.5"), "is_below": False, "text": "", "capacity_bytes": 480_000_000_000}),
        ({"value": "<10"}, {"value": Decimal(10), "is_below": True, "text": ""}),
        ({"capacity_bytes": ""}, {"capacity_bytes": None}),
        ({"variant": "MAX"}, {"variant": "MAX"}),
        (
            {"quantity": "cache_dram_mb", "value": "0", "unit": "MB"},
            {"quantity": "cache_dram_mb", "value": Decimal(0), "unit": "MB"},
        ),
        (
            {"quantity": "nand", "value": "3D TLC, 64 layers", "unit": ""},
            {"quantity": "nand", "value": None, "text": "3D TLC, 64 layers", "unit": ""},
        ),
    ]:
        with subtests.test(changes=changes):
            (line,) = read(CLAIMS, changes)
            assert asdict(line) == {**asdict(CLAIM), **expected}


def test_price_has_a_currency_and_a_partial_date(read):
    assert read(PRICES, {}, {"seen_on": "2024", "condition": ""}) == [
        PriceLine(
            "aldera-s1", 480_000_000_000, Decimal("99.9"), "EUR", "used", "marketplace", "2024-05-14", SOURCE
        ),
        PriceLine("aldera-s1", 480_000_000_000, Decimal("99.9"), "EUR", "", "marketplace", "2024", SOURCE),
    ]


def test_a_life_cycle_names_its_successor_by_slug(read):
    assert read(LIFE_CYCLES, {}, {"launched_on": "", "successor": "", "note": ""}) == [
        LifeCycleLine("aldera-s1", "2018-03", "last orders 2023-05-30", "aldera-s2", SOURCE, "announced"),
        LifeCycleLine("aldera-s1", "", "last orders 2023-05-30", None, SOURCE, ""),
    ]


def test_caveat_can_name_a_fix(read):
    assert read(CAVEATS, {}) == [
        CaveatLine("aldera-s1", "firmware_bug", "Hangs after 5184 hours.", "0309", SOURCE)
    ]


def test_error_names_its_line(read, subtests):
    for kind, change, message in [
        *((kind, {"slug": "nobody"}, "slug: 'nobody' is not in the catalogue") for kind in FACT_KINDS),
        *((kind, {"source_url": ""}, "source_url: '' is not the address of a page") for kind in FACT_KINDS),
        *(
            (kind, {"source_url": "ftp://a.example/1"}, "source_url: 'ftp://a.example/1' is not")
            for kind in FACT_KINDS
        ),
        *((kind, {"source_url": f"{SOURCE}/{'x' * 500}"}, "source_url: too long") for kind in FACT_KINDS),
        *((kind, {}, "this source's statement is already on line 2") for kind in FACT_KINDS),
        (CLAIMS, {"note": "said twice"}, "this source's statement is already on line 2"),
        (CLAIMS, {"capacity_bytes": "480 GB"}, "capacity_bytes: '480 GB'"),
        (CLAIMS, {"quantity": "weight_g"}, "quantity: 'weight_g'"),
        (CLAIMS, {"value": "0"}, "value: missing, or not a number above 0"),
        (CLAIMS, {"value": "52,5"}, "value: '52,5' is not a number above 0"),
        (CLAIMS, {"value": ">5"}, "value: '>5' is not a number above 0"),
        (CLAIMS, {"value": ""}, "value: missing, or not a number above 0"),
        (CLAIMS, {"unit": "ms"}, "unit: 'ms' is not 'us'"),
        (CLAIMS, {"quantity": "nand"}, "unit: 'us' is not ''"),
        (CLAIMS, {"quantity": "nand", "unit": "", "value": ""}, "value: missing"),
        (CLAIMS, {"stated_by": "forum"}, "stated_by: 'forum'"),
        (CLAIMS, {"note": "x" * 201}, "note: 'x+' is too long"),
        (PRICES, {"price": "0.00"}, "price: '0.00' is not an amount above 0"),
        (PRICES, {"price": "1.224,00"}, "price: '1.224,00'"),
        (PRICES, {"price": "$99"}, r"price: '\$99'"),
        (PRICES, {"currency": "eur"}, "currency: 'eur'"),
        (PRICES, {"currency": "XYZ"}, "currency: 'XYZ'"),
        (PRICES, {"condition": "broken"}, "condition: 'broken'"),
        (PRICES, {"seller_kind": ""}, "seller_kind: ''"),
        (PRICES, {"seen_on": ""}, "seen_on: '' is not a date"),
        (PRICES, {"seen_on": "14.05.2024"}, "seen_on: '14.05.2024' is not a date"),
        (PRICES, {"seen_on": "2024-13"}, "seen_on: '2024-13': month must be"),
        (PRICES, {"seen_on": "2023-02-29"}, "seen_on: '2023-02-29': day"),
        (PRICES, {"seen_on": "1923"}, "seen_on: '1923' is not from 1980 to 2100"),
        (LIFE_CYCLES, {"launched_on": "Q3 2016"}, "launched_on: 'Q3 2016' is not a date"),
        (LIFE_CYCLES, {"end_of_sale": " 2023"}, "end_of_sale: ' 2023' is too long, or has spaces"),
        (LIFE_CYCLES, {"successor": "nobody"}, "successor: 'nobody' is not in the catalogue"),
        (LIFE_CYCLES, {"successor": "aldera-s1"}, "successor: 'aldera-s1' is the product itself"),
        (
            LIFE_CYCLES,
            {"launched_on": "", "end_of_sale": "", "successor": "", "note": ""},
            "launched_on: missing, and so is everything else",
        ),
        (CAVEATS, {"kind": "ugly"}, "kind: 'ugly'"),
        (CAVEATS, {"summary": ""}, "summary: missing"),
        (CAVEATS, {"summary": "x" * 301}, "summary: 'x+' is too long"),
        (CAVEATS, {"fixed_in_firmware": "x" * 61}, "fixed_in_firmware: 'x+' is too long"),
    ]:
        words = rf"^{kind.file_name}, line 3: {message}"
        with subtests.test(change=change), pytest.raises(CatalogueError, match=words):
            read(kind, {}, change)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", FACT_KINDS, ids=lambda kind: kind.plural)
def test_facts_equal_those_of_the_file(read, kind):
    for slug in SLUGS:
        make_product(slug=slug)
    table = kind.model.objects
    first = read(kind, {}, {"slug": "aldera-s2", **({"successor": ""} if kind is LIFE_CYCLES else {})})
    assert store_facts(kind, first) == ["aldera-s1", "aldera-s2"]
    added = table.get(product__slug="aldera-s2").pk
    assert store_facts(kind, first) == []
    assert store_facts(kind, first[1:]) == ["aldera-s1"]
    assert list(table.values_list("pk", flat=True)) == [added]


@pytest.mark.django_db
def test_caveat_of_a_class_applies_to_its_products(read):
    for slug, device_class in [("aldera-s1", "sas_ssd"), ("aldera-s2", "sas_ssd"), ("borealis", "nvme")]:
        make_product(slug=slug, device_class=device_class)
    lines = read(CAVEATS, {"slug": "sas_ssd"}, {"slug": "aldera-s2", "summary": "Runs hot."})
    assert store_facts(CAVEATS, lines) == ["aldera-s1", "aldera-s2"]
    caveats = CAVEATS.model.objects.order_by("product__slug", "summary")
    hangs = FACT_CELLS[CAVEATS]["summary"]
    assert list(caveats.values_list("product__slug", "summary")) == [
        ("aldera-s1", hangs),
        ("aldera-s2", hangs),
        ("aldera-s2", "Runs hot."),
    ]
    assert store_facts(CAVEATS, lines) == []
    assert store_facts(CAVEATS, lines[1:]) == ["aldera-s1", "aldera-s2"]


@pytest.mark.django_db
def test_changed_note_is_stored(read):
    product = make_product(slug="aldera-s1")
    store_facts(CLAIMS, read(CLAIMS, {}))
    assert store_facts(CLAIMS, read(CLAIMS, {"note": "typical"})) == ["aldera-s1"]
    assert product.claims.get().note == "typical"


def test_shipped_figures_are_plausible():
    bounds = {(line.slug, line.quantity, line.value) for line in shipped(CLAIMS) if line.is_below}
    assert bounds == {
        ("intel-optane-p4800x", "write_latency_us", 10),
        ("micron-9200", "power_idle_w", 5),
        ("micron-p300", "power_active_w", 7),
        ("micron-p400", "power_active_w", Decimal("7.5")),
    }
    assert {line.currency for line in shipped(PRICES)} == {"EUR", "GBP", "USD"}


def test_shipped_texts_are_not_copied():
    """There is no column for quotes, and no note contains quotation marks."""
    for file in CATALOGUE_FILE.parent.glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            columns, *rows = csv.reader(lines)
        assert "quote" not in columns
        for name in {"note", "summary", "end_of_sale"} & set(columns):
            assert not [row for row in rows if '"' in row[columns.index(name)]], (file.name, name)


@pytest.mark.django_db
def test_database_refuses_what_the_file_format_refuses(subtests):
    product = make_product()
    for constraint, table, values in [
        ("claim_is_positive", Claim, {"value": 0, "unit": "us"}),
        ("claim_is_a_figure_or_a_text", Claim, {"value": 1, "unit": "us", "text": "one"}),
        ("claim_is_a_figure_or_a_text", Claim, {"value": 1}),
        ("claim_is_a_figure_or_a_text", Claim, {}),
        ("life_cycle_begins_on_a_date", LifeCycle, {"launched_on": "Q3 2016"}),
        ("life_cycle_says_something", LifeCycle, {}),
        ("caveat_says_something", CAVEATS.model, {}),
    ]:
        refused = pytest.raises(IntegrityError, match=constraint)
        with subtests.test(constraint=constraint, values=values), refused, transaction.atomic():
            table.objects.create(product=product, **values)
