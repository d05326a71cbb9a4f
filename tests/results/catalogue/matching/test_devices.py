from decimal import Decimal

import pytest

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.devices import make_missing_devices, match_devices, match_firmwares
from results.catalogue.matching.merge import merge_devices, overrule_class
from results.kinds.curve.run import CurveRun
from results.models import Device, DeviceAlias, Firmware
from results.models.choices import Method
from results.submissions.intake.shipped import load_survey, read_shipped
from tests.factories import make_device, make_product

pytestmark = pytest.mark.django_db


def run(model_name="SAMPLE SSD", **values):
    defaults = {
        "capacity_bytes": 480_000_000_000,
        "device_class": DeviceClass.NVME,
        "method": Method.DISKINFO,
        "curve": (Decimal(20),) * 15,
        "is_complete": True,
    }
    return CurveRun(model_name=model_name, **{**defaults, **values})


def match(device):
    return match_devices([device])[device.identity]


def test_new_device_is_created_from_the_run():
    device = match(run("Aldera X1/280", vendor="Aldera"))
    assert (device.model_name, device.vendor, device.capacity_bytes) == (
        "Aldera X1/280",
        "Aldera",
        480 * 10**9,
    )
    assert (device.slug, device.device_class) == ("aldera-x1-280-480-gb", "nvme")


def test_a_model_at_another_capacity_is_another_device():
    device, other = match(run()), match(run(capacity_bytes=None))
    assert device != other
    assert match(run()) == device
    assert match(run(capacity_bytes=None)) == other


def test_names_with_the_same_slug_are_numbered():
    slugs = [match(run(name)).slug for name in ("A/1", "A.1", "A-1")]
    assert slugs == ["a-1-480-gb", "a-1-480-gb-2", "a-1-480-gb-3"]


@pytest.mark.parametrize("name", ["日本", "---", "\u202e"])
def test_name_without_latin_letters_has_a_slug(name):
    assert match(run(name, capacity_bytes=None)).slug == "device"


def test_slug_of_a_long_name_is_cut():
    assert len(match(run("x" * 100)).slug) <= 140


@pytest.mark.parametrize(
    ("known", "read", "becomes"),
    [("unknown", "optane", "optane"), ("nvme", "optane", "nvme"), ("nvme", "unknown", "nvme")],
)
def test_only_an_unknown_class_is_filled_in(known, read, becomes):
    make_device(model_name="SAMPLE SSD", device_class=known)
    match(run(device_class=DeviceClass(read)))
    assert Device.objects.get().device_class == becomes


def test_firmware_is_created_once():
    device = match(run())
    versions = [(device.pk, "1.0"), (device.pk, "")]
    assert (
        match_firmwares(versions)
        == match_firmwares(versions)
        == {(device.pk, "1.0"): Firmware.objects.get().pk}
    )


def test_many_new_devices_are_created_and_found_with_few_queries(django_assert_num_queries):
    product = make_product(patterns=["^SAMPLE 7$"])
    runs = [run(f"SAMPLE {number}") for number in range(40)]
    with django_assert_num_queries(
        8
    ):  # aliases, devices, slugs of both, the catalogue twice, pages, the new rows
        make_missing_devices(runs)
    assert Device.objects.get(product=product).model_name == "SAMPLE 7"
    with django_assert_num_queries(3):  # aliases, ids, all of them locked
        devices = match_devices(runs)
    assert [devices[run.identity].slug for run in runs] == [f"sample-{n}-480-gb" for n in range(40)]
    assert make_missing_devices(runs) is None
    assert Device.objects.count() == 40


def test_new_devices_with_the_same_slug_are_created_one_by_one():
    runs = [run(name) for name in ("A/1", "A.1", "A-1")]
    make_missing_devices(runs)
    assert Device.objects.count() == 1
    assert len({device.slug for device in match_devices(runs).values()}) == 3


@pytest.mark.parametrize("capacity_bytes", [480_000_000_000, None])
def test_merged_spelling_creates_no_new_device(capacity_bytes):
    device = make_device(model_name="SAMPLE SSD", capacity_bytes=capacity_bytes)
    DeviceAlias.objects.create(
        model_name="SAMPLE  SSD", capacity_bytes=capacity_bytes, device=device, slug="x", reason="a blank"
    )
    spelled, named = (run(name, capacity_bytes=capacity_bytes) for name in ("SAMPLE  SSD", "SAMPLE SSD"))
    make_missing_devices([spelled])
    assert list(match_devices([spelled, named]).values()) == [device, device]


def test_slug_of_a_merged_spelling_is_not_reused():
    DeviceAlias.objects.create(
        model_name="S", capacity_bytes=1, device=make_device(), slug="sample-1-480-gb", reason="a blank"
    )
    assert match(run("SAMPLE 1")).slug == "sample-1-480-gb-2"


def test_unknown_class_is_filled_in_among_many_devices():
    make_device(model_name="SAMPLE SSD", device_class="unknown")
    match_devices([run(device_class=DeviceClass.OPTANE), run(device_class=DeviceClass.UNKNOWN), run("OTHER")])
    assert Device.objects.get(model_name="SAMPLE SSD").device_class == "optane"


def test_moderators_class_overrules_later_readings():
    device = make_device(model_name="PX04", device_class="unknown")
    overrule_class(device, DeviceClass.SAS_SSD, reason="I have one here")
    match(run("PX04", device_class=DeviceClass.NVME))
    device.refresh_from_db()
    assert (device.read_class, device.device_class) == ("nvme", "sas_ssd")


def test_published_result_of_a_merged_spelling_is_not_loaded_twice():
    published = [known for known in read_shipped() if known.runs[0].model_name == "Samsung 980"]
    load_survey(published)
    spelling = Device.objects.get(model_name="Samsung 980")
    merge_devices([spelling], make_device(capacity_bytes=None), reason="the same")
    loaded = load_survey(published)
    assert (loaded.added, loaded.unchanged) == (0, len(published))
