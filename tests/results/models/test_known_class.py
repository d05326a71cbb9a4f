"""Migration 0014 keeps the class in force, and takes nothing for read that the catalogue may have said."""

import pytest
from django.db import connection

from results.models import Device
from tests.factories import make_device, make_product
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)


def test_devices_keep_their_class():
    optane = make_product(device_class="optane")
    make_device(model_name="a", device_class="optane", product=optane)
    make_device(model_name="b", device_class="sata_ssd", product=optane)
    make_device(model_name="c", device_class="hdd")
    try:
        migrate("0013_index_each_order")
        with connection.cursor() as cursor:
            cursor.execute("SELECT device_class FROM results_device ORDER BY model_name")
            assert cursor.fetchall() == [("optane",), ("sata_ssd",), ("hdd",)]
    finally:
        migrate()
    held = Device.objects.order_by("model_name").values_list("read_class", "known_class", "device_class")
    assert list(held) == [
        ("unknown", "optane", "optane"),
        ("sata_ssd", "sata_ssd", "sata_ssd"),
        ("hdd", "", "hdd"),
    ]
