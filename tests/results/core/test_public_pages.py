"""What every public page promises: it is the same for everybody, and nothing that was sent to it runs in it."""

from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve
from lxml import html

from results.core.parameters import DECLARED
from results.core.public import IS_PUBLIC, MARK
from results.models import Member, Product
from tests.addresses import every_route, public_addresses, store_sample
from tests.factories import make_device, make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db

# Formats with verbatim text, and bitmap images
FILES = (".png", ".md", ".bbcode", ".csv", ".json", "/oembed", "/chart.svg")


# Cut after 40 characters, as some fields are, it breaks out as well.
@pytest.fixture(scope="module", autouse=True)
def sample(django_db_setup, django_db_blocker):
    """Stored once for the module: each test's own transaction is nested in this one."""
    with django_db_blocker.unblock(), transaction.atomic():
        store_sample()
        product = Product.objects.get(slug="sample")
        make_result(device=make_device(slug="another", product=product), not_ranked_reason="Too fast.")
        rank_everything()
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def answers(sample):
    """What somebody without a session gets from each public address."""
    client = Client()
    return {url: client.get(url) for url in addresses()}


def addresses():
    found = [*public_addresses()[200], "/products/sample/480-gb/another/"]
    return [url for url in found if url != "/metrics" and hasattr(resolve_url(url).func, IS_PUBLIC)]


def resolve_url(url):
    return resolve(url.partition("?")[0])


def is_api(url):
    return hasattr(resolve_url(url).func, "cls")


def pages():
    """What is written as markup, or as lines of text, without charts."""
    return [url for url in addresses() if not (is_api(url) or url.partition("?")[0].endswith(FILES))]


def test_every_public_page_is_tested_here():
    looked_at = {resolve_url(url).route for url in addresses()}
    assert {route.pattern for route in every_route() if hasattr(route.view, IS_PUBLIC)} == looked_at


def assert_that_no_session_was_used(response):
    assert (response.status_code, response[MARK]) == (200, "1")
    assert not response.cookies
    assert "Vary" not in response or "Cookie" not in response["Vary"]


def test_the_api_reads_no_session(client, django_assert_num_queries):
    client.force_login(make_member())
    with django_assert_num_queries(0):
        response = client.get("/api/v1/me/")
    assert response.status_code == 401


def test_a_public_page_is_the_same_for_everybody_and_reads_no_session(
    answers, admin_client, settings, subtests
):
    settings.ALLOWED_HOSTS = ["*"]
    assert Member.objects.exists()
    for url, plain in answers.items():
        with subtests.test(url=url):
            other = admin_client.get(
                url
                if is_api(url) or url.partition("?")[0].endswith((".svg", ".png"))
                else f"{url}{'&' if '?' in url else '?'}utm_source=elsewhere",
                HTTP_HOST="evil.example",
                HTTP_ACCEPT_LANGUAGE="de",
                HTTP_USER_AGENT="other",
                follow=True,  # pages with a question lead to it without what is none of theirs
            )
            assert_that_no_session_was_used(plain)
            assert_that_no_session_was_used(other)
            assert plain.content == other.content
            assert b"evil.example" not in other.content


def test_a_page_that_is_only_read_has_no_form_that_changes_something(answers, subtests):
    for url in pages():
        with subtests.test(url=url):
            assert 'method="post"' not in answers[url].text


def linked_parameters(page):
    """The parameters of a page's links and of its GET forms, with their paths."""
    root = html.document_fromstring(page.content)
    links = [urlsplit(link) for link in root.xpath("//@href | //@src")]
    found = {(link.path, name) for link in links if not link.netloc for name, _ in parse_qsl(link.query)}
    for form in root.xpath("//form[not(@method='post')]"):
        path = (form.get("action") or ".").partition("#")[0]
        found |= {(path, name) for name in form.xpath(".//@name")}
    return found


def test_pages_link_only_to_parameters_that_are_declared(answers, client, subtests):
    """Otherwise a redirect would drop the link's parameters."""
    checked = set()
    for url in (*pages(), "/leaderboard/?more=1&view=table", "/products/?more=1", "/used-drive/", "/submit/"):
        page = answers.get(url) or client.get(url)
        for path, name in linked_parameters(page) - checked:
            view = resolve_url(urljoin(url, path)).func
            known = (
                getattr(view, DECLARED).names if hasattr(view, DECLARED) else view.cls().known_parameters()
            )
            checked.add((path, name))
            with subtests.test(url=url, path=path):
                assert name in known
    assert len(checked) > 60


def test_nothing_but_reading_is_allowed(client, subtests):
    for url in addresses():
        takes_a_list = url.startswith("/api/v1/lookup/")  # of models, as JSON
        with subtests.test(url=url):
            assert client.post(url).status_code == (415 if takes_a_list else 405)
