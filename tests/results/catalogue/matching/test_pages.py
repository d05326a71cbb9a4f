"""Where devices have their pages, also those that other code stored."""

import pytest

from results.catalogue.matching.rematch import readdress_devices, rematch_devices
from results.models import Device
from tests.factories import make_device, make_product, make_result

pytestmark = pytest.mark.django_db


def pages():
    return dict(Device.objects.values_list("slug", "page"))


@pytest.mark.parametrize("settle", [readdress_devices, rematch_devices])
def test_devices_that_were_stored_without_a_page_get_theirs(settle):
    product = make_product(slug="s1", patterns=["^SAMPLE"])
    for slug in ("first", "second"):
        make_device(slug=slug, model_name=f"SAMPLE {slug}", product=product)
    make_device(slug="unknown", model_name="Nobody's")
    Device.objects.update(page="")
    settle()
    assert pages() == {"first": "s1/480-gb", "second": "s1/480-gb/second", "unknown": ""}
    assert not readdress_devices()


def test_a_device_that_leaves_its_product_leaves_its_page():
    product = make_product(slug="s1", patterns=["^SAMPLE"])
    make_result(device=make_device(slug="first", model_name="SAMPLE first", product=product))
    product.patterns = []
    product.save()
    rematch_devices()
    assert pages() == {"first": ""}
