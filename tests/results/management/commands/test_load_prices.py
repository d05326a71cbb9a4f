"""`manage.py load_prices` adds what it can, and says which lines it can't."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from results.catalogue.files.added_prices import LONGEST_LINE, without_tracking
from results.catalogue.files.statements_csv import PRICES, store_facts
from results.core.data_version import stored_version
from results.management.commands.load_prices import SHOWN_REFUSALS
from results.models import PriceSighting
from tests.factories import make_price, make_product
from tests.results.catalogue.catalogue_cells import FACT_CELLS, write_lines

pytestmark = pytest.mark.django_db
SOURCE = "https://shop.example/s1"
CELLS = FACT_CELLS[PRICES] | {"currency": "USD", "source_url": SOURCE}


@pytest.fixture
def product():
    return make_product(slug="aldera-s1")


@pytest.fixture
def load(tmp_path, today):
    """Loads a file: its bytes, or the changes of each line; what was printed, refused, and the exit status."""

    def run(content):
        path = tmp_path / "seen.csv"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            write_lines(path, CELLS, ({**CELLS, **changes} for changes in content))
        out, err, status = StringIO(), StringIO(), 0
        try:
            call_command("load_prices", str(path), stdout=out, stderr=err)
        except CommandError as error:
            status = error.returncode
            err.write(str(error))
        return out.getvalue(), err.getvalue(), status

    return run


def test_prices_are_added_once(product, load):
    lines = [{}, {"price": "120", "seen_on": "2024-06"}, {}]
    before = stored_version()
    assert load(lines) == ("prices added: 2, already stored: 1\n", "", 0)
    after = stored_version()
    assert load(lines) == ("prices added: 0, already stored: 3\n", "", 0)
    assert before < after == stored_version()
    assert [str(price.price) for price in product.prices.filter(shown_as="used")] == ["120.00"]


def test_added_prices_stay_when_shipped_ones_go(product, load):
    shipped = make_price(product, source_url="https://shipped.example/")
    load([{}])
    assert store_facts(PRICES, ()) == [product.slug]
    assert not PriceSighting.objects.filter(pk=shipped.pk).exists()
    assert product.prices.get().source_url == SOURCE
    assert store_facts(PRICES, ()) == []


def test_a_shipped_price_that_an_operator_loads_too_is_stored_once(product, load):
    make_price(
        product,
        **{name: CELLS[name] for name in ("price", "condition", "seller_kind", "seen_on", "source_url")},
    )
    assert load([{}])[0] == "prices added: 0, already stored: 1\n"


def test_bad_lines_are_refused_and_the_rest_is_loaded(product, load):
    refused = [
        ({"price": "0"}, "price: '0' is not an amount above 0"),
        ({"price": "-5"}, "price: '-5' is not an amount above 0"),
        ({"price": "1e12"}, "price: '1e12' is not an amount above 0"),
        ({"price": "1000000000000"}, "price: '1000000000000' is not an amount above 0"),
        ({"price": "2000001"}, "price: '2000001' is above 2,000,000"),
        ({"price": "NaN"}, "price: 'NaN' is not an amount above 0"),
        ({"price": "٣"}, "price: '٣' is not an amount above 0"),
        ({"currency": "XXX"}, "currency: 'XXX' is not one of AUD, CAD, CHF, EUR, GBP, JPY, PLN, SEK, USD"),
        ({"seen_on": "2024-07-01"}, "seen_on: '2024-07-01' is in the future"),
        ({"seen_on": "2025"}, "seen_on: '2025' is in the future"),
        (
            {"source_url": "javascript:alert(1)"},
            "source_url: 'javascript:alert(1)' is not the address of a page",
        ),
        (
            {"source_url": "https://[::1"},
            "source_url: 'https://[::1' is not the address of a page: Invalid IPv6 URL",
        ),
        (
            {"source_url": "https://a@b.example/"},
            "source_url: 'https://a@b.example/' is not the address of a page",
        ),
        (
            {"source_url": "https://a.example/\0"},
            "source_url: 'https://a.example/\\x00' is not the address of a page",
        ),
        ({"slug": "aldera-s9"}, "slug: 'aldera-s9' is not in the catalogue"),
    ]
    out, err, status = load([*(changes for changes, _ in refused), {}])
    assert err.splitlines() == [
        *(f"line {number}: {reason}" for number, (_, reason) in enumerate(refused, start=2)),
        f"lines refused: {len(refused)}",
    ]
    assert (out, status) == ("prices added: 1, already stored: 0\n", 2)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"aldera-s1,1,2", "3 cells instead of 8"),
        (b'"aldera-s1', "not CSV: unexpected end of data"),
        (b"\xff", "not UTF-8"),
        (b"x" * 3 * LONGEST_LINE, f"longer than {LONGEST_LINE:,} bytes"),
    ],
)
def test_a_malformed_line_is_refused(product, load, line, reason):
    good = ",".join(CELLS.values()).encode()
    content = b"\r\n".join([b"\xef\xbb\xbf" + ",".join(CELLS).encode(), line, b"", good])
    out, err, status = load(content)
    assert err == f"line 2: {reason}\nlines refused: 1"
    assert (out, status) == ("prices added: 1, already stored: 0\n", 2)


def test_a_file_with_other_columns_is_refused(product, load, subtests):
    for content in [b"slug,price\naldera-s1,4\n", b"\xff\n", b'"\n', b"x" * 3 * LONGEST_LINE]:
        with subtests.test(content=content):
            out, err, status = load(content)
            assert (out, status) == ("", 1)
            assert err.startswith("seen.csv, line 1: ")


def test_a_missing_file_is_an_error():
    with pytest.raises(CommandError, match="No such file"):
        call_command("load_prices", "/nowhere.csv")


def test_a_long_list_of_refused_lines_is_cut(product, load):
    _, err, status = load([{"price": "0"}] * (SHOWN_REFUSALS + 5))
    assert status == 2
    assert err.splitlines()[SHOWN_REFUSALS:] == [
        "more lines were refused; their reasons aren't shown",
        f"lines refused: {SHOWN_REFUSALS + 5}",
    ]


def test_tracking_parameters_are_removed_from_urls(product, load):
    stored = {
        "https://a.example/p?id=7&utm_source=x&UTM_Medium=y": "https://a.example/p?id=7",
        "https://a.example/p?gclid=1&fbclid=2&msclkid=3": "https://a.example/p",
        "https://a.example/dp/B0/ref=sr_1_3?tag=me-20&th=1&sr=8-1": "https://a.example/dp/B0?th=1",
        "https://a.example/itm/7?_trkparms=a&mkcid=1&var=4&campid=5": "https://a.example/itm/7?var=4",
        "https://a.example/p?q=a+b%20c&q=d&e=#top": "https://a.example/p?q=a+b%20c&q=d&e=#top",
        "https://a.example/p#utm_source=x&part=2": "https://a.example/p#part=2",
        "https://a.example/p?reference=1&tags=2": "https://a.example/p?reference=1&tags=2",
    }
    load([{"source_url": url} for url in stored])
    assert list(product.prices.order_by("pk").values_list("source_url", flat=True)) == list(stored.values())


def test_elsewhere_than_in_shops_a_tag_is_part_of_the_page():
    url = "https://press.example/list?tag=nvme&ref=main&utm_source=x"
    assert without_tracking(url, is_shop=False) == "https://press.example/list?tag=nvme&ref=main"
