"""The devices of a paste get their products and moderators' decisions."""

from decimal import Decimal

import pytest

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.devices import match_devices
from results.catalogue.matching.merge import merge_devices, overrule_class
from results.kinds.latency_curve.read import CurveRun
from results.models import Device
from results.models.choices import Method
from results.submissions.intake.survey_data import load_survey, read_survey
from tests.factories import make_device, make_product

pytestmark = pytest.mark.django_db


def run(model_name, capacity_bytes=480_000_000_000, device_class=DeviceClass.NVME):
    curve = (Decimal(20),) * 15
    return CurveRun(
        model_name=model_name,
        capacity_bytes=capacity_bytes,
        device_class=device_class,
        method=Method.DISKINFO,
        curve=curve,
        is_complete=True,
    )


def match(one):
    return match_devices([one])[one.identity]


def test_new_device_has_its_product():
    product = make_product(patterns=["^PX04"])
    assert match(run("PX0400")).product == product
    assert match(run("QX0400")).product is None


def test_name_with_two_capacities_is_two_devices_of_one_product():
    product = make_product(patterns=["^PX04"])
    devices = {match(run("PX04", capacity_bytes=size)) for size in (10**11, 2 * 10**11)}
    assert len(devices) == 2
    assert {device.product for device in devices} == {product}


def test_a_merged_spelling_is_its_device():
    device = make_device(model_name="PX04")
    merge_devices([make_device(model_name="PX 04")], device, reason="the same")
    assert match(run("PX 04")) == device
    assert Device.objects.count() == 1


def test_merged_spelling_and_its_device_in_one_paste_are_one_device():
    device = make_device(model_name="PX04")
    merge_devices([make_device(model_name="PX 04")], device, reason="the same")
    found = match_devices([run("PX04"), run("PX 04")])
    assert set(found.values()) == {device}


def test_new_device_does_not_reuse_the_slug_of_a_merged_spelling():
    merge_devices([make_device(slug="px-04-480-gb", model_name="px 04")], make_device(), reason="the same")
    assert match(run("PX 04")).slug == "px-04-480-gb-2"


def test_moderators_class_overrules_later_readings():
    device = make_device(model_name="PX04", device_class="unknown")
    overrule_class(device, DeviceClass.SAS_SSD, reason="I have one here")
    match(run("PX04", device_class=DeviceClass.NVME))
    device.refresh_from_db()
    assert (device.read_class, device.device_class) == ("nvme", "sas_ssd")


def test_published_result_of_a_merged_spelling_is_not_loaded_twice():
    published = read_survey()
    load_survey(published)
    spelling = Device.objects.get(model_name="Samsung 980")
    merge_devices([spelling], make_device(capacity_bytes=None), reason="the same")
    loaded = load_survey(published)
    assert (loaded.added, loaded.unchanged) == (0, len(published))
