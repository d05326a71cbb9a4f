"""What lists are narrowed by: the same on the pages and in the APIs of products and of devices, with their counts."""

import re

import pytest

from parsers.base.device_class import DeviceClass
from results.catalogue.facets import FACETS
from results.catalogue.product_list import ProductFilter, ProductsForm
from results.leaderboard.forms import LeaderboardFilter, LeaderboardForm
from results.models import Product
from results.models.choices import INTERFACES
from results.ranking.standing import main_rows
from tests.factories import make_device, make_price, make_product, make_result, rank_everything
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db

SHEET = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/"}
FORUM = {"value": "no", "evidence": "discussion", "url": "https://forum.example/"}


@pytest.fixture
def _lists():
    """A protected card of two capacities, a disk, a line that nobody measured, and a device without a product."""
    card = make_product(
        name="card",
        vendor="Aldera / Borealis",
        interface="PCIe 4.0 x4 NVMe",
        form_factors="M.2 22110, U.2",
        plp="yes",
        plp_statements=[SHEET, FORUM],
        endurance_dwpd_low=1,
        endurance_dwpd_high=10,
        endurance_years=5,
    )
    disk = make_product(
        name="disk",
        vendor="Corvant",
        interface="SATA 3 (6 Gb/s)",
        form_factors="3.5-inch",
        segment="consumer",
        device_class="hdd",
        plp="no",
        plp_statements=[FORUM],
        endurance_tbw=[{"capacity_bytes": 4 * 10**12, "written_bytes": 4 * 10**14}],
    )
    plain = make_product(name="plain", vendor="Estrel", segment="prosumer", form_factors="M.2 2280")
    disk.life_cycle.create(end_of_sale="last orders 2023", source_url="https://maker.example/")
    make_price(card, price=300, seen_on="2024-06", capacity_bytes=960 * 10**9)
    make_price(card, price=90, condition="used", seen_on="2022", capacity_bytes=50 * 10**9)
    make_price(disk, price=50, seen_on="2024-06-01", capacity_bytes=None)
    make_price(plain, price=20, currency="EUR", capacity_bytes=2 * 10**12)
    first = make_device(model_name="card", product=card, capacity_bytes=960_197_124_096)
    for _ in range(5):
        make_result(20, device=first, platform="FreeBSD 13.1-RELEASE amd64", write_cache_enabled=True)
    second = make_device(
        model_name="disk", product=disk, device_class="hdd", capacity_bytes=4_000_787_030_016
    )
    make_result(
        9000,
        device=second,
        method="fio",
        sync_method="fsync",
        pattern="sequential",
        platform="x86_64-linux-6.1.0",
        write_cache_enabled=False,
    )
    make_result(50, device=make_device(model_name="bare", vendor="DUNMORE", capacity_bytes=None))
    make_result(
        [None, None, None, 60, *[None] * 11],
        device=first,
        method="fio",
        sync_method="dsync",
        pattern="random",
        platform="x86_64-linux-6.1.0",
    )
    rank_everything()


# By facet: the devices and the product lines that each value leaves, if they differ; None where it is refused.
CARD, DISK, NONE = "card", "disk", ""
CASES = {
    "class": {"nvme": ("bare card", "card plain"), "hdd": DISK},
    "plp": {"protected": CARD, "yes": CARD, "no": DISK, "unknown": ("bare", "plain"), "partial": NONE},
    "segment": {"consumer": DISK, "enterprise": CARD, "prosumer": (NONE, "plain")},
    "capacity": {
        "under-64gb": (NONE, CARD),
        "64-256gb": NONE,
        "256gb-1tb": CARD,
        "1-4tb": (NONE, "plain"),
        "from-4tb": DISK,
    },
    "interface": {"pcie": ("bare card", CARD), "sata": DISK, "dimm": NONE},
    "form": {"m2": (CARD, "card plain"), "u2": CARD, "3.5": DISK},
    "vendor": {
        "aldera": CARD,
        "borealis": CARD,
        "Corvant": DISK,
        "dunmore": ("bare", None),
        "estrel": (None, "plain"),
    },
    "min_units": {"2": (CARD, None), "4": (CARD, None), "5": (CARD, None), "6": (NONE, None)},
    "measured": {"yes": (None, "card disk"), "no": (None, "plain")},
    "price": {
        "100": DISK,
        "100&condition=used": (NONE, CARD),
        "300": "card disk",
        "100&currency=EUR": (NONE, "plain"),
    },
    "priced": {"yes": "card disk", "no": ("bare", "plain")},
    "dwpd": {"1": CARD, "3": (NONE, CARD), "10.5": NONE},
    "tbw": {"400": DISK, "401": NONE},
    "mib_s": {"1000": ("bare card", CARD), "10": ("bare card disk", "card disk")},
    "link_gbit": {"100": ("bare card", CARD), "1": ("bare card disk", "card disk")},
    "evidence": {"data_sheet": CARD, "discussion": DISK},
    "end_of_sale": {"stated": DISK, "none": ("bare card", "card plain")},
    "method": {"diskinfo": ("bare card", CARD), "fio": "card disk"},
    "sync_method": {"dsync": CARD, "fsync": DISK, "sync": NONE, "none": None},
    "pattern": {"random": CARD, "sequential": DISK, "mixed": NONE},
    "stated": {"random_flush": ("bare card", CARD)},
    "system": {"freebsd": CARD, "linux": "card disk"},
    "write_cache": {"on": CARD, "off": DISK},
}
LISTS = (("leaderboard", LeaderboardFilter), ("products", ProductFilter))
TABLES = ((LeaderboardFilter, main_rows()), (ProductFilter, Product.objects.all()))


