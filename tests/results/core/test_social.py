"""The head of a page as other sites read it, and the data in it for search engines."""

import json
from datetime import UTC, datetime

import pytest

from results.models import Device, Product, Submission
from tests.factories import make_device, make_product, make_protected_product, make_result, rank_everything
from tests.page import Page, head_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]
HOSTILE = "</script><script>alert(1)</script>\"'&<!--"


def data(response):
    found = Page(response, "html").root.xpath("//script[@type='application/ld+json']")
    return [json.loads(script.text) for script in found]


def make_sample(**values):
    product = make_protected_product(slug="s1", name="Sample")
    device = make_device(
        slug="sample", product=product, **{"model_name": "Sample", "vendor": "Aldera", **values}
    )
    make_result(20, device=device, submission__public_id="sample")
    make_result(device__slug="bare")
    for slug, size in (("other", 480), ("another", 960)):
        of_s2 = {"product": Product.objects.filter(slug="s2").first() or make_product(slug="s2")}
        make_result(device=make_device(slug=slug, capacity_bytes=size * 10**9, **of_s2))
    rank_everything()


@pytest.mark.parametrize(
    ("url", "image"),
    [
        ("/devices/bare/", "/devices/bare/preview.png"),
        ("/products/s2/480-gb/", "/devices/other/preview.png"),
        ("/results/sample/", "/results/sample/preview.png"),
        ("/products/s1/", "/compare/preview.png?devices=s1"),
        ("/", "/preview.png"),
        ("/leaderboard/", "/leaderboard/preview.png"),
        ("/leaderboard/?class=nvme", "/leaderboard/preview.png?class=nvme"),
        ("/survey/", "/preview.png"),
        ("/about/", "/preview.png"),
        ("/submit/", "/preview.png"),
    ],
)
def test_a_page_has_an_address_words_and_a_picture(client, url, image):
    make_sample()
    response = client.get(url)
    meta = head_of(response)
    assert (meta["og:url"], meta["og:image"]) == (
        f"https://slog.example{url}",
        f"https://slog.example{image}",
    )
    assert f'<link rel="canonical" href="https://slog.example{url}">' in response.text
    assert meta["og:title"]
    assert meta["og:description"]
    assert client.get(meta["og:image"].removeprefix("https://slog.example"))["Content-Type"] == "image/png"


def test_orders_and_searches_of_a_board_have_its_address(client):
    make_sample()
    response = client.get("/leaderboard/?class=nvme&sort=-n_units&q=sample")
    assert head_of(response)["og:url"] == "https://slog.example/leaderboard/?class=nvme"


def test_the_description_states_that_a_result_is_not_ranked(client):
    make_result(device__slug="held", submission__public_id="held", not_ranked_reason="Too soon.")
    assert "no ranked result yet" in head_of(client.get("/devices/held/"))["og:description"]
    assert "not ranked" in head_of(client.get("/results/held/"))["og:description"]


def test_all_results_are_a_data_set(client):
    make_sample()
    Submission.objects.update(created_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    (found,) = data(client.get("/"))
    assert (found["@context"], found["@type"]) == ("https://schema.org", "Dataset")
    assert found["license"].startswith("https://creativecommons.org/")
    assert found["dateModified"] == "2026-03-01"  # the day of the newest submission
    assert found["distribution"][0]["contentUrl"] == "https://slog.example/exports/results.csv"


def test_a_device_is_a_product_with_what_was_measured_and_no_rating(client):
    make_sample()
    (found,) = data(client.get("/products/s1/480-gb/"))
    properties = {attribute["name"]: attribute for attribute in found["additionalProperty"]}
    assert (found["@type"], found["name"], found["brand"]["name"]) == (
        "Product",
        "Aldera Sample 480 GB",
        "Aldera",
    )
    assert properties["4 KiB latency"]["value"] == 20
    assert properties["4 KiB latency"]["minValue"] < 20 < properties["4 KiB latency"]["maxValue"]
    assert properties["Power-loss protection"]["value"] == "Protected"
    assert not {"aggregateRating", "review", "offers"} & set(found)


def test_an_unranked_device_has_no_measurements_in_its_structured_data(client):
    make_result(device__slug="held", not_ranked_reason="Too soon.")
    (found,) = data(client.get("/devices/held/"))
    assert [attribute["name"] for attribute in found["additionalProperty"]] == ["Power-loss protection"]


def test_a_line_of_the_catalogue_is_a_product(client):
    make_product(slug="s9", name="S9", media="3D XPoint")
    (found,) = data(client.get("/products/s9/"))
    assert (found["name"], found["brand"]["name"]) == ("Aldera S9", "Aldera")
    assert {"@type": "PropertyValue", "name": "Media", "value": "3D XPoint"} in found["additionalProperty"]


def test_part_numbers_and_the_names_of_resellers_are_in_the_structured_data(client):
    make_sample(model_name="ALD480X1")
    sample = Product.objects.get(slug="s1")
    sample.oem_names = [{"name": "394XT", "url": "https://maker.example/1"}]
    sample.example_model = "ALD960X1"
    sample.save()
    named = make_device(slug="named", product=sample, model_name="Aldera Sample")  # which is no part number
    make_result(device=named)
    (line,), (capacity,) = (data(client.get(path)) for path in ("/products/s1/", "/products/s1/480-gb/"))
    assert (line["mpn"], capacity["mpn"]) == (["ALD960X1", "ALD480X1"], ["ALD480X1"])
    assert line["alternateName"] == capacity["alternateName"] == ["394XT"]


def test_no_name_ends_the_data(client):
    make_sample(model_name=HOSTILE, vendor=HOSTILE)
    Device.objects.update(product=None, page="")
    response = client.get("/devices/sample/")
    (found,) = data(response)
    assert found["model"] == HOSTILE
    assert "<script>alert" not in response.text
    assert head_of(response)["og:title"].startswith(HOSTILE)
