import pytest

from results.advice.guide_pages import PAGES
from results.advice.openzfs import facts
from results.core.addresses import address
from results.models.choices import Plp
from tests.factories import make_device, make_result, make_stated_product, rank_everything
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


def path_of(page):
    return address("guide-page", page.slug)


def test_every_page_has_a_url_a_heading_and_its_sources(client, subtests):
    for page in PAGES:
        with subtests.test(page=page):
            path = path_of(page)
            response = client.get(path)
            assert response.status_code == 200
            assert f"<h1>{page.title}</h1>" in response.text
            assert 'class="sources"' in response.text
            assert f'<link rel="canonical" href="http://127.0.0.1:8000{path}">' in response.text


def test_navigation_marks_pages_of_the_guide(client):
    assert '<a href="/guide/" aria-current="page">Guide</a>' in client.get("/guide/").text
    assert '<a href="/guide/" aria-current="true">Guide</a>' in client.get(path_of(PAGES[0])).text


def test_pages_link_to_the_previous_and_next_one(client):
    path, walked = path_of(PAGES[0]), []
    while path:
        walked.append(path)
        path = next(iter(Page(client.get(path)).root.xpath(".//a[@rel='next']/@href")), None)
    assert walked == [path_of(page) for page in PAGES]


def test_pages_that_say_how_we_rank_link_to_the_method(client, subtests):
    for slug, anchor in [
        ("what-makes-a-good-one", "boards"),
        ("what-changed-by-2026", "boards"),
        ("how-the-test-works", "between-tools"),
    ]:
        with subtests.test(slug=slug):
            assert f'href="/about/#{anchor}"' in client.get(f"/guide/{slug}/").text
            assert f'id="{anchor}"' in client.get("/about/").text


def test_links_within_the_guide_exist(client):
    links = {link for page in PAGES for link in Page(client.get(path_of(page))).links.values()}
    inside = {link.partition("#")[0] for link in links if link.startswith("/")}
    assert [url for url in inside if client.get(url, follow=True).status_code != 200] == []


def test_recommended_devices_are_listed_best_first(client, django_assert_max_num_queries):
    for plp, latency_us in [("yes", 30), ("no", 5), ("by_design", 20)]:
        device = make_device(model_name=plp, product=make_stated_product(plp))
        make_result(latency_us, device=device, submission__is_approved=True)
    make_result(1, device=make_device(model_name="anonymous", product=make_stated_product("yes")))
    rank_everything()
    with django_assert_max_num_queries(2):
        page = Page(client.get("/guide/what-makes-a-good-one/"))
    assert [row[0].split()[0] for row in page.tables[0][1:]] == ["by_design", "yes"]


def test_every_value_of_protection_is_explained_and_counted(client, django_assert_max_num_queries):
    for plp in ("yes", "yes", "disputed"):
        make_stated_product(plp)
    with django_assert_max_num_queries(3):
        page = Page(client.get("/guide/safety/"))
    assert "Of the 3 product lines in our catalogue, 2 are known to be protected" in page.text
    counts = [text_of(term).rpartition(" ")[2] for term in page.root.iter("dt")]
    assert (len(counts), sorted(counts)[-2:]) == (len(Plp), ["1", "2"])
    assert all(map(text_of, page.root.iter("dd")))


def test_statements_on_openzfs_have_the_releases_and_sources_of_the_table(client, subtests):
    for slug, key, sentence in [
        (
            "what-changed-by-2026",
            "slog_bulk",
            "<strong>OpenZFS {}</strong> (November 2023), up to 64 MiB of a commit",
        ),
        (
            "what-changed-by-2026",
            "special_is_log",
            "<strong>OpenZFS {}</strong> (December 2025), a pool without a SLOG",
        ),
        ("what-changed-by-2026", "removal_fix", "<strong>OpenZFS {}</strong> fix removing a log device"),
        (
            "what-changed-by-2026",
            "commit_delay",
            "and from OpenZFS {} on not at all if there is only one writer",
        ),
        ("what-changed-by-2026", "truenas_25_10", "TrueNAS 25.10 has OpenZFS {}"),
        ("who-sends-sync-writes", "zilstat", "</a>, from OpenZFS {})"),
        ("questions", "direct", "From OpenZFS {} on, Linux writes what a program opens with O_DIRECT"),
    ]:
        with subtests.test(key=key):
            page, fact = client.get(f"/guide/{slug}/").text, facts()[key]
            assert sentence.format(fact.releases) in page
            assert fact.url in page
