"""The file of stated figures, and the latencies that checks go by."""

from decimal import Decimal

import pytest
from django.db.models import prefetch_related_objects

from results.catalogue.claims import (
    CLAIM_COLUMNS,
    CLAIM_FILE_NAME,
    ClaimLine,
    is_typical_random_write,
    rated_random_write_latency_us,
    read_claims,
    store_claims,
)
from results.catalogue.file import CATALOGUE_FILE, CatalogueError, read_catalogue
from results.models import Claim, Product
from tests.factories import make_product

SOURCE = "https://aldera.example/s1"
CELLS = {
    "slug": "aldera-s1",
    "capacity_bytes": "480000000000",
    "quantity": "write_latency_us",
    "value": "52.5",
    "unit": "us",
    "stated_by": "maker",
    "source_url": SOURCE,
    "note": "typical random write",
}
RATED_BY_HAND = {
    ("intel-dc-s4500", None, 52),
    ("intel-dc-s4600", None, 52),
    ("samsung-pm983", 960_000_000_000, 50),
    ("samsung-pm983", 1_920_000_000_000, 50),
    ("samsung-pm983", 3_840_000_000_000, 50),
}


@pytest.fixture
def claim_file(tmp_path):
    """Writes a file of these lines, each CELLS with what it changes."""

    def write(*lines):
        rows = [CLAIM_COLUMNS, *([{**CELLS, **line}[name] for name in CLAIM_COLUMNS] for line in lines)]
        path = tmp_path / "claims.csv"
        path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def claim(product, value, *, note="typical, random write", **values):
    stated = {"quantity": "write_latency_us", "unit": "us", "stated_by": "maker", "source_url": SOURCE}
    return Claim.objects.create(product=product, value=value, note=note, **{**stated, **values})


def stored():
    return set(Claim.objects.values_list("product__slug", "capacity_bytes", "value"))


def test_a_line_is_a_figure_of_any_quantity(claim_file):
    other = {"quantity": "endurance_tbw", "unit": "TB", "value": "500", "capacity_bytes": ""}
    lines = read_claims(claim_file({}, other), {"aldera-s1"})
    assert lines == [
        ClaimLine(
            "aldera-s1",
            480_000_000_000,
            "write_latency_us",
            Decimal("52.5"),
            "us",
            "maker",
            SOURCE,
            "typical random write",
        ),
        ClaimLine(
            "aldera-s1", None, "endurance_tbw", Decimal(500), "TB", "maker", SOURCE, "typical random write"
        ),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slug": "nobody"}, "slug: 'nobody' is not in the catalogue"),
        ({"capacity_bytes": "480 GB"}, "capacity_bytes: '480 GB'"),
        ({"quantity": "Write latency"}, "quantity: 'Write latency'"),
        ({"value": "<10"}, "value: '<10' is not a number above 0"),
        ({"value": "0"}, "value: '0' is not a number above 0"),
        ({"value": ""}, "value: ''"),
        ({"unit": ""}, "unit: ''"),
        ({"unit": "ms"}, "unit: 'ms' is not a unit of write_latency_us"),
        ({"stated_by": "forum"}, "stated_by: 'forum'"),
        ({"source_url": ""}, "'' is not the address of a page"),
        ({"note": "x" * 201}, "source_url or note: too long"),
        ({}, "this source's write_latency_us is already on line 2"),
    ],
)
def test_a_fault_is_named_with_its_line(claim_file, change, message):
    with pytest.raises(CatalogueError, match=rf"^claims\.csv, line 3: {message}"):
        read_claims(claim_file({}, change), {"aldera-s1"})


@pytest.mark.django_db
def test_claims_are_those_of_the_file_and_no_others(claim_file):
    make_product(slug="aldera-s1")
    first = read_claims(claim_file({}, {"capacity_bytes": ""}), {"aldera-s1"})
    assert store_claims(first) == ["aldera-s1"]
    assert stored() == {("aldera-s1", 480_000_000_000, 52.5), ("aldera-s1", None, 52.5)}
    assert store_claims(first) == []
    assert store_claims(read_claims(claim_file({"value": "60"}), {"aldera-s1"})) == ["aldera-s1"]
    assert stored() == {("aldera-s1", 480_000_000_000, 60)}


@pytest.mark.parametrize(
    ("note", "counts"),
    [
        ("typical, random write", True),
        ("Typical random write, sustained workload", True),
        ("typical", False),
        ("random write", False),
        ("typical, average sequential", False),
        ("typical, random write; sequential write 13 us", False),
        ("typical, random write, steady state", False),
        ("typical, random write, write cache disabled", False),
        ("typical random write, maximum", False),
        ("atypical, random write", False),
        ("", False),
    ],
)
def test_what_counts_is_called_typical_and_random_and_nothing_else(note, counts):
    assert is_typical_random_write(Claim(quantity="write_latency_us", note=note)) is counts


def test_only_a_write_latency_counts():
    assert not is_typical_random_write(Claim(quantity="read_latency_us", note="typical, random"))


@pytest.mark.django_db
def test_the_claim_for_the_capacity_goes_before_that_of_the_line():
    product = make_product()
    claim(product, 50, capacity_bytes=480 * 10**9)
    claim(product, 60)
    claim(product, 40, source_url="https://other.example")
    claim(product, 1, quantity="read_latency_us")
    assert rated_random_write_latency_us(product, 480_103_981_056) == 50
    assert rated_random_write_latency_us(product, 960_197_124_096) == 40
    assert rated_random_write_latency_us(product, None) == 40


@pytest.mark.django_db
def test_a_product_that_nobody_rates_so_has_no_latency():
    product = make_product()
    assert rated_random_write_latency_us(product, 480 * 10**9) is None
    claim(product, 50, capacity_bytes=960 * 10**9)
    assert rated_random_write_latency_us(product, 480 * 10**9) is None


@pytest.mark.django_db
def test_many_products_take_one_query(django_assert_num_queries):
    for value in (50, 60, 70):
        claim(make_product(), value)
    products = list(Product.objects.order_by("pk"))
    with django_assert_num_queries(1):
        prefetch_related_objects(products, "claims")
        assert [rated_random_write_latency_us(one, None) for one in products] == [50, 60, 70]


@pytest.mark.django_db
def test_the_rated_latencies_that_ship_are_these():
    slugs = {line.slug for line in read_catalogue()}
    for slug in slugs:
        make_product(slug=slug)
    store_claims(read_claims(CATALOGUE_FILE.with_name(CLAIM_FILE_NAME), slugs))
    used = [one for one in Claim.objects.select_related("product") if is_typical_random_write(one)]
    assert {(one.product.slug, one.capacity_bytes, one.value) for one in used} == RATED_BY_HAND
    assert Claim.objects.count() > len(used)
