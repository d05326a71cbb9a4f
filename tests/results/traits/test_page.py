"""Products by trait: each cell has its source, and what nobody states is not known."""

import pytest
from django.core.management import call_command

from results.traits.query import MAX_PRODUCTS, TRAITS, default_slugs, find_subjects, known_of
from tests.factories import make_claim, make_product, make_result, rank_everything
from tests.page import Page, text_of
from tests.stored_order import store_in_reverse

pytestmark = pytest.mark.django_db
PAPER = "/traits/?products=ocz-vertex2-pro-ex,ddrdrive-x1"


def test_the_table_of_the_paper_is_shipped_with_its_source(client):
    call_command("load_catalogue")
    found = client.get("/api/v1" + PAPER).json()["results"]
    assert [product["slug"] for product in found] == ["ocz-vertex2-pro-ex", "ddrdrive-x1"]
    flash, dram = ({trait["trait"]: trait["known"] for trait in product["traits"]} for product in found)

    def stated(traits, key):
        return [(trait["text"], trait["stated_by"], trait["source_url"]) for trait in traits[key]][:1]

    source = "https://www.ddrdrive.com"
    for key in ("write_degradation", "content_dependence", "alignment_dependence", "partition_dependence"):
        assert stated(flash, key) == [("yes", "competitor", source)]
        assert stated(dram, key) == [("no", "maker", source)]
    assert (stated(flash, "warranty"), stated(dram, "warranty")) == (
        [("3 years", "competitor", source)],
        [("5 years", "maker", source)],
    )
    assert stated(dram, "sustained_writes") == [("more than flash", "maker", source)]
    assert stated(dram, "external_power") == [("yes", "maker", source)]
    assert stated(flash, "iops_per_dollar") == []
    page = client.get(PAPER).content.decode()
    assert page.count("not known") >= 1


def test_every_cell_of_the_default_has_a_source_or_is_not_known(client):
    call_command("load_catalogue")
    page = Page(client.get("/traits/"))
    rows = [[*map(Page, row)] for row in page.root.xpath(".//tr[@id]")]
    known = [sum("not known" in cell.text for cell in cells) for _, *cells in rows]
    (unknown,) = [
        text_of(note) for note in page.root.iter("p") if "Not known of any of them: " in text_of(note)
    ]
    assert known == sorted(known)
    assert len(known) + len(unknown.split("; ")) == len(TRAITS)
    for _, *cells in rows:
        assert len(cells) == len(default_slugs())
        for cell in cells:
            assert "not known" in cell.text or cell.links, cell.text
    classes = [subject.product.device_class for subject in find_subjects(default_slugs())]
    assert len(classes) == len(set(classes)) >= 4


def test_results_prices_and_claims_are_cells(client):
    product = make_product(slug="sample-line", name="Sample", patterns=["^SAMPLE X1"])
    make_result(device__slug="sample", device__model_name="SAMPLE X1", device__product=product)
    rank_everything()
    make_claim(product, 40000, quantity="random_write_4k_steady_iops", unit="IOPS")
    (subject,) = find_subjects([product.slug])
    found = {trait.key: known_of(trait, subject) for trait in TRAITS}
    assert [write.text for write in found["sustained_writes"]] == ["40,000 IOPS"]
    (measured,) = found["sync_writes"]
    assert (measured.basis, measured.source_url) == ("result", f"/products/{product.slug}/480-gb/")
    assert found["iops_per_dollar"] == []
    record = client.get(f"/api/v1/traits/?products={product.slug}").json()["results"][0]
    known = {trait["trait"]: trait["known"] for trait in record["traits"]}
    assert known["sync_writes"][0]["source_url"].endswith(f"/products/{product.slug}/480-gb/")
    assert "SAMPLE X1" in client.get(f"/traits/?products={product.slug}").content.decode()


def test_caveats_are_in_the_order_of_the_catalogue():
    product = make_product(slug="sample")
    for summary in ("First known.", "Then another."):
        product.caveats.create(kind="compression", summary=summary, source_url="https://caveats.example/")
    store_in_reverse()
    (subject,) = find_subjects([product.slug])
    known = [each.text for trait in TRAITS for each in known_of(trait, subject)]
    assert known == ["First known.", "Then another."]


def test_products_are_added_and_removed_by_links(client):
    other, two = make_product(slug="one", name="One"), make_product(slug="two", name="Two")
    moved = client.get(f"/traits/?products={other.slug}&add={two.slug}")
    assert (moved.status_code, moved["Location"]) == (302, "/traits/?products=one,two")
    page = client.get(moved["Location"]).content.decode()
    assert 'href="/traits/?products=two"' in page
    assert client.get("/traits/?products=one,one")["Location"] == "/traits/?products=one"


def test_unknown_and_too_many_products_are_refused_plainly(client):
    make_product(slug="one", name="One")
    for query, words in (
        ("products=" + ",".join(f"p{number}" for number in range(MAX_PRODUCTS + 1)), "At most 6 products"),
        ("products=<script>", "We have no product"),
        ("products=" + "x" * 5000, "We have no product"),
    ):
        response = client.get(f"/traits/?{query}")
        assert (response.status_code, words in response.content.decode()) == (400, True), query
        assert client.get(f"/api/v1/traits/?{query}").status_code == 400
