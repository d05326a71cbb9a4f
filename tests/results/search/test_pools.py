import pytest

from results.search.pools import find_pools
from tests.factories import make_device, make_pool, make_product, make_submission

pytestmark = pytest.mark.django_db


def layout(*vdevs):
    return [{"role": role, "type": kind, "members": members} for role, kind, members in vdevs]


@pytest.fixture
def pools():
    """A pool by a name of its own for each layout; `optane` has a log device that nobody has measured alone."""
    product = make_product(vendor="Intel", name="Optane SSD 900P", patterns=["^INTEL SSDPED1D"])
    log = make_device(model_name="INTEL SSDPED1D280GA", vendor="Intel", product=product)
    made = {
        "mirrors": make_pool(
            layout=layout(("data", "mirror", 2), ("data", "mirror", 2), ("log", "mirror", 2))
        ),
        "optane": make_pool(layout=layout(("data", "raidz2", 6), ("log", "disk", 1))),
        "wide": make_pool(layout=layout(("data", "raidz2", 10), ("special", "mirror", 2))),
        "held": make_pool(layout=layout(("data", "raidz2", 6)), submission=make_submission(state="held")),
        "untold": make_pool(layout=[]),
    }
    made["optane"].logs.add(log)
    return made


def test_pools_are_found_by_layout_and_log_device(pools, subtests):
    for text, expected in (
        ("raidz2", ["wide", "optane"]),
        ("raidz", ["wide", "optane"]),
        ("RAIDZ2 pools with a SLOG", ["optane"]),
        ("raidz2 of 6", ["optane"]),
        ("10-wide raidz2", ["wide"]),
        ("mirror", ["wide", "mirrors"]),
        ("mirrors log", ["mirrors"]),
        ("special", ["wide"]),
        ("striped", ["optane"]),
        ("raidz3", []),
        ("ssdped1d280ga", ["optane"]),
        ("intel raidz2", ["optane"]),
        ("900P raidz2", ["optane"]),
        ("900P mirror", []),
        ("pool", ["untold", "wide", "optane", "mirrors"]),
        ("of a", []),
        ("%", []),
    ):
        with subtests.test(text):
            assert list(find_pools(text)) == [pools[name] for name in expected]


def test_the_page_lists_pools_with_their_log_devices(client, pools):
    page = client.get("/search/", {"q": "raidz2"}).text.partition('id="pools"')[2]
    assert f'href="{pools["optane"].get_absolute_url()}"' in page
    assert "INTEL SSDPED1D280GA" in page
    sent = pools["optane"].submission.created_at.date()
    assert f'<span class="meta">{sent}</span>' in page
    assert "raidz2 of 10, with a mirrored special vdev" in page
    assert pools["held"].get_absolute_url() not in page
    assert 'id="pools"' not in client.get("/search/", {"q": "heron"}).text


def test_a_product_finds_the_pools_that_it_is_a_log_device_of(client, pools):
    make_product(vendor="Intel", name="Optane SSD 900P mini", patterns=["^NONE"])
    assert pools["optane"].get_absolute_url() in client.get("/search/", {"q": "intel optane"}).text


def test_the_api_filters_its_list(client, pools):
    found = client.get("/api/v1/pools/", {"q": "raidz2 900P"}).json()
    assert [record["id"] for record in found["results"]] == [pools["optane"].public_id]
    assert client.get("/api/v1/pools/", {"q": "x" * 101}).status_code == 400
