"""What every public page promises: it is the same for everybody, and nothing that was sent to it runs in it."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve

from results.core.parameters import DECLARED
from results.core.public import IS_PUBLIC, MARK
from results.models import Device, Firmware, Member, Product, Result, Submission
from tests.factories import (
    make_device,
    make_grid,
    make_member,
    make_product,
    make_result,
    make_set,
    make_submission,
    rank_everything,
)

pytestmark = pytest.mark.django_db

PAGES = (
    "/",
    "/leaderboard/",
    "/leaderboard/?class=nvme&q=sample&sort=-n_units",
    "/leaderboard/?capacity=256gb-1tb&view=table",
    "/devices/other/",
    "/products/sample/480-gb/",
    "/products/sample/480-gb/another/",
    "/results/sample/",
    "/search/?q=sample",
    "/shortlist/?link_gbit=10&budget=300",
    "/survey/",
    "/sustained/",
    "/workload/?mix=4k%3A1",
    "/traits/",
    "/guide/access-patterns/",
    "/about/",
    "/api/v1/docs/",
    "/compare/?devices=sample,other",
    "/compare/grids/",
    "/compare/grids/?results=grid",
    "/results/grid/",
    "/compare/results/?a=sample&b=other",
    "/compare/sets/",
    "/compare/sets/sample/",
    "/compare/sets/sdc-2018/",
    "/products/",
    "/results/",
    "/products/sample/",
    "/pools/sample/",
    "/submit/commands/",
    "/guide/",
    "/guide/do-i-need-one/",
    "/guide/how-big/",
    "/guide/how-long-does-it-last/",
    "/guide/what-makes-a-good-one/",
    "/devices/sample/badge.svg",
    "/feeds/results.atom",
    "/feeds/pairs.atom",
    "/feeds/sets.atom",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap-pages.xml",
    "/sitemap-devices-1.xml",
    "/sitemap-pools-1.xml",
)
CHARTS = (
    "/devices/sample/chart.svg",
    "/results/sample/chart.svg",
    "/compare/chart.svg?devices=sample,other",
    "/survey/chart.svg",
)
FILES = (
    "/preview.png",
    "/leaderboard.md",
    "/leaderboard/preview.png",
    "/devices/sample/preview.png",
    "/results/sample/preview.png",
    "/results/sample/chart.png",
    "/compare/preview.png?devices=sample,other",
    "/compare/results/preview.png?a=sample&b=other",
    "/compare/sets/sample/preview.png",
    "/compare/sets/sample/chart.png",
    "/oembed?url=http%3A%2F%2F127.0.0.1%3A8000%2Fdevices%2Fsample%2F&format=json",
)
API = (
    "/api/v1/",
    "/api/v1/devices/",
    "/api/v1/devices/sample/",
    "/api/v1/leaderboard/",
    "/api/v1/results/",
    "/api/v1/results/sample/",
    "/api/v1/devices/sample/firmware/",
    "/api/v1/compare/?devices=sample,other",
    "/api/v1/compare/grids/?results=grid",
    "/api/v1/compare/results/?a=sample&b=other",
    "/api/v1/compare/sets/",
    "/api/v1/compare/sets/sample/",
    "/api/v1/compare/pairs/",
    "/api/v1/pools/",
    "/api/v1/pools/sample/",
    "/api/v1/products/",
    "/api/v1/products/sample/",
    "/api/v1/search/?q=sample",
    "/api/v1/sustained/",
    "/api/v1/workload/?mix=4k%3A1",
    "/api/v1/traits/",
    "/api/v1/shortlist/?link_gbit=10&budget=300",
    "/api/v1/classes/",
    "/api/v1/bands/",
    "/api/v1/access-patterns/",
    "/api/v1/grid-remarks/",
    "/api/v1/submissions/sample/",
    "/api/v1/schema/",
)
ADDRESSES = PAGES + CHARTS + FILES + API
# Cut after 40 characters, as some fields are, it breaks out as well.
HOSTILE = "\"'></title></textarea></script><i></svg><script>alert(1)</script>"


def make_sample():
    make_result(  # not as fast as the other: the pages say nothing of the order of those that are alike
        90, device=make_device(slug="other", capacity_bytes=960_000_000_000), submission__public_id="other"
    )
    make_result(
        device=make_device(slug="sample", product=make_product(slug="sample")),
        submission=make_submission(public_id="sample"),
        firmware__version="1.0",
    )
    make_result(
        device=make_device(slug="another", product=Product.objects.get()), not_ranked_reason="Too fast."
    )
    make_set(Submission.objects.get(public_id="sample"))
    make_grid("grid")
    rank_everything()


@pytest.fixture(scope="module", autouse=True)
def sample(django_db_setup, django_db_blocker):
    """Stored once for the module: each test's own transaction is nested in this one."""
    with django_db_blocker.unblock(), transaction.atomic():
        make_sample()
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def answers(sample):
    """What somebody without a session gets from each public address."""
    client = Client()
    return {url: client.get(url) for url in ADDRESSES}


