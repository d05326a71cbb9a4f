import pytest

from results.ranking.standing import main_rows
from results.search.query import search_devices
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def _devices():
    optane = make_product(
        vendor="Intel",
        name="Optane SSD DC P4800X",
        device_class="optane",
        aliases=["Coldstream", "SSDPED1K750GA", "Shared"],
    )
    make_product(name="Other", aliases=["Shared"])
    for name, values in {
        "INTEL SSDPED1K375GA": {"vendor": "Intel", "product": optane},
        "SAMSUNG MZ7KM480": {"vendor": "Samsung"},
        "KINGSTON 100%_A": {"vendor": "Kingston"},
    }.items():
        make_result(device=make_device(model_name=name, **values))
    rank_everything()


def found(text):
    search = search_devices(main_rows().all(), text)
    rows = main_rows().filter(search.condition).order_by("device__model_name")
    return list(rows.values_list("device__vendor", flat=True)), search.is_similar


@pytest.mark.usefixtures("_devices")
def test_words_match_vendor_model_product_or_full_name(subtests):
    for text, expected in [
        ("", ["Intel", "Kingston", "Samsung"]),
        ("mz7", ["Samsung"]),
        ("375ga intel", ["Intel"]),
        ("p4800x", ["Intel"]),
        ("OPTANE ssdped", ["Intel"]),
        ("Coldstream", ["Intel"]),
        ("Intel Coldstream Series NVMe SSD 375GB", ["Intel"]),
        ("Intel SSDPED1K750GA", ["Intel"]),
        ("100%", ["Kingston"]),
        ("%_a", ["Kingston"]),
    ]:
        with subtests.test(text=text):
            assert found(text) == (expected, False)


@pytest.mark.usefixtures("_devices")
def test_unknown_name_finds_similar_names(subtests):
    for text, expected in [
        ("sasmung", ["Samsung"]),
        ("samsnug mz7km", ["Samsung"]),
        ("intell", ["Intel"]),
        ("p480x", ["Intel"]),
        ("optnae", ["Intel"]),
        ("kingtson", ["Kingston"]),
        ("xyzzy", []),
        ("shared", []),  # by two products
        ("coldstream 9", []),  # not a full name
        ("samsung optane", []),
        ("\\", []),
        ("x" * 100, []),
        ("a b c d e f g h i j k l m", []),
    ]:
        with subtests.test(text=text):
            assert found(text) == (expected, True)
