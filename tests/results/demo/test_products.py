import pytest

from results.catalogue.files.load import load_catalogue
from results.catalogue.matching.match import match_product
from results.demo.draw import CLASS_RANGES, draw_runs
from results.demo.products import LINES, catalogue_lines, store_products
from results.demo.store import store_runs
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.models import Device, Product
from results.models.choices import ONLY_PROTECTED, Plp, Segment

LINES_OF_ALL = list(catalogue_lines())


def test_product_lines_are_marked_as_made_up_with_unresolvable_sources():
    for line in LINES_OF_ALL:
        assert "(made up)" in line.name
        sources = {
            *line.sources,
            line.endurance_source_url,
            *(statement.url for statement in line.plp_statements),
        } - {""}
        assert all(".example/" in source for source in sources)


def test_every_class_that_is_drawn_has_products():
    assert [drawn.device_class for drawn in CLASS_RANGES] == list(LINES)


def test_a_number_is_of_one_line_at_most_and_nine_of_none():
    for lines in LINES.values():
        digits = "".join(line.digits for line in lines)
        assert sorted(digits) == list("012345678")


def test_every_segment_is_there_and_most_answers_about_protection():
    assert {line.segment for line in LINES_OF_ALL} == set(Segment)
    assert {line.plp for line in LINES_OF_ALL} == set(Plp) - {Plp.UNKNOWN}


@pytest.mark.django_db
def test_the_model_number_determines_the_product_line():
    store_products()
    for number, slug in (("0004", "desk"), ("0018", "shelf"), ("1250", "rack")):
        found = match_product(f"Aldera NVMe {number}", "Aldera")
        assert Product.objects.get(pk=found).slug == f"made-up-aldera-nvme-{slug}"
    assert match_product("Aldera NVMe 0009", "Aldera") is None


@pytest.mark.django_db
def test_stored_devices_are_linked_to_products_and_can_be_filtered_by_them():
    list(store_runs(draw_runs(100, seed=3, device_count=40)))
    assert Device.objects.exclude(product=None).count() > Device.objects.filter(product=None).count() > 0
    for device in Device.objects.all():
        assert device.product_id == match_product(device.model_name, device.vendor)
    everything = rank_devices(LeaderboardFilter())
    assert 0 < rank_devices(LeaderboardFilter(chosen={"plp": ONLY_PROTECTED})).count < everything.count


@pytest.mark.django_db
def test_storing_products_twice_changes_nothing():
    store_products()
    before = list(Product.objects.order_by("pk").values())
    store_products()
    assert list(Product.objects.order_by("pk").values()) == before
    assert load_catalogue([]).removed == []
