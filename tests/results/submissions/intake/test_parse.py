import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from parsers.__main__ import to_json
from parsers.base.device_class import DeviceClass
from parsers.paste import parse_paste
from results.catalogue.matching.merge import merge_devices, overrule_class
from results.models import Device, Submission
from tests import pastes
from tests.factories import make_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
URL = "/api/v1/parse/"
PASTE = pastes.FIRST_PASTE + pastes.smartctl()


def parse(client, text):
    return client.post(URL, text, content_type="text/plain")


def test_a_preview_returns_the_masked_text_and_the_ranks_of_its_runs(client):
    client.post("/api/v1/submissions/", pastes.FIRST_PASTE, content_type="text/plain")
    slower = pastes.diskinfo([2 * point for point in pastes.FIRST_CURVE], media_size=5 << 30)
    record = parse(client, slower + pastes.smartctl(capacity=5 << 30)).json()
    (run,) = record["runs"]
    assert (run["is_ranked"], run["rank"]["rank"], run["rank"]["device_count"]) == (True, 1, 1)
    assert (run["board"], run["tier"]) == ("sync_write", ["good", "slow"])
    assert (pastes.SERIAL in record["text"], "[serial-1]" in record["text"]) == (False, True)


def test_a_known_device_with_another_spelling_or_class_is_not_compared_with_itself(client):
    client.post("/api/v1/submissions/", pastes.FIRST_PASTE, content_type="text/plain")
    spelling = Device.objects.get()
    device = make_device(model_name="Marvell 88SA02", device_class="sata_ssd", capacity_bytes=None)
    merge_devices([spelling], device, reason="the same")
    overrule_class(device, DeviceClass.SAS_SSD, reason="I have one here")
    (run,) = parse(client, pastes.diskinfo([2 * point for point in pastes.FIRST_CURVE])).json()["runs"]
    assert run["device_class"] == run["rank"]["device_class"] == "sas_ssd"
    assert run["rank"]["device_count"] == 1


def test_a_text_without_a_run_is_refused_as_when_it_is_sent(client):
    sent = client.post("/api/v1/submissions/", "hello", content_type="text/plain")
    assert parse(client, "hello").json() == sent.json()


def test_files_and_json_are_previewed_too(client):
    files = [SimpleUploadedFile("run.txt", PASTE.encode())]
    plain = parse(client, PASTE).json()
    assert client.post(URL, {"file": files}).json() == plain
    assert client.post(URL, json.dumps({"text": PASTE}), content_type="application/json").json() == plain


def test_a_parse_by_the_sender_is_refused_by_its_fields(client):
    """What counts is read from the text, here."""
    parse = json.loads(to_json(parse_paste(PASTE, unit_key=b"somebody else's key")))
    response = client.post("/api/v1/submissions/", json.dumps(parse), content_type="application/json")
    assert response.status_code == 400
    assert "readings" in str(response.json()["errors"])
    assert not Submission.objects.exists()
