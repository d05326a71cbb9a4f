"""The product page, and links to it from devices."""

from datetime import date

import pytest

from results.ranking.medians import refresh_devices
from tests.factories import make_device, make_facts, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
STATEMENT = {"value": "yes", "evidence": "data_sheet", "url": "https://a.example/s1"}


@pytest.fixture
def product():
    return make_product(slug="aldera-s1", name="S1", plp="yes", plp_statements=[STATEMENT], media="MLC")


def test_product_page_shows_facts_and_measurements(client, product, django_assert_num_queries):
    for capacity in (10**11, 2 * 10**11):
        make_result(20, device__model_name="S1", device__capacity_bytes=capacity, device__product=product)
    measured = make_device(model_name="S1 by fio", product=product)
    make_result(30, device=measured, method="fio")
    doubted = make_device(model_name="S1 doubted", product=product)
    make_result(40, device=doubted, not_ranked_reason="cut short")
    refresh_devices([device.pk for device in product.devices.all()])
    make_facts(product)
    with django_assert_num_queries(8):
        response = client.get("/products/aldera-s1/")
    shown = ("model_name", "capacity", "latency", "metric", "n_units")
    rows = [tuple(row[name] for name in shown) for row in response.context["devices"]]
    assert rows == [
        ("S1", "100 GB", "20.0", "4 KiB latency, diskinfo", 1),
        ("S1", "200 GB", "20.0", "4 KiB latency, diskinfo", 1),
        ("S1 by fio", "480 GB", "30.0", "4 KiB latency, fio", 1),
        ("S1 doubted", "480 GB", "40.0", "not ranked", 0),
    ]
    assert [row["why"] for row in response.context["devices"]] == ["", "", "", "cut short"]
    assert "maker&#x27;s data sheet" in response.content.decode()
    assert {"label": "Media", "value": "MLC"} in response.context["facts"]


def test_each_fact_is_shown_with_its_source(client, product, monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: date(2026, 6, 30))
    make_facts(product)
    page = client.get("/products/aldera-s1/").text
    for fact, source in [
        ("Hangs after 5184 hours.", "https://caveats.example/s1"),
        ("under 10 µs", "https://claims.example/s1"),
        ("€1,299.90", "https://prices.example/s1"),
        ("last orders 2023-05-30", "https://life.example/s1"),
    ]:
        assert fact in page
        assert f'href="{source}" rel="nofollow"' in page
    assert "seen 2 years ago" in page
    assert '<a href="/products/aldera-s9/">Aldera S9</a>' in page


def test_without_facts_their_sections_are_left_out(client, product):
    page = client.get("/products/aldera-s1/").text
    for section in ("caveats", "life-cycle", "claims"):
        assert f'id="{section}"' not in page
    assert "We haven’t seen a price yet." in page


def test_offers_are_searched_by_the_name_that_people_use(client):
    make_product(slug="p1600x", vendor="Intel", name="Optane SSD P1600X")
    response = client.get("/products/p1600x/")
    assert [one["url"].partition("?")[2] for one in response.context["offers"]] == [
        "_nkw=Intel+Optane+P1600X",
        "udm=28&q=Intel+Optane+P1600X",
    ]


def test_a_device_shows_the_prices_of_its_capacity(client, product):
    make_facts(product)
    make_result(device__slug="s1", device__capacity_bytes=480_103_981_056, device__product=product)
    make_result(device__slug="s1-big", device__capacity_bytes=960_197_124_096, device__product=product)
    assert client.get("/devices/s1/").context["product"]["price"]["price"] == "€1,299.90"
    assert client.get("/devices/s1-big/").context["product"]["price"] is None


def test_unmeasured_product_asks_for_a_measurement(client, product):
    page = client.get("/products/aldera-s1/").content.decode()
    assert "Nobody has measured it yet" in page
    assert "diskinfo" not in page
    assert 'href="/submit/commands/?product=aldera-s1"' in page


def test_remarks_are_sentences(client):
    make_product(slug="s2", patterns=[], flags=["smr", "plp_partly_stated"])
    assert client.get("/products/s2/").context["remarks"] == (
        "Shingled recording (SMR). We know no model name that identifies its results."
    )


