"""The rated latencies that checks use."""

import pytest
from django.db.models import prefetch_related_objects

from results.catalogue.claims import is_typical_random_write, rated_random_write_latency_us
from results.catalogue.files.products_csv import CATALOGUE_FILE, read_catalogue
from results.catalogue.files.statements_csv import CLAIMS, read_facts, store_facts
from results.models import Claim, Product
from tests.factories import make_claim, make_product

RATED_BY_HAND = {
    ("intel-dc-s4500", None, 52),
    ("intel-dc-s4600", None, 52),
    ("samsung-pm983", 960_000_000_000, 50),
    ("samsung-pm983", 1_920_000_000_000, 50),
    ("samsung-pm983", 3_840_000_000_000, 50),
}


def claim(product, value, *, note="typical, random write", **values):
    return make_claim(product, value, note=note, **{"quantity": "write_latency_us", "unit": "us", **values})


def test_only_claims_noted_as_typical_and_random_count(subtests):
    for note, counts in [
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
    ]:
        with subtests.test(note=note):
            assert is_typical_random_write(Claim(quantity="write_latency_us", note=note)) is counts


def test_neither_an_upper_bound_nor_another_latency_counts():
    rated = Claim(quantity="write_latency_us", note="typical, random write", value=10, is_below=True)
    assert not is_typical_random_write(rated)
    assert not is_typical_random_write(Claim(quantity="read_latency_us", note="typical, random"))


@pytest.mark.django_db
def test_claim_for_the_capacity_takes_precedence_over_the_line():
    product = make_product()
    assert rated_random_write_latency_us(product, 480 * 10**9) is None
    claim(product, 50, capacity_bytes=480 * 10**9)
    assert rated_random_write_latency_us(product, 960 * 10**9) is None
    claim(product, 60)
    claim(product, 40, source_url="https://other.example")
    claim(product, 1, quantity="read_latency_us")
    assert rated_random_write_latency_us(product, 480_103_981_056) == 50
    assert rated_random_write_latency_us(product, 960_197_124_096) == 40
    assert rated_random_write_latency_us(product, None) == 40


@pytest.mark.django_db
def test_many_products_need_one_query(django_assert_num_queries):
    for value in (50, 60, 70):
        claim(make_product(), value)
    products = list(Product.objects.order_by("pk"))
    with django_assert_num_queries(1):
        prefetch_related_objects(products, "claims")
        assert [rated_random_write_latency_us(product, None) for product in products] == [50, 60, 70]


@pytest.mark.django_db
def test_shipped_rated_latencies_are_as_expected():
    slugs = {line.slug for line in read_catalogue()}
    for slug in slugs:
        make_product(slug=slug)
    store_facts(CLAIMS, read_facts(CLAIMS, CATALOGUE_FILE.with_name(CLAIMS.file_name), slugs))
    used = [entry for entry in Claim.objects.select_related("product") if is_typical_random_write(entry)]
    assert {(entry.product.slug, entry.capacity_bytes, entry.value) for entry in used} == RATED_BY_HAND
    assert Claim.objects.count() > len(used)
