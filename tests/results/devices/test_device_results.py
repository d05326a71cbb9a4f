"""What a device's page shows of its results follows every change of them."""

import pytest

from results.models import Device, Result, Submission
from results.ranking.standing import main_rows
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def _page(client):
    return client.get("/devices/sample/").text


@pytest.fixture
def page(client):
    """Of a device with two results of two units."""
    device = make_device(slug="sample", product=make_product())
    for hours in (10, 900):
        make_result(20, device=device, firmware__version="1.0", platform="FreeBSD 13.5", power_on_hours=hours)
    rank_everything()
    return _page(client)


def test_a_new_result_is_shown(client, page):
    make_result(20, device=Device.objects.get(slug="sample"), firmware__version="2.0")
    assert "2.0" in _page(client)


def test_a_changed_result_is_shown_in_its_current_state(client, page):
    Result.objects.filter(power_on_hours=10).update(platform="FreeBSD 14.2", power_on_hours=4321)
    after = _page(client)
    assert ("FreeBSD 14.2" in page, "FreeBSD 14.2" in after) == (False, True)
    assert "4,321 h" in after


def test_held_and_erased_submissions_are_hidden(client, page):
    assert page.count("FreeBSD 13.5") == 2
    Submission.objects.filter(results__power_on_hours=10).update(state="held")
    assert _page(client).count("FreeBSD 13.5") == 1


def test_a_deleted_result_is_hidden(client, page):
    Result.objects.filter(power_on_hours=10).delete()
    assert _page(client).count("FreeBSD 13.5") == 1


def test_figures_follow_the_spread_of_the_board(client, page):
    main_rows().update(board_spread=0.9)
    assert _page(client) != page


def test_a_row_shows_the_platform_as_platform_and_the_method_as_method(client):
    device = make_device(slug="published", model_name="Published")
    make_result(20, device=device, platform="TrueNAS SCALE, fio-3.25, fdatasync=1", method="fio")
    make_result(20, device=device, platform="")
    text = client.get("/devices/published/").text
    assert '<th scope="col">Platform</th>\n<th scope="col">Method</th>' in text
    assert '<td class="wide-cell">TrueNAS SCALE</td>\n<td>fio</td>' in text
    assert '<td class="wide-cell">–</td>\n<td>diskinfo</td>' in text
