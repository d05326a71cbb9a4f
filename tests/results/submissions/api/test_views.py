import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from results.core.security.digests import digest_secret
from results.kinds.curve.metrics import zil_latency_us
from results.models import Result, Submission
from tests import pastes
from tests.factories import make_product

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"
URL = "/api/v1/submissions/"
FIRST_OF_ITS_CLASS = {
    "rank": 1,
    "first_possible": 1,
    "last_possible": 1,
    "device_count": 1,
    "device_class": "sata_ssd",
    "board": "sync_write",
    "leaderboard_url": f"{SITE}/leaderboard/?class=sata_ssd",
}


def post_text(client, text, **headers):
    return client.post(URL, text, content_type="text/plain", CONTENT_TYPE="text/plain", **headers)


def post_json(client, **fields):
    return client.post(URL, json.dumps(fields), content_type="application/json")


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_paste_becomes_a_submission(client):
    response = post_text(client, pastes.FIRST_PASTE)
    submission = Submission.objects.get()
    record = response.json()
    (result,), token = record.pop("results"), record.pop("claim_token")
    assert result.pop("rank") == FIRST_OF_ITS_CLASS
    assert (response.status_code, response["Location"]) == (
        201,
        f"{SITE}/api/v1/submissions/{submission.public_id}/",
    )
    stored = client.get(f"/api/v1/results/{submission.public_id}/").json()
    assert result.items() <= stored.items()
    assert result["metrics"]["zil_latency_us"] == pytest.approx(zil_latency_us(pastes.FIRST_CURVE), abs=1e-3)
    points = result["latency_curve"]["points"]
    assert submission.claim_digest == digest_secret(token)
    assert [point["latency_us"] for point in points] == list(pastes.FIRST_CURVE)
    assert (record["notices"], record["left_out"], record["run_count"]) == ([], [], 1)


def test_the_location_header_is_the_submission_of_all_its_runs(client):
    response = post_text(client, pastes.FIRST_PASTE + pastes.diskinfo(media_size=5 << 30))
    found = client.get(response["Location"]).json()
    assert (found["id"], len(found["results"])) == (response.json()["id"], 2)
    assert {record["submission"] for record in found["results"]} == {found["id"]}


def test_the_same_text_again_is_the_same_submission(client):
    first = post_text(client, pastes.FIRST_PASTE)
    second = post_json(client, text=pastes.FIRST_PASTE)
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {**first.json(), "is_new": False, "claim_token": ""}
    assert Submission.objects.count() == 1


def test_json_can_state_handle_and_source(client):
    response = post_json(
        client, text=pastes.FIRST_PASTE, forum_handle="somebody", source_url="https://forum.example/t/1"
    )
    result = client.get(f"/api/v1/results/{response.json()['id']}/").json()
    assert (result["forum_handle"], result["source_url"]) == ("somebody", "https://forum.example/t/1")


def test_files_are_joined_with_the_text_beside_them(client):
    files = [
        SimpleUploadedFile("diskinfo.txt", pastes.diskinfo().encode()),
        SimpleUploadedFile("smartctl.txt", pastes.smartctl().encode("utf-16")),
    ]
    response = client.post(
        URL, {"file": files, "text": "measured on a quiet host", "forum_handle": "somebody"}
    )
    assert response.status_code == 201
    assert response.json()["results"][0]["firmware_version"] == "D20Y"
    assert Submission.objects.get().text.startswith("… 1 line left out …\n/dev/da24\n")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_plain_text_comes_in_any_encoding(client, encoding):
    raw = pastes.FIRST_PASTE.replace("\n", "\r\n").encode(encoding)
    assert post_text(client, raw).json()["results"][0]["metrics"]["latency_4k_us"] == 158.3


def test_a_paste_without_a_run_is_refused_with_reasons(client):
    response = post_text(client, pastes.smartctl())
    assert (response.status_code, response["Content-Type"]) == (422, "application/problem+json")
    problem = response.json()
    (notice,) = problem.pop("notices")
    assert problem == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "There is no benchmark run in this text that can be published.",
        "code": "refused",
        "left_out_lines": [],
    }
    assert notice["code"] == "no_benchmark"
    assert "diskinfo -wS" in notice["message"]


def test_more_than_the_limit_is_refused_before_it_is_read(client, settings):
    response = post_text(client, "x" * (settings.PASTE_LIMIT_BYTES + 1))
    assert response.json() == {
        "type": "about:blank",
        "title": "Request Entity Too Large",
        "status": 413,
        "detail": "At most 4 MiB for a log, 512 KiB for other text: send only the tools’ output, or send it in "
        "several parts.",
        "code": "too_long",
    }


