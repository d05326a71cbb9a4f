import pytest

from results.compare.devices.names import find_meanings, find_others, resolve_names
from results.compare.devices.start import suggest_devices
from results.models import Device
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def slugs(found):
    return [candidate.slug for candidate in found]


def meanings(text, **values):
    return slugs(find_meanings(text, **values).candidates)


@pytest.fixture(autouse=True)
def _devices():
    for slug, latency_us, device_class in (
        ("p3700", 20, "nvme"),
        ("p3700-2tb", 10, "nvme"),
        ("disk", 9000, "hdd"),
    ):
        device = make_device(slug=slug, model_name=f"Aldera {slug}", device_class=device_class)
        make_result(latency_us, device=device)
    rank_everything()


@pytest.fixture
def line():
    """A product with three measured devices, of which the second has most units."""
    product = make_product(slug="birch-q7", vendor="Birch", name="Q7 / Q7 Plus", aliases=["Q7", "Q7 Plus"])
    for name, capacity_bytes, units in (("Birch Q7", 4, 1), ("Birch Q7 Plus", 8, 3), ("BQ7-3841", 16, 2)):
        slug = f"{name}-{capacity_bytes}".lower().replace(" ", "-")
        device = make_device(
            slug=slug, model_name=name, capacity_bytes=capacity_bytes * 100_000_000_000, product=product
        )
        for _ in range(units):
            make_result(30, device=device)
    rank_everything()
    return product


def test_exact_name_matches_one_device_only(subtests):
    for text in ["P3700", "aldera p3700"]:
        with subtests.test(text=text):
            assert meanings(text) == ["p3700"]


def test_words_match_every_device_that_has_them_all():
    assert meanings("370 ald") == ["p3700", "p3700-2tb"]
    assert meanings("370 ald", except_slugs=["p3700"]) == ["p3700-2tb"]
    assert meanings("nothing") == []


def test_a_name_of_several_devices_is_the_one_with_most_units(line):
    assert meanings("birch-q7") == ["birch-q7-plus-8"]
    assert meanings("birch-q7", except_slugs=["birch-q7-plus-8"]) == ["bq7-3841-16"]
    same = make_device(slug="p3700-other", model_name="Aldera p3700", capacity_bytes=1_000_000_000_000)
    for _ in range(2):
        make_result(20, device=same)
    rank_everything()
    assert meanings("Aldera P3700") == ["p3700-other"]


@pytest.mark.usefixtures("line")
def test_a_typed_name_or_capacity_takes_precedence_over_units(subtests):
    for text, slug in [
        ("Q7", "birch-q7-4"),
        ("birch q7 plus", "birch-q7-plus-8"),
        ("Q7 1.6TB", "bq7-3841-16"),
    ]:
        with subtests.test(text=text):
            assert meanings(text) == [slug]


def test_a_product_without_measured_devices_stands_for_itself():
    product = make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    make_result(device__slug="held", device__product=product, submission__state="held")
    for text in ("P1600X", "birch p1600x", "birch-p1600x"):
        assert meanings(text) == ["birch-p1600x"]


def test_a_similar_name_is_only_offered():
    make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    found = find_meanings("P160X")
    assert (slugs(found.candidates), found.is_similar, found.slug) == (["birch-p1600x"], True, "")


def test_names_are_resolved_in_order_and_what_is_left_has_suggestions(line):
    make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    resolved = resolve_names(["P160X", "Q7", "p3700", "370 ald", "birch-q7-4"])
    assert (resolved.slugs, resolved.is_lasting) == (("birch-q7-4", "p3700"), False)
    assert {name: slugs(meaning.candidates) for name, meaning in resolved.unknown.items()} == {
        "P160X": ["birch-p1600x"],
        "370 ald": ["p3700", "p3700-2tb"],
    }
    assert resolve_names(["p3700", "disk"]).is_lasting


def test_other_devices_of_a_name_are_known(line, django_assert_num_queries):
    make_result(device__slug="alone")
    devices = list(Device.objects.filter(slug__in=["birch-q7-4", "p3700", "alone"]))
    with django_assert_num_queries(1):
        found = find_others(devices)
    assert slugs(found["birch-q7-4"].candidates) == ["birch-q7-plus-8", "bq7-3841-16", "birch-q7-4"]
    assert found["birch-q7-4"].is_clear
    assert set(found) == {"birch-q7-4"}


def test_a_name_takes_few_queries(line, django_assert_max_num_queries):
    for text in ("Q7", "370 ald", "birch-q7"):
        with django_assert_max_num_queries(11):
            find_meanings(text)


def test_the_first_devices_of_the_leaderboard_are_suggested():
    assert slugs(suggest_devices("nvme", except_slugs=[])) == ["p3700-2tb", "p3700"]
    assert slugs(suggest_devices("", except_slugs=["p3700"])) == ["p3700-2tb", "disk"]
    make_result(1, device__slug="by-fio", device__model_name="Aldera by fio", method="fio")
    rank_everything()
    assert slugs(suggest_devices("nvme", except_slugs=[])) == ["by-fio", "p3700-2tb", "p3700"]
