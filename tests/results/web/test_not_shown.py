"""A device of which nothing is published is offered nowhere: its name may be why it was turned away."""

import pytest

from results.models import Submission
from tests.factories import make_device, make_product, make_result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    product = make_product(slug="line")
    for name in ("shown", "turned-away"):
        make_result(
            device=make_device(slug=name, model_name=name, product=product), submission__forum_handle=name
        )
    Submission.objects.filter(forum_handle="turned-away").update(state="rejected")


@pytest.mark.parametrize(
    "url",
    [
        "/sitemap-devices-1.xml",
        "/products/line/",
        "/api/v1/products/line/",
        "/compare/?devices=shown&add=turned",
        "/api/v1/devices/",
    ],
)
def test_only_what_is_published_is_offered(client, url):
    page = client.get(url).text
    assert "shown" in page
    assert "turned-away" not in page
