"""The ways to the check: from home, a device's page, and a paste without a benchmark."""

import pytest

from tests import pastes
from tests.factories import make_result, rank_everything
from tests.page import Page
from tests.results.used_drive.shown import drives, only

pytestmark = pytest.mark.django_db


def test_a_devices_page_links_to_the_check_of_a_used_one(client):
    name = "ALDERA S1/480 & CO"
    result = make_result(20, device__model_name=name, device__capacity_bytes=480 * 10**9)
    make_result(30, device__model_name=name, device__capacity_bytes=960 * 10**9)
    rank_everything()
    links = Page(client.get(result.device.get_absolute_url())).links.values()
    response = client.get(next(link for link in links if link.startswith("/used-drive/?")))
    drive = only(response)
    assert drive.headings[0] == f"{name} 480 GB"
    assert drive.links[f"{name} 480 GB"] == result.device.get_absolute_url()


@pytest.mark.parametrize("action", ["preview", "publish"])
def test_smartctl_alone_leads_to_the_check(client, action):
    response = client.post("/submit/", {"text": pastes.smartctl(), "action": action})
    assert response.status_code == 422
    assert Page(response).root.xpath(".//button/@formaction") == ["/used-drive/#answer"]
    # The first button is the one that Enter presses.
    assert response.text.index('value="preview"') < response.text.index("formaction")
    response = client.post("/used-drive/", {"text": pastes.smartctl(), "note": "", "files": ""})
    assert len(drives(response)) == 1


def test_other_pastes_do_not(client):
    for text in ("no output at all", pastes.FIRST_PASTE):
        response = client.post("/submit/", {"text": text, "action": "preview"})
        assert "formaction" not in response.text, text