def fill_in(text):
    """Put this text wherever somebody's text can stand."""
    Device.objects.update(model_name=Concat(Value(f"Sample {text} "), "slug"), vendor=text[:60])
    Firmware.objects.update(version=text[:40])
    flags = [{"code": text, "effect": "noted", "message": text}]
    Result.objects.update(platform=text, path=text, attachment=text, flags=flags)
    Submission.objects.update(
        text=text,
        forum_handle=text[:60],
        state_reason=text,
        notices=[{"code": text, "message": text, "line": 1}],
    )


class Outline(HTMLParser):
    """The elements of a page with the names of their attributes, and nothing that is text."""

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, *(name for name, _ in attrs)))


def public_routes(patterns, before=""):
    for one in patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from public_routes(one.url_patterns, route)
        elif getattr(one.callback, IS_PUBLIC, False):
            yield route


def test_every_public_page_is_tested_here():
    looked_at = {resolve(url.partition("?")[0]).route for url in ADDRESSES}
    assert set(public_routes(get_resolver().url_patterns)) == looked_at


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
                if url in API or url.partition("?")[0].endswith((".svg", ".png"))
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


def test_only_the_sites_own_scripts_run(answers, client, subtests):
    for url in [*PAGES, "/submit/", "/used-drive/", "/nowhere/"]:
        with subtests.test(url=url):
            response = answers.get(url) or client.get(url)
            policy = dict(
                part.strip().partition(" ")[::2] for part in response["Content-Security-Policy"].split(";")
            )
            assert {policy[name] for name in ("default-src", "base-uri", "frame-ancestors")} == {"'none'"}
            assert {policy[name] for name in ("script-src", "style-src", "form-action")} == {"'self'"}
            assert response["X-Content-Type-Options"] == "nosniff"


def test_nothing_runs_in_a_chart(answers, subtests):
    for url in CHARTS:
        with subtests.test(url=url):
            policy = answers[url]["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src" not in policy


def test_submitted_text_is_escaped(client, subtests):
    def outlines(text):
        fill_in(text)
        return {url: Outline(client.get(url).text).elements for url in PAGES + CHARTS}

    expected = outlines("w" * len(HOSTILE))  # a chart names what fits, so the texts are of one length
    for url, found in outlines(HOSTILE).items():
        with subtests.test(url=url):
            assert found == expected[url]


def test_search_terms_are_escaped(client):
    for name in ("q", "class"):
        page = client.get(f"/leaderboard/?{name}=%3Cscript%3Ealert(1)%3C/script%3E").text
        assert ("<script>alert" in page, "&lt;script&gt;alert(1)" in page) == (False, True), name


def test_a_page_that_is_only_read_has_no_form_that_changes_something(answers, subtests):
    for url in PAGES:
        with subtests.test(url=url):
            assert 'method="post"' not in answers[url].text


class Asked(HTMLParser):
    """The addresses with parameters that a page links to, and the fields of its forms that read."""

    def __init__(self, page):
        super().__init__()
        self.found, self._action = set(), None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "form":
            self._action = None if values.get("method") == "post" else values.get("action") or "."
        elif tag in {"input", "select", "textarea"} and self._action and "name" in values:
            self.found.add((self._action.partition("#")[0], values["name"]))
        for name in ("href", "src"):
            parts = urlsplit(values.get(name) or "")
            if parts.query and not parts.netloc:
                self.found |= {(parts.path, one) for one, _ in parse_qsl(parts.query)}

    def handle_endtag(self, tag):
        if tag == "form":
            self._action = None


def test_pages_link_only_to_parameters_that_are_declared(answers, client, subtests):
    """Else a redirect would leave out what the link asks for."""
    checked = set()
    for url in (*PAGES, "/leaderboard/?more=1&view=table", "/products/?more=1", "/used-drive/", "/submit/"):
        page = answers.get(url) or client.get(url)
        for path, name in Asked(page.text).found - checked:
            view = resolve(urljoin(url, path)).func
            known = (
                getattr(view, DECLARED).names if hasattr(view, DECLARED) else view.cls().known_parameters()
            )
            checked.add((path, name))
            with subtests.test(url=url, path=path):
                assert name in known
    assert len(checked) > 60


def test_nothing_but_reading_is_allowed(client, subtests):
    for url in ADDRESSES:
        with subtests.test(url=url):
            assert client.post(url).status_code == 405