def of_page(client, path, query):
    response = client.get(f"/{path}/?{query}", follow=True)
    if response.status_code == 400:
        return None
    names = Page(response).root.xpath(".//*[contains(@class, 'name-cell') or self::h3]/a")
    return " ".join(sorted(re.search("card|disk|plain|bare", text_of(name))[0] for name in names))


def of_api(client, path, query):
    response = client.get(f"/api/v1/{path}/?{query}")
    if response.status_code in (400, 404):
        return None
    return " ".join(
        sorted(
            (row.get("device") or row).get("model_name") or row["name"] for row in response.json()["results"]
        )
    )


@pytest.mark.usefixtures("_lists")
def test_each_facet_leaves_the_same_rows_on_a_page_and_in_its_api(client):
    """Each value in the API, the first of a facet on the page."""
    assert list(CASES) == list(FACETS)
    for key, values in CASES.items():
        for at, (value, expected) in enumerate(values.items()):
            query = f"{key}={value}"
            for (path, filters), names in zip(
                LISTS, expected if isinstance(expected, tuple) else (expected,) * 2, strict=True
            ):
                assert (path, query, of_api(client, path, query)) == (path, query, names)
                if at == 0 and key in filters.facets:
                    assert (path, query, of_page(client, path, query)) == (path, query, names)


@pytest.mark.usefixtures("_lists")
def test_the_apis_take_several_values_of_a_facet(client):
    for path, _ in LISTS:
        assert of_api(client, path, "plp=yes,no") == "card disk"
        assert of_api(client, path, "evidence=data_sheet&evidence=discussion") == "card disk"
        assert of_api(client, path, "vendor=aldera,corvant&interface=sata,pcie&class=hdd") == "disk"
        assert of_api(client, path, "vendor=aldera,nobody") is None


@pytest.mark.usefixtures("_lists")
def test_one_result_has_to_match_all_conditions(client):
    for path, _ in LISTS:
        for query, expected in {
            "sync_method=dsync&system=linux": CARD,
            "sync_method=dsync&system=freebsd": NONE,
            "write_cache=on&system=linux": NONE,
            "write_cache=off&system=linux": DISK,
            "method=fio&system=freebsd": NONE,
            "stated=random_flush&method=fio&pattern=sequential": NONE,
        }.items():
            assert (query, of_page(client, path, query)) == (query, expected)
            assert (query, of_api(client, path, query)) == (query, expected)
        assert of_api(client, path, "write_cache=on,off&system=freebsd,linux") == "card disk"


@pytest.mark.usefixtures("_lists")
def test_the_count_of_an_option_is_that_of_its_list(django_assert_num_queries):
    """Whatever is chosen, an option's count is that of the list with this option in its facet's place."""
    for filters, rows in TABLES:
        for chosen in (
            {},
            {"class": "nvme"},
            {"plp": "protected", "form": "m2"},
            {"segment": "consumer", "vendor": "corvant"},
            {"capacity": "256gb-1tb", "priced": "yes", "dwpd": "3"},
        ):
            with django_assert_num_queries(1):
                counts = filters(chosen=chosen).count(rows)
            assert counts.total == filters(chosen=chosen).narrow(rows).count()
            for key, options in counts.options.items():
                values = FACETS[key].options or ["aldera", "borealis", "corvant", "dunmore", "estrel"]
                for value in values:
                    left = filters(chosen={**chosen, key: value}).narrow(rows).count()
                    assert options.get(value, 0) == left, (filters, chosen, key, value)


def test_nothing_has_no_options():
    for filters, rows in TABLES:
        counts = filters(chosen={"class": "hdd"}).count(rows)
        assert (counts.total, [key for key, options in counts.options.items() if options]) == (0, [])


def fields_of(client, url):
    """The labels of a list's fields by their names."""
    fields = Page(client.get(url)).root.xpath(".//label/*[@name][self::select or @type='number']")
    return {
        field.name: field.xpath("normalize-space(preceding-sibling::span|preceding-sibling::text())")
        for field in fields
    }


@pytest.mark.usefixtures("_lists")
def test_the_pages_show_the_facets_of_the_table_with_the_same_labels(client):
    for path, filters in LISTS:
        fields = fields_of(client, f"/{path}/?more=1")
        labels = {
            key: f"{FACETS[key].label}, {FACETS[key].unit}"
            if FACETS[key].unit and not FACETS[key].most
            else FACETS[key].label
            for key in filters.facets
            if key not in filters.hidden
        }
        assert {key: fields[key] for key in labels} == labels
        counted = FACETS.keys() & fields_of(client, f"/{path}/").keys()
        assert counted == {key for key in filters.facets if FACETS[key].column and key != "class"}


@pytest.mark.usefixtures("_lists")
def test_a_facet_with_links_of_its_own_is_passed_on_and_opens_no_fields(client):
    page = client.get("/leaderboard/?method=fio&class=hdd")
    assert '<input type="hidden" name="method" value="fio">' in page.text
    assert 'name="columns"' not in page.text
    assert 'name="method"' not in page.text.replace('<input type="hidden" name="method" value="fio">', "")
    assert '<select form="ask" name="method">' in client.get("/products/?method=fio").text


def test_a_choice_without_options_is_no_number(client):
    for path, _ in LISTS:
        assert (
            '<select form="ask" name="vendor"><option value="">any</option></select>'
            in client.get(f"/{path}/").text
        )


def test_nonsense_is_refused_by_every_facet():
    wrong = {"vendor": "nobody", "min_units": "0"}
    for form in (LeaderboardForm, ProductsForm):
        for key in form.filter_class.facets:
            assert list(form({key: wrong.get(key, "x")}).errors) == [key]


def test_the_interface_of_a_class_is_an_option():
    assert {device_class.interface for device_class in DeviceClass if device_class.interface} <= set(
        INTERFACES
    )
