"""A device that is merged while a comparison is rendered is unknown."""

import pytest

from results.catalogue.matching.merge import merge_devices
from results.compare.devices import api as api_compare
from results.compare.devices import page as compare
from results.compare.devices.names import resolve_names
from results.compare.devices.query import resolve_devices
from results.embeds import images as chart_image
from results.models import Device
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _merged_between(monkeypatch):
    for slug in ("fast", "slow"):
        make_result(device__slug=slug)
    rank_everything()

    def merging_after(resolve):
        def resolve_and_merge(names):
            resolved = resolve(names)
            merge_devices(
                [Device.objects.get(slug="slow")], Device.objects.get(slug="fast"), reason="the same"
            )
            return resolved

        return resolve_and_merge

    for module in (compare, api_compare):
        monkeypatch.setattr(module, "resolve_names", merging_after(resolve_names))
    monkeypatch.setattr(chart_image, "resolve_devices", merging_after(resolve_devices))


def test_page_reports_a_merged_device_as_unknown(client):
    response = client.get("/compare/?devices=slow,fast")
    assert response.status_code == 400
    assert "There is no device or product “slow”." in response.text
    assert 'href="/compare/?devices=fast"' in response.text


@pytest.mark.parametrize("url", ["/compare/chart.svg?devices=slow,fast", "/devices/slow/chart.svg"])
def test_merged_device_has_no_chart(client, url):
    assert client.get(url).status_code == 404


def test_api_reports_a_merged_device_as_unknown(client):
    response = client.get("/api/v1/compare/?devices=slow,fast")
    assert response.status_code == 404
    assert response.json()["errors"] == {"devices": ["There is no device or product “slow”."]}
