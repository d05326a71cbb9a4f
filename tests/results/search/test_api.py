import pytest

from tests.factories import make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sample():
    product = make_product(vendor="Aldera", name="Falcon S3700", aliases=["Peregrine"])
    make_result(device__slug="falcon", device__model_name="FALCON SSDSC2BA400G3", device__product=product)
    make_result(device__slug="heron", device__model_name="HERON 9000", not_ranked_reason="cut short")
    make_result(device__slug="hidden", device__model_name="FALCON hidden", submission__state="held")
    make_product(vendor="Borealis", name="Heron")
    rank_everything()


def found(client, text):
    rows = client.get("/api/v1/search/", {"q": text}).json()["results"]
    devices = [row["slug"] for row in rows if row["type"] == "device"]
    return devices, [row["name"] for row in rows if row["type"] == "product"]


def test_words_find_matches_or_else_similar_names(client, subtests):
    for text, devices, products in [
        ("falcon", ["falcon"], ["Falcon S3700"]),
        ("FALCON ssdsc", ["falcon"], ["Falcon S3700"]),
        ("heron 9000", ["heron"], ["Heron"]),
        ("falcn", ["falcon"], ["Falcon S3700"]),
        ("borealis", [], ["Heron"]),
        ("Aldera Peregrine SSD", ["falcon"], ["Falcon S3700"]),
        ("zzzz", [], []),
        ("100%", [], []),
    ]:
        with subtests.test(text=text, devices=devices):
            assert found(client, text) == (devices, products)


def test_products_come_first_with_the_best_match(client):
    make_product(vendor="Aldera", name="Falcon S3710", slug="aldera-other")
    rows = client.get("/api/v1/search/", {"q": "falcon s370"}).json()["results"]
    assert [(row["type"], row["name"]) for row in rows[:2]] == [
        ("product", "Falcon S3700"),
        ("product", "Falcon S3710"),
    ]
    rows = client.get("/api/v1/search/", {"q": "peregrin"}).json()["results"]
    assert (rows[0]["type"], rows[0]["name"]) == ("product", "Falcon S3700")


def test_a_named_product_that_nobody_measured_brings_no_similar_devices(client):
    assert found(client, "s370")[0] == ["falcon"]
    make_product(vendor="Aldera", name="S370")
    assert found(client, "s370") == ([], ["S370"])


def test_empty_search_is_refused(client, subtests):
    for query in ["", "?q=", "?q=%20", "?q=a%00b", f"?q={'x' * 101}"]:
        with subtests.test(query=query):
            response = client.get(f"/api/v1/search/{query}")
            assert (response.status_code, list(response.json()["errors"])) == (400, ["q"])
