"""Lines to products: once, again, changed, and with the devices that are there already."""

from decimal import Decimal

import pytest
from django.db import transaction

from results.catalogue.aliases import ALIAS_FILE_NAME, AliasLine, read_aliases
from results.catalogue.claims import CLAIM_FILE_NAME, ClaimLine, read_claims
from results.catalogue.file import CATALOGUE_FILE, read_catalogue, read_cells
from results.catalogue.load import load_catalogue
from results.models import DataVersion, Product, Vendor
from tests.concurrency import threads, wait_until
from tests.factories import make_device
from tests.results.catalogue.cells import CELLS

pytestmark = pytest.mark.django_db


def line(**changes):
    return read_cells({**CELLS, **changes})


def everything():
    return list(Product.objects.order_by("slug").values())


def test_a_line_becomes_a_product():
    load_catalogue(
        [
            line(
                endurance_dwpd="1-3",
                endurance_years="5",
                endurance_tbw="480 GB=0.5 PB",
                endurance_source_url="https://aldera.example/s1",
                flags="smr",
            )
        ]
    )
    product = Product.objects.select_related("vendor").get()
    assert product.full_name == "Aldera S1"
    assert product.plp_statements == [
        {"value": "yes", "evidence": "data_sheet", "url": "https://aldera.example/s1", "note": ""}
    ]
    assert (product.endurance_dwpd_low, product.endurance_dwpd_high, product.endurance_years) == (1, 3, 5)
    assert product.endurance_tbw == [{"capacity_bytes": 480 * 10**9, "written_bytes": 5 * 10**14}]
    assert product.flags == ["smr"]


def test_loading_the_shipped_catalogue_twice_changes_nothing():
    lines = read_catalogue()
    slugs = {one.slug for one in lines}
    aliases = read_aliases(CATALOGUE_FILE.with_name(ALIAS_FILE_NAME), slugs)
    claims = read_claims(CATALOGUE_FILE.with_name(CLAIM_FILE_NAME), slugs)
    first = load_catalogue(lines, aliases=aliases, claims=claims)
    before, versions = everything(), list(DataVersion.objects.values())
    second = load_catalogue(lines, aliases=aliases, claims=claims)
    assert (len(first.added), len(first.unchanged)) == (len(lines), 0)
    assert first.renamed == sorted({one.slug for one in aliases})
    assert first.claimed == sorted({one.slug for one in claims})
    assert (second.added, second.changed, len(second.unchanged)) == ([], [], len(lines))
    assert (second.renamed, second.claimed) == ([], [])
    assert (everything(), list(DataVersion.objects.values())) == (before, versions)


def test_a_changed_line_is_told_and_stored():
    load_catalogue([line()])
    loaded = load_catalogue([line(media="MLC")])
    assert (loaded.added, loaded.changed, loaded.unchanged) == ([], ["aldera-s1"], [])
    assert Product.objects.get().media == "MLC"


def test_what_a_moderator_changed_stands_until_the_line_changes():
    load_catalogue([line()])
    Product.objects.update(media="eMLC")
    assert load_catalogue([line()]).unchanged == ["aldera-s1"]
    assert Product.objects.get().media == "eMLC"
    load_catalogue([line(segment="prosumer", media="MLC")])
    assert Product.objects.get().media == "MLC"


def test_a_line_that_left_the_file_is_told_and_its_product_stays():
    load_catalogue([line()])
    assert load_catalogue([]).gone == ["aldera-s1"]
    assert Product.objects.count() == 1


def test_aliases_and_claims_follow_their_files():
    alias = AliasLine("aldera-s1", "Aldera One", "marketing", "")
    claim = ClaimLine("aldera-s1", None, "tbw", Decimal(1), "TB", "maker", "https://aldera.example/s1", "")
    load_catalogue([line()], aliases=[alias], claims=[claim])
    product = Product.objects.get()
    assert (product.aliases, product.claims.count()) == (["Aldera One"], 1)
    loaded = load_catalogue([line()])
    assert (loaded.unchanged, loaded.renamed, loaded.claimed) == (["aldera-s1"],) * 3
    product.refresh_from_db()
    assert (product.aliases, product.claims.count()) == ([], 0)


def test_what_hangs_on_a_claim_is_judged_again():
    load_catalogue([line()])
    device = make_device(model_name="ALDERA S1-480G", product=Product.objects.get())
    claim = ClaimLine("aldera-s1", None, "tbw", Decimal(1), "TB", "maker", "https://aldera.example/s1", "")
    assert load_catalogue([line()], claims=[claim]).rematched.to_judge == [device.pk]


def test_a_vendor_is_there_once():
    load_catalogue([line(), line(slug="aldera-s2", name="S2", model_patterns="^ALDERA S2", example_model="")])
    assert list(Vendor.objects.values_list("name", flat=True)) == ["Aldera"]


def test_devices_that_were_there_first_are_matched():
    device = make_device(model_name="ALDERA S1-480G")
    loaded = load_catalogue([line()])
    device.refresh_from_db()
    assert (loaded.rematched.device_ids, device.product.slug) == ([device.pk], "aldera-s1")


@pytest.mark.django_db(transaction=True)
def test_a_device_of_a_product_is_stored_beside_a_load():
    load_catalogue([line()])
    product = Product.objects.get()
    with threads() as start, transaction.atomic():
        load_catalogue([line(media="3D XPoint")])
        stored = start(lambda: make_device(product=product))
        wait_until(stored.done)
        stored.result()