def test_a_body_far_beyond_the_limit_is_refused_by_its_length(client, settings):
    response = post_text(client, "x", CONTENT_LENGTH=str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert response.json() == post_text(client, "x" * (settings.PASTE_LIMIT_BYTES + 1)).json()


def test_invalid_fields_are_refused(client, subtests):
    for fields, wrong in [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": None}, "text"),
        ({"text": {"a": 1}}, "text"),
        ({"text": "x", "source_url": "javascript:alert(1)"}, "source_url"),
        ({"text": "x", "source_url": "https://"}, "source_url"),
        ({"text": "x", "forum_handle": "x" * 61}, "forum_handle"),
        ({"text": "x", "forum_handle": "a\x00b"}, "forum_handle"),
    ]:
        with subtests.test(fields=fields):
            response = post_json(client, **fields)
            assert (response.status_code, list(response.json()["errors"])) == (400, [wrong])
            assert response.json()["code"] == "invalid"


def test_broken_json_is_refused(client, subtests):
    for raw in [
        b"{",
        b"\xff",
        b"",
        b"[" * 100_000,
        b'{"text": "\\ud800"}',
        b'{"text": NaN}',
        b"[]",
        b'"text"',
        b"null",
    ]:
        with subtests.test(raw=raw):
            response = client.post(URL, raw, content_type="application/json", CONTENT_TYPE="application/json")
            assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")


def test_an_upload_without_a_file_is_refused(client):
    response = client.post(URL, {"forum_handle": "somebody"})
    assert (response.status_code, list(response.json()["errors"])) == (400, ["text"])


def test_a_binary_file_among_several_is_refused(client):
    files = [
        SimpleUploadedFile("diskinfo.txt", pastes.diskinfo().encode()),
        SimpleUploadedFile("photo.jpg", b"\xff\xd8\x00\x01\x02\x03" * 50),
    ]
    response = client.post(URL, {"file": files})
    assert (response.status_code, response.json()["notices"][0]["code"]) == (422, "binary")


def test_other_kinds_of_body_are_refused(client, subtests):
    for content_type in ["application/x-www-form-urlencoded", "image/png", "text/html"]:
        with subtests.test(content_type=content_type):
            response = client.post(URL, b"x", content_type=content_type)
            problem = response.json()
            assert (response.status_code, problem["code"]) == (415, "unsupported_media_type")
            assert content_type in problem["detail"]


def test_nothing_but_post_is_allowed(client, subtests):
    for method in ["get", "put", "delete"]:
        with subtests.test(method=method):
            response = getattr(client, method)(URL)
            assert (response.status_code, response["Allow"]) == (405, "POST, OPTIONS")
            assert response.json()["code"] == "method_not_allowed"


def test_no_answer_and_no_row_holds_the_serial_number(client):
    submission = post_text(client, pastes.FIRST_PASTE + pastes.smartctl())
    result = client.get(f"/api/v1/results/{submission.json()['id']}/")
    for response in (submission, result, client.get("/api/v1/results/")):
        assert pastes.SERIAL not in response.text
        assert Submission.objects.get().unit_digests["[serial-1]"] not in response.text
    assert "[serial-1]" in result.json()["text"]


def test_a_sender_is_known_only_by_a_digest_of_the_network(client):
    post_text(client, pastes.diskinfo(ident=""), REMOTE_ADDR="192.0.2.17")
    post_text(client, pastes.diskinfo(ident="", media_size=5 << 30), REMOTE_ADDR="192.0.2.99")
    submission, other = Submission.objects.all()
    assert submission.sender_digest == other.sender_digest != ""
    assert "192.0.2" not in str(list(Submission.objects.values()))
    assert set(Result.objects.values_list("ranking_unit", flat=True)) == {
        f"network {submission.sender_digest}"
    }


def test_a_submission_of_a_known_device_takes_few_queries(client, django_assert_num_queries):
    make_product(patterns=["^MARVELL"], device_class="sata_ssd")
    post_text(client, pastes.FIRST_PASTE)
    again = pastes.prompted(pastes.diskinfo(ident="ZX81SPECTRUM49"), "diskinfo -wS /dev/da24")
    with django_assert_num_queries(23) as queries:
        assert post_text(client, again).status_code == 201
    statements = "\n".join(query["sql"] for query in queries.captured_queries)
    assert "results_devicealias" not in statements
    assert (
        re.sub("FOR UPDATE|FOR NO KEY UPDATE|DO UPDATE", "", statements).count("UPDATE") == 2
    )  # the device's count, and its conditions if they changed


def test_a_submission_of_a_new_device_takes_few_more_queries(client, django_assert_num_queries):
    make_product(patterns=["^MARVELL"], device_class="sata_ssd")
    post_text(client, pastes.FIRST_PASTE)
    with django_assert_num_queries(
        27
    ):  # aliases, the catalogue, slugs, its page, the new row, the device again, its board
        assert post_text(client, pastes.diskinfo(media_size=5 << 30)).status_code == 201


def test_the_first_result_of_an_unknown_model_is_stored_with_its_flag(client, django_assert_num_queries):
    post_text(client, pastes.diskinfo(description="OTHER MODEL"))
    with django_assert_num_queries(18) as queries:
        (result,) = post_text(client, pastes.FIRST_PASTE).json()["results"]
    assert [flag["code"] for flag in result["flags"]] == ["unknown_model"]
    statements = "\n".join(query["sql"] for query in queries.captured_queries)
    assert 'UPDATE "results_result"' not in statements
    assert "INTO results_deviceranking" not in statements  # it is not ranked
