"""How each hit of a search matches: similar ones come last, never state their protection, and can be left out."""

import pytest

from tests.factories import make_protected_product, make_result, make_stated_product, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sample():
    falcon = make_protected_product(vendor="Aldera", name="DC500", slug="dc500", patterns=["^ALDERA SEDC500"])
    make_protected_product(vendor="Aldera", name="DC5000", slug="dc5000")
    make_stated_product("no", vendor="Borealis", name="DC1", slug="dc1")
    for name, product in [
        ("ALDERA SEDC500M480G", falcon),
        ("ALDERA SEDC500M960G", falcon),
        ("HERON 9", None),
    ]:
        make_result(device__model_name=name, device__slug=name.lower()[-8:], device__product=product)
    rank_everything()


def hits(client, text, **query):
    rows = client.get("/api/v1/search/", {"q": text, **query}).json()["results"]
    return [(row["name"], row["match"], row["plp"]) for row in rows]


def test_a_model_string_is_exact_and_other_devices_of_its_product_share_it(client):
    assert hits(client, "aldera sedc500m960g") == [
        ("DC500", "exact", "yes"),
        ("ALDERA SEDC500M960G", "exact", "yes"),
        ("ALDERA SEDC500M480G", "shared", "yes"),
    ]
    assert hits(client, "ALDERA SEDC500M960G", match="exact") == [
        ("DC500", "exact", "yes"),
        ("ALDERA SEDC500M960G", "exact", "yes"),
    ]


def test_words_are_shared_by_all_that_have_them(client):
    found = hits(client, "aldera")
    assert {row[0] for row in found} >= {"DC500", "DC5000"}
    assert {row[1] for row in found} == {"shared"}
    assert hits(client, "heron 9") == [("HERON 9", "exact", "unknown")]


@pytest.mark.parametrize("text", ["ALDERA SKC500M8500G", "ALDERA DC50", "Aldera DV500", "Corvant DC500"])
def test_similar_or_longer_names_state_no_protection(client, text):
    found = hits(client, text)
    assert found
    assert {row[1:] for row in found} == {("similar", "unknown")}
    assert hits(client, text, match="exact,shared") == []


def test_similar_hits_come_last(client):
    found = [row[1] for row in hits(client, "dc500")]
    assert found == sorted(found)  # exact, shared, similar
    assert found[0] == "exact"
