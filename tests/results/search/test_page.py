import pytest

from results.search.page import MAX_CARDS
from tests.factories import make_device, make_product, make_protected_product, make_result, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sample():
    product = make_protected_product(
        slug="falcon-s3700", vendor="Aldera", name="Falcon S3700",
        aliases=["Peregrine", "Shared"], patterns=["^ALDERA FALC"], device_class="sata_ssd",
    )  # fmt: skip
    make_product(slug="heron", vendor="Borealis", name="Heron", aliases=["Shared"], device_class="nvme")
    make_result(
        device__slug="falcon-400",
        device__vendor="Aldera",
        device__model_name="ALDERA FALC400",
        device__product=product,
        submission__survey_id="d900",
    )
    make_result(device__slug="hidden", device__model_name="HIDDEN 1", submission__state="held")
    rank_everything()


def page(client, text):
    return client.get("/search/", {"q": text})


def test_full_name_redirects_to_its_page(client, subtests):
    for text, address in [
        ("Falcon S3700", "/products/falcon-s3700/"),
        ("peregrine", "/products/falcon-s3700/"),
        ("aldera PEREGRINE ssd", "/products/falcon-s3700/"),
        ("aldera falc400", "/products/falcon-s3700/480-gb/"),
        ("Aldera Falc800", "/products/falcon-s3700/"),
        ("falc800", "/products/falcon-s3700/"),
        ("heron", "/products/heron/"),
    ]:
        with subtests.test(text=text):
            response = page(client, text)
            assert (response.status_code, response["Location"]) == (302, address)


def test_shared_name_lists_all_its_products_each_on_a_card_by_its_fastest_recommended_device(client):
    found = Page(page(client, "shared"))
    assert {"/products/falcon-s3700/", "/products/heron/"} <= set(found.links.values())
    assert "Several products are called “shared”" in found.text
    assert "Aldera Falcon S3700 480 GB SATA SSD Protected" in found.text
    assert "per 4 KiB sync write" in found.text
    assert "Speed not measured" in found.text
    assert "No source says whether it is protected against power loss" in found.text


def test_of_many_products_the_first_have_cards_and_the_others_rows(client, django_assert_max_num_queries):
    for number in range(MAX_CARDS + 3):
        product = make_protected_product(name=f"Kite {number}", patterns=[])
        make_result(20 + number, device=make_device(product=product, model_name=f"KT{number}"))
    rank_everything()
    with django_assert_max_num_queries(16):
        products = Page(page(client, "kite")).section("products")
    assert len(products.root.find_class("card-head")) == MAX_CARDS
    assert [row["Measured"] for row in products.rows()] == ["1 device ranked"] * 3


def test_misspelled_name_lists_similar_names(client):
    response = page(client, "pergerine")
    assert "/products/falcon-s3700/" in Page(response).links.values()
    assert "Did you mean" in response.text


def test_a_vendor_is_found_with_a_link_to_its_products_and_its_devices_say_what_was_published(client):
    response = page(client, "aldera")
    found = Page(response)
    assert 'href="/products/falcon-s3700/480-gb/"' in response.text
    assert "1 result published elsewhere" in found.text
    assert "Vendors Aldera: 1 product" in found.text
    assert found.links["Aldera"] == "/products/?q=aldera"
    assert "Falcon S3700" in client.get(found.links["Aldera"]).text


def test_a_firmware_version_finds_devices_with_published_results_of_it(client):
    make_result(device__slug="kite", device__model_name="KITE 1", firmware__version="FW77.1")
    make_result(device__slug="secret", firmware__version="FW77.1", submission__state="held")
    response = page(client, "fw77.1")
    links = set(Page(response).links.values())
    assert ("/devices/kite/" in links, "/devices/secret/" in links) == (True, False)


