import pytest

from parsers.kinds import DeviceClass
from results.ingest.match import match_devices, match_firmware
from results.ingest.runs import Run
from results.models import Device, Firmware
from results.models.choices import Method
from tests.factories import make_device

pytestmark = pytest.mark.django_db


def run(model_name="SAMPLE SSD", **values):
    defaults = {
        "capacity_bytes": 480_000_000_000,
        "device_class": DeviceClass.NVME,
        "method": Method.DISKINFO,
        "curve": (None,) * 15,
        "is_complete": False,
    }
    return Run(model_name=model_name, **{**defaults, **values})


def match(one):
    return match_devices([one])[one.identity]


def test_a_new_device_is_made_of_what_the_run_says():
    device = match(run("Aldera X1/280", vendor="Aldera"))
    assert (device.model_name, device.vendor, device.capacity_bytes) == (
        "Aldera X1/280",
        "Aldera",
        480 * 10**9,
    )
    assert (device.slug, device.device_class) == ("aldera-x1-280-480-gb", "nvme")


def test_a_model_at_another_capacity_is_another_device():
    one, other = match(run()), match(run(capacity_bytes=None))
    assert one != other
    assert match(run()) == one
    assert match(run(capacity_bytes=None)) == other


def test_names_that_make_the_same_address_are_numbered():
    slugs = [match(run(name)).slug for name in ("A/1", "A.1", "A-1")]
    assert slugs == ["a-1-480-gb", "a-1-480-gb-2", "a-1-480-gb-3"]


@pytest.mark.parametrize("name", ["日本", "---", "\u202e"])
def test_a_name_without_latin_letters_has_an_address(name):
    assert match(run(name, capacity_bytes=None)).slug == "device"


def test_a_long_name_makes_an_address_that_fits():
    assert len(match(run("x" * 100)).slug) <= 140


@pytest.mark.parametrize(
    ("known", "read", "becomes"),
    [("unknown", "optane", "optane"), ("nvme", "optane", "nvme"), ("nvme", "unknown", "nvme")],
)
def test_only_a_class_that_is_unknown_is_filled_in(known, read, becomes):
    make_device(model_name="SAMPLE SSD", device_class=known)
    match(run(device_class=DeviceClass(read)))
    assert Device.objects.get().device_class == becomes


def test_a_firmware_is_made_once():
    device = match(run())
    assert match_firmware(device, "1.0") == match_firmware(device, "1.0") == Firmware.objects.get()
    assert match_firmware(device, "") is None
