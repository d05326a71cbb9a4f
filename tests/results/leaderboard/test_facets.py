import pytest

from parsers.base.device_class import DeviceClass
from results.leaderboard.facets import FACETS, count_options, narrowed
from results.models import DeviceRanking
from results.models.choices import INTERFACES
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db

STATEMENT = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/"}
SAFE = {"plp": "yes", "plp_statements": [STATEMENT]}


@pytest.fixture
def _devices():
    """Three devices that differ in everything, one of them without a product."""
    m2 = make_product(
        vendor="Aldera / Borealis", interface="PCIe 4.0 x4 NVMe", form_factors="M.2 22110, U.2", **SAFE
    )
    disk = make_product(
        vendor="Corvant",
        interface="SATA 3 (6 Gb/s)",
        form_factors="3.5-inch",
        segment="consumer",
        device_class="hdd",
    )
    first = make_device(model_name="m2", product=m2, capacity_bytes=960_197_124_096)
    for _ in range(5):
        make_result(20, device=first)
    make_result(
        9000,
        device=make_device(
            model_name="disk", product=disk, device_class="hdd", capacity_bytes=4_000_787_030_016
        ),
    )
    make_result(50, device=make_device(model_name="plain", vendor="DUNMORE", capacity_bytes=None))
    rank_everything()


def found(**chosen):
    rankings = narrowed(DeviceRanking.objects.all(), chosen).order_by("high_us")
    return list(rankings.values_list("device__model_name", flat=True))


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("class", "hdd", ["disk"]),
        ("plp", "yes", ["m2"]),
        ("plp", "protected", ["m2"]),
        ("plp", "unknown", ["plain", "disk"]),
        ("segment", "consumer", ["disk"]),
        ("capacity", "256gb-1tb", ["m2"]),
        ("capacity", "from-4tb", ["disk"]),
        ("interface", "pcie", ["m2", "plain"]),
        ("interface", "sata", ["disk"]),
        ("form", "u2", ["m2"]),
        ("form", "m2", ["m2"]),
        ("form", "3.5", ["disk"]),
        ("vendor", "borealis", ["m2"]),
        ("vendor", "aldera", ["m2"]),
        ("vendor", "dunmore", ["plain"]),
        ("min_units", "4", ["m2"]),
        ("min_units", "5", ["m2"]),
    ],
)
def test_each_option_filters_by_its_value(key, value, expected):
    assert found(**{key: value}) == expected


def test_the_interface_of_a_class_is_an_option():
    assert {one.interface for one in DeviceClass if one.interface} <= set(INTERFACES)


@pytest.mark.usefixtures("_devices")
def test_option_counts_match_the_filtered_lists(django_assert_num_queries):
    """Whatever is chosen, an option's count is that of the list with this option in its facet's place."""
    for chosen in (
        {},
        {"class": "nvme"},
        {"plp": "protected", "form": "m2"},
        {"min_units": "2", "vendor": "corvant"},
    ):
        with django_assert_num_queries(1):
            counts = count_options(DeviceRanking.objects.all(), chosen)
        assert counts.total == len(found(**chosen))
        for facet in FACETS:
            values = facet.labels or ["aldera", "borealis", "corvant", "dunmore"]
            expected = {value: len(found(**{**chosen, facet.key: value})) for value in values}
            assert {value: counts.options[facet.key].get(value, 0) for value in values} == expected


def test_nothing_ranked_has_no_options():
    counts = count_options(DeviceRanking.objects.all(), {"class": "hdd"})
    assert (counts.total, {key: dict(options) for key, options in counts.options.items() if options}) == (
        0,
        {},
    )
