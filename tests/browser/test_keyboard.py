"""Every page that a shopper sees, by Tab alone: everything is reached in the order of the page, and can be seen."""

import pytest

from results.demo.draw import draw_runs
from results.demo.pools import store_pools
from results.demo.store import store_runs
from results.models import Pool, Product
from tests import pastes
from tests.chromium import script
from tests.patience import fits_at, wait_until_still

pytestmark = pytest.mark.django_db(transaction=True)

MAX_STEPS = 400
WIDTHS = (360, 768, 1440)
# A group of radio buttons is one stop; a link without a box is within a closed part.
STOPS = script("stops")
# What has the focus, whether it is within the window, and whether it looks different from when it hasn't.
FOCUS = script("focus")


@pytest.fixture
def paths(page):
    """The demo: devices, products, and a pool with a log device."""
    runs = list(draw_runs(24, seed=3, device_count=8))
    list(store_runs(runs))
    store_pools(runs, 3)
    pool = next(entry for entry in Pool.objects.all() if entry.logs.exists())
    log = pool.logs.get()
    compared = [run.device.model_name for run in runs[:2]]
    return {
        "home": "/",
        "leaderboard": "/leaderboard/",
        "products": "/products/",
        "compare": f"/compare/?add={','.join(compared)}",
        "device": f"/devices/{log.slug}/",
        "product": Product.objects.filter(devices=log)[0].get_absolute_url(),
        "check": "/check/",
        "used drive": "/used-drive/",
        "pool": pool.get_absolute_url(),
        "search": "/search/?q=pool",
    }


def walk(page):
    """Press Tab from the top to the end; what is wrong on the way."""
    wait_until_still(page)
    expected, last = page.evaluate(STOPS), 0
    for _ in range(MAX_STEPS):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus is None or focus["stop"] < last:
            break
        if focus["stop"] == last:
            return f"the focus stays on {focus['name']}"
        last = focus["stop"]
        if not (focus["is_in_view"] and focus["is_marked"]):
            return f"the focus on {focus['name']} can't be seen"
    return "" if last >= expected else f"{last} of {expected} are reached"


def test_everything_is_reached_by_tab_and_can_be_seen(page, paths, assert_accessible, subtests):
    """Pools and their log devices please axe and fit, too; tests of their own ask that of the others."""
    for name, path in paths.items():
        with subtests.test(name):
            page.goto(path)
            assert walk(page) == ""
            if name in {"pool", "device", "search"}:
                fits_at(page, WIDTHS)
                assert_accessible(page)


def test_the_published_page_is_walked_through_as_well(page):
    page.goto("/submit/")
    page.locator("#id_text").fill(pastes.FIRST_PASTE + pastes.smartctl())
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Published", level=1).wait_for()
    assert walk(page) == ""
