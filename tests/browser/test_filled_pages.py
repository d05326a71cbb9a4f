"""Pages with names and figures of any length: whether anything is wider than the window."""

import pytest

from tests.factories import make_device, make_result, make_submission, rank_everything
from tests.patience import fits_at

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = (
    "/",
    "/leaderboard/",
    "/leaderboard/?view=table&sort=n_units",
    "/survey/",
    "/devices/sample/",
    "/results/sample/",
    "/results/withdrawn/",
)
WIDTHS = (360, 768, 1440)
LONG_NAME = "NAME-WITHOUT-A-BLANK-" * 4


@pytest.fixture
def _devices():
    """Two firmware versions that differ, a tie, a flag, and names and figures of any length."""
    device = make_device(slug="sample", model_name=LONG_NAME, device_class="hdd")
    for used, (version, latency_us) in enumerate([("1.0", 5_000), ("2.0", 90_000)] * 6):
        make_result(latency_us, device=device, firmware__version=version, wear_percent=used)
    make_result(
        20_000,
        device__slug="close",
        device__model_name=LONG_NAME,
        device__device_class="hdd",
        device__capacity_bytes=1,
    )
    make_result(
        30,
        device=device,
        submission__public_id="sample",
        submission__text="around\n" * 40 + LONG_NAME * 3,
        first_line=3,
        last_line=30,
        not_ranked_reason=LONG_NAME,
        path=LONG_NAME,
        platform=LONG_NAME,
        flags=[{"code": "cached_disk", "effect": "noted", "message": LONG_NAME}],
    )
    make_submission(public_id="withdrawn", state="withdrawn", state_reason=LONG_NAME)
    for latency_us in (20, 21):
        make_result(latency_us)
    rank_everything()


@pytest.mark.usefixtures("_devices")
def test_nothing_is_wider_than_the_window(page, subtests):
    for path in PAGES:
        with subtests.test(path):
            page.goto(path)
            fits_at(page, WIDTHS)
