"""Loading lines into products: once, again, changed, and with existing devices."""

import pytest
from django.db import transaction

from results.catalogue.files.aliases_csv import ALIAS_FILE_NAME, AliasLine, read_aliases
from results.catalogue.files.load import load_catalogue
from results.catalogue.files.products_csv import CATALOGUE_FILE, read_catalogue, read_cells
from results.catalogue.files.statements_csv import FACT_KINDS, CaveatLine, read_facts
from results.core.data_version import stored_version
from results.models import DataVersion, Product
from tests.concurrency import threads, wait_until
from tests.factories import make_device
from tests.results.catalogue.catalogue_cells import CELLS
from tests.results.catalogue.files.test_statements_csv import CLAIM

pytestmark = pytest.mark.django_db


CAVEAT = CaveatLine("aldera-s1", "thermal", "Needs airflow.", "", "https://aldera.example/s1")


def line(**changes):
    return read_cells({**CELLS, **changes})


def everything():
    tables = [Product, *(kind.model for kind in FACT_KINDS)]
    return [list(table.objects.order_by("id").values()) for table in tables]


def test_loading_the_shipped_catalogue_twice_changes_nothing():
    lines = read_catalogue()
    slugs = {line.slug for line in lines}
    aliases = read_aliases(CATALOGUE_FILE.with_name(ALIAS_FILE_NAME), slugs)
    facts = {
        kind.plural: read_facts(kind, CATALOGUE_FILE.with_name(kind.file_name), slugs) for kind in FACT_KINDS
    }
    first = load_catalogue(lines, aliases=aliases, facts=facts)
    before, versions = everything(), list(DataVersion.objects.values())
    second = load_catalogue(lines, aliases=aliases, facts=facts)
    assert (len(first.added), len(first.unchanged)) == (len(lines), 0)
    assert first.renamed == sorted({aliase.slug for aliase in aliases})
    sas_ssds = {
        line.slug for line in lines if line.device_class == "sas_ssd"
    }  # there is a caveat of them all
    with_facts = {plural: {fact.slug for fact in for_kind} for plural, for_kind in facts.items()}
    with_facts["caveats"] = with_facts["caveats"] - {"sas_ssd"} | sas_ssds
    assert first.facts == {plural: sorted(slugs) for plural, slugs in with_facts.items()}
    assert (second.added, second.changed, len(second.unchanged)) == ([], [], len(lines))
    assert (second.renamed, second.facts) == ([], {plural: [] for plural in facts})
    assert (everything(), list(DataVersion.objects.values())) == (before, versions)


def test_digest_of_a_line_without_notes_is_unchanged():
    load_catalogue([line()])
    digest = Product.objects.get().line_digest
    assert digest == "d78e39a75278afbb2d3a263894ee16cd9a7f2b22aa9a82390b39289775ab16e9"


def test_moderators_change_persists_until_the_line_changes():
    load_catalogue([line()])
    Product.objects.update(media="eMLC")
    assert load_catalogue([line()]).unchanged == ["aldera-s1"]
    assert Product.objects.get().media == "eMLC"
    loaded = load_catalogue([line(segment="prosumer", media="MLC")])
    assert (loaded.added, loaded.changed, loaded.unchanged) == ([], ["aldera-s1"], [])
    assert Product.objects.get().media == "MLC"


def test_aliases_and_facts_equal_their_files():
    alias = AliasLine("aldera-s1", "Aldera One", "marketing", "")
    load_catalogue([line()], aliases=[alias], facts={"claims": [CLAIM], "caveats": [CAVEAT]})
    product = Product.objects.get()
    assert (product.aliases, product.claims.count(), product.caveats.count()) == (["Aldera One"], 1, 1)
    loaded = load_catalogue([line()])
    assert (loaded.unchanged, loaded.renamed) == (["aldera-s1"], ["aldera-s1"])
    assert loaded.facts == {
        "claims": ["aldera-s1"],
        "prices": [],
        "life cycles": [],
        "caveats": ["aldera-s1"],
    }
    product.refresh_from_db()
    assert (product.aliases, product.claims.count(), product.caveats.count()) == ([], 0, 0)


def test_existing_devices_are_matched_and_judged_again_only_for_a_fact_with_effect_on_results():
    device = make_device(model_name="ALDERA S1-480G")
    loaded = load_catalogue([line()])
    device.refresh_from_db()
    assert (loaded.rematched.device_ids, device.product.slug) == ([device.pk], "aldera-s1")
    before = stored_version()
    loaded = load_catalogue([line()], facts={"caveats": [CAVEAT]})
    assert (loaded.facts["caveats"], loaded.rematched.to_judge) == (["aldera-s1"], [])
    assert stored_version() > before
    loaded = load_catalogue([line()], facts={"claims": [CLAIM], "caveats": [CAVEAT]})
    assert loaded.rematched.to_judge == [device.pk]


@pytest.mark.django_db(transaction=True)
def test_device_is_stored_during_a_load():
    load_catalogue([line()])
    product = Product.objects.get()
    with threads() as start, transaction.atomic():
        load_catalogue([line(media="3D XPoint")])
        stored = start(lambda: make_device(product=product))
        wait_until(stored.done)
        stored.result()
