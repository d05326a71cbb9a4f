"""What every public page promises: it is the same for everybody, and nothing that was sent to it runs in it."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat, Right
from django.test import Client
from django.urls import resolve

from results.core.parameters import DECLARED
from results.core.public import IS_PUBLIC, MARK
from results.models import Device, Firmware, Member, Product, Result, Submission
from tests.addresses import every_route, public_addresses, store_sample
from tests.factories import make_device, make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db

# Formats with verbatim text, and bitmap images
FILES = (".png", ".md", ".bbcode", ".csv", ".json", "/oembed")
# Cut after 40 characters, as some fields are, it breaks out as well.
HOSTILE = "\"'></title></textarea></script><i></svg><script>alert(1)</script>"


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


def is_chart(url):
    return url.partition("?")[0].endswith("/chart.svg")


def pages():
    """What is written as markup, or as lines of text, without charts."""
    return [
        url
        for url in addresses()
        if not (is_api(url) or is_chart(url) or url.partition("?")[0].endswith(FILES))
    ]


def fill_in(text):
    """Put this text wherever somebody's text can stand."""
    Device.objects.update(model_name=Concat(Value(f"Sample {text} "), "slug"), vendor=text[:60])
    Firmware.objects.update(version=Concat(Value(text[:37]), Right("version", 3)))
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


def test_only_the_sites_own_scripts_run(answers, client, subtests):
    for url in [*pages(), "/submit/", "/used-drive/", "/nowhere/"]:
        with subtests.test(url=url):
            response = answers.get(url) or client.get(url)
            policy = dict(
                part.strip().partition(" ")[::2] for part in response["Content-Security-Policy"].split(";")
            )
            assert {policy[name] for name in ("default-src", "base-uri", "frame-ancestors")} == {"'none'"}
            assert {policy[name] for name in ("script-src", "style-src", "form-action")} == {"'self'"}
            assert response["X-Content-Type-Options"] == "nosniff"


def test_nothing_runs_in_a_chart(answers, subtests):
    for url in filter(is_chart, answers):
        with subtests.test(url=url):
            policy = answers[url]["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src" not in policy


def test_submitted_text_is_escaped(client, subtests):
    shown = [*pages(), *filter(is_chart, addresses())]

    def outlines(text):
        fill_in(text)
        return {url: Outline(client.get(url).text).elements for url in shown}

    expected = outlines("w" * len(HOSTILE))  # a chart names what fits, so the texts are of one length
    for url, found in outlines(HOSTILE).items():
        with subtests.test(url=url):
            assert found == expected[url]


def test_search_terms_are_escaped(client):
    for name in ("q", "class"):
        page = client.get(f"/leaderboard/?{name}=%3Cscript%3Ealert(1)%3C/script%3E").text
        assert ("<script>alert" in page, "&lt;script&gt;alert(1)" in page) == (False, True), name


def test_a_page_that_is_only_read_has_no_form_that_changes_something(answers, subtests):
    for url in pages():
        with subtests.test(url=url):
            assert 'method="post"' not in answers[url].text


class LinkedParameters(HTMLParser):
    """The parameters of a page's links and of its GET forms, with their paths."""

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
                self.found |= {(parts.path, part) for part, _ in parse_qsl(parts.query)}

    def handle_endtag(self, tag):
        if tag == "form":
            self._action = None


def test_pages_link_only_to_parameters_that_are_declared(answers, client, subtests):
    """Otherwise a redirect would drop the link's parameters."""
    checked = set()
    for url in (*pages(), "/leaderboard/?more=1&view=table", "/products/?more=1", "/used-drive/", "/submit/"):
        page = answers.get(url) or client.get(url)
        for path, name in LinkedParameters(page.text).found - checked:
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
