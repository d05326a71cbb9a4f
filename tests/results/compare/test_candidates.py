import pytest

from results.compare.query import find_candidates, suggest_devices
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def slugs(found):
    return [one.slug for one in found]


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


@pytest.mark.parametrize("text", ["P3700", "aldera p3700"])
def test_exact_name_matches_one_device_only(text):
    assert slugs(find_candidates(text)) == ["p3700"]


def test_words_match_every_device_that_has_them_all():
    assert slugs(find_candidates("370 ald")) == ["p3700", "p3700-2tb"]
    assert slugs(find_candidates("370 ald", except_slugs=["p3700"])) == ["p3700-2tb"]
    assert find_candidates("nothing") == []


def test_best_devices_of_the_class_are_suggested():
    assert slugs(suggest_devices("nvme", except_slugs=[])) == ["p3700-2tb", "p3700"]
    assert slugs(suggest_devices("", except_slugs=["p3700"])) == ["p3700-2tb", "disk"]


def test_suggestions_are_in_the_order_of_the_leaderboard():
    device = make_device(slug="by-fio", model_name="Aldera by fio", device_class="nvme")
    make_result(1, device=device, method="fio")
    rank_everything()
    assert slugs(suggest_devices("nvme", except_slugs=[])) == ["by-fio", "p3700-2tb", "p3700"]