def test_a_question_finds_its_answer_in_the_guide(client):
    text = page(client, "is a UPS enough?").text
    assert '<a href="/guide/questions/#ups">Is a UPS enough?</a>' in text
    assert "Nothing found" not in text
    assert 'id="ups"' in client.get("/guide/questions/").text


def test_the_best_answer_of_the_guide_is_read_in_the_search(client):
    text = page(client, "do i need a slog").text
    answer = "Often not. A SLOG makes synchronous writes faster, and only those."
    assert f'<li><a href="/guide/do-i-need-one/">Do I need a SLOG?</a><p>{answer}</p></li>' in text
    assert '<li><a href="/guide/what-is-a-slog/">What is a SLOG?</a></li>' in text
    assert answer in client.get("/guide/do-i-need-one/").text


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("TrueNAS", "/guide/what-changed-by-2026/"),
        ("sync vs async", "/guide/what-is-a-slog/"),
        ("what if slog fails", "/guide/questions/#failed"),
        ("what happens when it fails", "/guide/questions/#failed"),
        ("how big", "/guide/how-big/"),
        ("10 GbE", "/shortlist/?link_gbit=10#answer"),
        ("which drive for 10 GbE and $300", "/shortlist/?link_gbit=10&amp;budget=300#answer"),
        ("2.5gbe under 100 USD", "/shortlist/?link_gbit=2.5&amp;budget=100#answer"),
        ("25 Gbit/s", "/shortlist/?link_gbit=25#answer"),
        ("fastest M.2 with PLP", "/shortlist/?form_factor=m2-22110#answer"),
        ("P4801X or 900P?", "/compare/?add=P4801X+or+900P"),
        ("Optane 900P vs 905P", "/compare/?add=Optane+900P+vs+905P"),
        ("truenas slog size", "/guide/how-big/"),
        ("nfs slow", "/guide/who-sends-sync-writes/"),
        ("sync=always", "/guide/who-sends-sync-writes/"),
        ("used DC S3710 for $40: good?", "/used-drive/?model=DC+S3710&amp;price=40#answer"),
    ],
)
def test_guide_pages_and_the_shortlist_of_a_link_are_found(client, text, url):
    response = page(client, text)
    assert f'<li><a href="{url}">' in response.text
    assert "Nothing found" not in response.text


def test_a_capacity_or_an_unusual_rate_is_no_link(client):
    for text in ("10 GB", "9 GbE", "P10G2", "SSDSC2BA400G4 or", "used"):
        main = page(client, text).text.partition("<main")[2]
        assert "/shortlist/?" not in main, text
        assert "/compare/?add" not in main, text
        assert "/used-drive/?" not in main, text


def test_a_device_without_a_published_result_is_not_found(client, subtests):
    for text in ["hidden 1", "HIDDEN"]:
        with subtests.test(text=text):
            assert "Nothing found" in page(client, text).text


def test_a_hit_inside_a_longer_word_comes_last(client):
    for slug, name in (("inside", "NMA1XXS700GPS"), ("named", "Zephyrus S700X"), ("typo", "S702")):
        make_product(slug=slug, name=name, patterns=[])
        make_result(device=make_device(slug=slug, model_name=name))
    links = [*Page(page(client, "s700")).links.values()]
    products = [url for url in links if url.startswith("/products/")]
    assert products == ["/products/named/", "/products/typo/", "/products/inside/"]
    assert [url for url in links if url.startswith("/devices/")] == ["/devices/named/", "/devices/inside/"]


def test_hostile_text_finds_nothing(client, subtests):
    for text in ["%", "100%", "_", "'", '"', "\\", "' OR 1=1 --", "<script>", "🙂", "x" * 100]:
        with subtests.test(text=text):
            assert f"Nothing found for “{text}”" in Page(page(client, text)).text


def test_leaderboard_search_without_matches_links_to_the_catalogue(client):
    assert (
        'href="/search/?q=heron%20x"'
        in client.get("/leaderboard/?q=heron x&method=diskinfo", follow=True).text
    )
