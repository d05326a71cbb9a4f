from decimal import Decimal

import pytest

from results.catalogue.endurance import find_endurance, rated_product, rated_products
from results.models import Product
from tests.factories import make_claim, make_product

pytestmark = pytest.mark.django_db
GB = 10**9


def test_products_with_a_rating_are_listed_by_name():
    written = [{"capacity_bytes": None, "written_bytes": 10**15}]
    make_product(slug="b", name="B", endurance_tbw=written)
    make_product(
        slug="a", name="A", endurance_dwpd_low=Decimal(1), endurance_dwpd_high=Decimal(1), endurance_years=5
    )
    make_product(slug="c", name="C")
    make_claim(make_product(slug="d", name="D"), 2, quantity="endurance_dwpd", unit="DWPD")
    assert rated_products() == [("a", "Aldera A"), ("b", "Aldera B"), ("d", "Aldera D")]
    assert [(rating.capacity_bytes, rating.value) for rating in rated_product("b").endurance.written] == [
        (None, 10**15)
    ]
    assert rated_product("a").endurance.of(10**12)[:2] == (1825 * 10**12, 1)
    assert (rated_product("d").endurance.of(10**12)[:2], rated_product("d").endurance.source_urls) == (
        (3650 * 10**12, 2),
        ["https://claims.example/"],
    )
    with pytest.raises(Product.DoesNotExist):
        rated_product("c")


TBW, DWPD = ("endurance_tbw", "TB"), ("endurance_dwpd", "DWPD")
IN_BYTES = {"endurance_tbw": [{"capacity_bytes": 480 * GB, "written_bytes": 10**15}]}
BY_THE_DAY = {"endurance_dwpd_low": 1, "endurance_dwpd_high": 3, "endurance_years": 3}


def rating_of(stated, claims, size):
    """The TB that may be written to a capacity, and the drive writes a day that this follows from."""
    product = make_product(**stated)
    for variant, (quantity, unit), capacity, value in claims:
        sized = {"capacity_bytes": capacity and capacity * GB, "variant": variant}
        make_claim(product, value, quantity=quantity, unit=unit, **sized)
    product.refresh_from_db()
    found = find_endurance(product, product.claims.all()).of(size * GB)
    return found and (found.bytes / 10**12, found.dwpd)


@pytest.mark.parametrize(
    ("stated", "claims", "size", "written"),
    [
        ({}, [], 480, None),
        ({}, [(TBW, 480, 945), (TBW, 480, 900), (TBW, None, 9000)], 480, (900, None)),
        ({}, [(TBW, 480, 900), (TBW, 500, 800)], 490, (800, None)),
        ({}, [(TBW, None, 9000)], 480, None),
        ({}, [(DWPD, None, 3), (DWPD, None, 1)], 800, (1460, 1)),
        ({}, [(DWPD, None, 3), (DWPD, 800, 2)], 800, (2920, 2)),
        (IN_BYTES, [(TBW, 480, 9)], 480, (1000, None)),
        (IN_BYTES, [(TBW, 960, 9)], 960, (9, None)),
        (BY_THE_DAY, [(DWPD, None, 9)], 1000, (1095, 1)),
    ],
)
def test_a_capacity_is_rated_by_the_catalogue_then_by_claims_then_by_drive_writes(
    stated, claims, size, written
):
    assert rating_of(stated, [("", *claim) for claim in claims], size) == written


@pytest.mark.parametrize(
    ("claims", "size", "written"),
    [
        ([("PRO", TBW, 480, 900), ("MAX", TBW, 480, 4000)], 480, (900, None)),
        ([("PRO", DWPD, None, 1), ("MAX", DWPD, None, 3)], 800, (1460, 1)),
        ([("PRO", DWPD, None, 1), ("MAX", TBW, 800, 4000)], 800, (1460, 1)),
        ([("PRO", DWPD, 960, 1), ("MAX", DWPD, 800, 3)], 800, (4380, 3)),
    ],
)
def test_a_drive_of_an_unknown_variant_is_rated_as_the_lowest_that_comes_in_its_capacity(
    claims, size, written
):
    assert rating_of({}, claims, size) == written


def test_a_line_of_which_only_some_variants_are_rated_is_not():
    product = make_product(flags=["endurance_partly_stated"])
    make_claim(product, 7000, quantity="endurance_tbw", unit="TB", capacity_bytes=400 * GB, variant="P400m")
    assert find_endurance(product, product.claims.all()).of(400 * GB) is None
