"""The feed of new results: newest first, of all or of a part, whatever a device is called."""

from xml.etree import ElementTree

import pytest

from results.core.security.audit import OPERATOR
from results.models.choices import Action
from results.moderation.decide import decide
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_price, make_result, make_stated_product, make_submission

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]
ATOM = "{http://www.w3.org/2005/Atom}"


def entries(response):
    feed = ElementTree.fromstring(response.content)  # noqa: S314 - ours
    return [{part.tag.removeprefix(ATOM): part for part in entry} for entry in feed.iter(f"{ATOM}entry")]


def test_the_newest_published_results_come_first(client):
    make_result(25, submission__public_id="older", device__model_name="Sample")
    make_result(
        30, submission__public_id="newer", submission__forum_handle="jgreco", not_ranked_reason="Too soon."
    )
    make_result(submission__state="withdrawn")
    response = client.get("/feeds/results.atom")
    newer, older = entries(response)
    assert newer["id"].text == newer["link"].get("href") == "https://slog.example/results/newer/"
    assert newer["author"][0].text == "jgreco"
    assert "not ranked: Too soon." in newer["summary"].text
    assert older["title"].text == "Sample 480 GB: ZIL latency 25.0 µs"
    assert older["updated"].text.endswith("+00:00")


def test_a_submission_is_one_entry_and_an_approved_one_comes_first(client):
    ladder = make_submission(public_id="ladder")
    for position in range(1, 6):
        make_result(submission=ladder, position=position, device__model_name=f"Sample {position}")
    held = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    decide(held, Action.HELD, moderator=OPERATOR, reason="check it")
    make_result(submission__public_id="newest")
    found = entries(client.get("/feeds/results.atom"))
    assert [entry["id"].text.split("/")[-2] for entry in found] == ["newest", "ladder"]
    assert found[1]["title"].text == "Sample 1 480 GB: ZIL latency 28.9 µs (and 4 more runs)"
    assert "Sample 5 480 GB: ZIL latency 28.9 µs" in found[1]["summary"].text
    decide(held, Action.APPROVED, moderator=OPERATOR, reason="checked")
    found = entries(client.get("/feeds/results.atom"))
    assert [entry["id"].text.split("/")[-2] for entry in found] == [held.public_id, "newest", "ladder"]
    assert found[0]["updated"].text > found[1]["updated"].text


def test_classes_and_devices_have_separate_feeds(client):
    make_result(submission__public_id="ssd", device=make_device(slug="sample"))
    make_result(submission__public_id="disk", device__device_class="hdd")
    for query, public_id in (("class=hdd", "disk"), ("device=sample", "ssd")):
        (entry,) = entries(client.get(f"/feeds/results.atom?{query}"))
        assert entry["id"].text == f"https://slog.example/results/{public_id}/"
    assert entries(client.get("/feeds/results.atom?class=hdd&device=sample")) == []


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "]]><x>", "a\x07b\ufffe", "&amp;"])
def test_a_hostile_name_is_text(client, name):
    make_result(
        device__slug="sample", device__model_name=name, submission__forum_handle=name, firmware__version=name
    )
    (entry,) = entries(client.get("/feeds/results.atom?device=sample"))
    assert entry["title"].text.startswith(name.replace("\x07", "").replace("\ufffe", ""))


def test_an_incomplete_run_is_marked(client):
    make_result([None] * 15, not_ranked_reason="Cut short.")
    (entry,) = entries(client.get("/feeds/results.atom"))
    assert entry["title"].text.endswith(": incomplete")


def test_the_products_that_changed_last_come_first(client):
    first = make_stated_product("yes", slug="s1", name="S1", form_factors="M.2")
    make_stated_product("no", slug="s2", name="S2")
    first.form_factors = "U.2"
    first.save()
    newest, older = entries(client.get("/feeds/products.atom"))
    assert newest["id"].text == newest["link"].get("href") == "https://slog.example/products/s1/"
    assert (newest["title"].text, older["title"].text) == ("Aldera S1", "Aldera S2")
    assert newest["summary"].text == "NVMe SSD, Protected, U.2"


def test_prices_come_by_the_day_they_were_seen_each_with_an_id_that_lasts(client):
    product = make_stated_product("yes", slug="s1", name="S1")
    for seen_on in ("2024", "2025-03-01"):
        make_price(product, price=45, seen_on=seen_on, condition="used", source_url="https://shop.example/1")
    newest, older = entries(client.get("/feeds/prices.atom"))
    assert newest["title"].text == "Aldera S1 480 GB: $45, used"
    assert newest["summary"].text == "seen 2025-03-01, shop, https://shop.example/1"
    assert older["updated"].text == "2024-01-01T00:00:00+00:00"
    ids = {row["id"] for row in client.get("/api/v1/prices/").json()["results"]}
    expected = {f"https://slog.example/products/s1/#price-{pk}" for pk in ids}
    product.launch_year = 2012  # so it's probably a marketplace listing: the price is still the same
    product.save()
    again = entries(client.get("/feeds/prices.atom"))
    for feed in ([newest, older], again):
        assert {entry["id"].text for entry in feed} == expected