def test_device_links_to_its_product_and_shows_its_protection(client, product):
    make_result(device__slug="s1", device__product=product)
    page = client.get("/devices/s1/").content.decode()
    assert 'href="/products/aldera-s1/"' in page
    assert '<span class="tag tag-good">Protected</span>' in page


def test_device_without_a_product_has_unknown_protection(client):
    make_result(device__slug="s1")
    page = client.get("/devices/s1/").content.decode()
    assert "Our catalogue has no product with this model name" in page


def test_a_moderators_class_is_shown_with_its_reason(client):
    device = make_device(slug="s1", class_overrule="optane", class_overrule_reason="I have one here")
    make_result(device=device)
    page = client.get("/devices/s1/").content.decode()
    assert "A moderator set the class: I have one here" in page


def test_the_page_begins_with_what_a_shopper_asks(client, product, monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: date(2026, 6, 30))
    product.form_factors = "M.2"
    product.save()
    make_facts(product)

    def glance():
        return {one.label: one.value for one in client.get("/products/aldera-s1/").context["glance"]}

    unmeasured = glance()
    assert unmeasured["form factor"] == "M.2"
    assert "€1,299.90" in unmeasured.values()
    assert unmeasured["speed"] == "Unknown"
    product.claims.create(
        quantity="random_write_4k_iops",
        value=35000,
        unit="IOPS",
        stated_by="maker",
        source_url="https://a.example/",
    )
    withheld = make_result(
        9, device__model_name="S1-W", device__product=product, not_ranked_reason="Page cache."
    )
    (speed, *_) = client.get("/products/aldera-s1/").context["glance"]
    assert speed == (
        "speed",
        "Unknown",
        "Page cache.",
    )  # figures that aren't ranked, and claims, are further down
    withheld.delete()
    make_result(20, device__model_name="S1", device__product=product)
    refresh_devices([device.pk for device in product.devices.all()])
    assert glance()["per sync write, measured"] == "20.0 µs"


def test_the_page_begins_with_a_verdict_and_the_fastest_link(client, product):
    def verdict():
        context = client.get("/products/aldera-s1/").context["verdict"]
        return context["headline"], context["links"]

    assert verdict() == ("Protected, but no result counts yet, so we can’t judge speed", "")
    for capacity, mb_s in ((10**11, 500), (4 * 10**11, 2000)):
        product.claims.create(
            quantity="sequential_write_mb_s", value=mb_s, unit="MB/s", stated_by="maker",
            source_url="https://a.example/", capacity_bytes=capacity,
        )  # fmt: skip
    assert verdict()[1] == "Keeps up with 10 GbE on paper (400 GB)"
    device = make_device(model_name="S1", capacity_bytes=4 * 10**11, product=product)
    make_result([1e6 / 8 / 400] * 15, device=device, submission__is_approved=True)
    rank_everything()
    headline, links = verdict()
    on_device_page = client.get(device.get_absolute_url()).context["verdict"]
    assert headline == on_device_page["headline"]
    throughput = next(one["summary"] for one in on_device_page["needs"] if one["label"] == "Throughput")
    assert links == f"{throughput.removesuffix('.')} (400 GB)"
    product.plp = "no"
    product.save()
    assert verdict() == (
        "Not a good SLOG: slow if it obeys flushes, and it can lose writes if it doesn’t",
        "",
    )


def test_comparing_begins_with_the_device_that_is_ranked(client):
    line = make_product(slug="birch-q7")
    assert client.get("/products/birch-q7/").context["product"]["compare_url"] == "/compare/?devices=birch-q7"
    for slug, values in (("birch-q7", {"not_ranked_reason": "Cut short."}), ("birch-q7-400-gb", {})):
        make_result(25, device=make_device(slug=slug, product=line), **values)
    rank_everything()
    url = client.get("/products/birch-q7/").context["product"]["compare_url"]
    assert url == "/compare/?devices=birch-q7-400-gb"
