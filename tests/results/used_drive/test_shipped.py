"""The drives of the catalogue that ships are found by the names that they report."""

import pytest

from results.models import Device, Product
from results.models.fact import is_same_capacity
from results.search.products import find_products
from results.used_drive.part_numbers import capacities_of_part_number

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]


def test_each_example_name_is_found():
    products = Product.objects.exclude(example_model="")
    assert products.count() > 200
    missed = [
        product.example_model
        for product in products
        if find_products(product.example_model).match != product.pk
    ]
    assert missed == []


def test_part_numbers_state_no_capacity_but_the_measured_one():
    measured = Device.objects.exclude(capacity_bytes=None).values_list("model_name", "capacity_bytes")
    stated = [(name, capacity, capacities_of_part_number(name)) for name, capacity in measured]
    read = [drive for drive in stated if drive[2]]
    assert len(read) > 10
    assert [drive for drive in read if not is_same_capacity(drive[1], drive[2][0])] == []


@pytest.mark.parametrize(
    ("model", "product", "gigabytes"),
    [
        ("SSDPE21K015TA", "intel-optane-p4800x", 1500),
        ("MTFDDAK480TDS", "micron-5300", 480),
        ("Micron_5200_MTFDDAK480TDN", "micron-5200", 480),
        ("WUS4BA119DSP3X1", "wd-sn840", 1920),  # the catalogue states only another one
        ("PX04SMB080", "toshiba-px04s", 800),
    ],
)
def test_drives_are_looked_up_and_checked_with_the_capacity_of_their_part_number(
    client, model, product, gigabytes
):
    smart = f"=== START OF INFORMATION SECTION ===\nDevice Model:     {model}\nFirmware Version: 1\n"
    for answer in (
        client.get("/api/v1/lookup/", {"model": model}),
        client.post("/api/v1/drives/check/", smart, content_type="text/plain"),
    ):
        found = answer.json()
        assert (answer.status_code, found["product"]) == (200, product)
        assert found["capacity_bytes"] == gigabytes * 10**9
    page = client.get("/used-drive/", {"model": model})
    assert Product.objects.get(slug=product).name in page.text
