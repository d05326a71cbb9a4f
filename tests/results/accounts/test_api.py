import json

import pytest

from results.models import AuditEntry, Submission
from results.ranking.standing import main_rows
from tests import pastes
from tests.factories import make_member, make_result
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
TEXT = '"results_submission"."text"'  # up to half a megabyte each, which no list shows


def submit(client, text=pastes.FIRST_PASTE, **headers):
    response = client.post("/api/v1/submissions/", text, content_type="text/plain", **headers)
    assert response.status_code == 201
    return response.json()


def send(client, method, url, sent, **headers):
    return getattr(client, method)(url, json.dumps(sent), content_type="application/json", **headers)


def test_own_submissions_in_any_state_are_listed_newest_first(client, django_assert_num_queries):
    member = make_member()
    headers = bearer(member)
    for state in ("published", "held", "rejected"):
        make_result(submission__owner=member, submission__public_id=state, submission__state=state)
    make_result(submission__public_id="another")
    client.get("/api/v1/me/submissions/", **headers)
    with django_assert_num_queries(5) as queries:
        page = client.get("/api/v1/me/submissions/", **headers).json()
    assert not [query for query in queries.captured_queries if TEXT in query["sql"]]
    assert [(record["id"], record["state"], len(record["results"])) for record in page["results"]] == [
        ("rejected", "rejected", 1),
        ("held", "held", 1),
        ("published", "published", 1),
    ]


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
def test_the_list_with_all_rows_is_private_and_always_read_again(client, kind):
    member = make_member()
    submission = make_result(20, submission__owner=member).submission
    response = client.get(f"/api/v1/me/submissions/?format={kind}", **bearer(member))
    assert submission.public_id in b"".join(response.streaming_content).decode()
    assert response["Cache-Control"] == "private, no-cache"
    assert "Authorization" in response["Vary"]
    assert "ETag" not in response  # what waits for a moderator changes without a new data version


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_withdrawn_submission_is_not_public_until_restored(client):
    headers = bearer()
    public_id = submit(client, **headers)["id"]
    withdrawn = client.post(f"/api/v1/submissions/{public_id}/withdraw/", **headers)
    assert (withdrawn.status_code, withdrawn.json()["state"]) == (200, "withdrawn")
    assert client.get(f"/api/v1/results/{public_id}/").status_code == 410
    assert client.get("/api/v1/results/").json()["results"] == []
    assert not main_rows().exists()
    again = client.post(f"/api/v1/submissions/{public_id}/withdraw/", **headers)
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    restored = client.post(f"/api/v1/submissions/{public_id}/restore/", **headers)
    assert (restored.status_code, restored.json()["state"]) == (200, "published")
    assert client.get(f"/api/v1/results/{public_id}/").status_code == 200
    assert main_rows().exists()
    assert list(AuditEntry.objects.order_by("id").values_list("action", flat=True)) == [
        "withdrawn",
        "restored",
    ]


def test_a_submission_of_whose_text_nothing_was_kept_is_not_restored(client):
    headers = bearer()
    public_id = submit(client, **headers)["id"]
    client.post(f"/api/v1/submissions/{public_id}/withdraw/", **headers)
    Submission.objects.update(text="")
    response = client.post(f"/api/v1/submissions/{public_id}/restore/", **headers)
    assert (response.status_code, response.json()["code"]) == (409, "conflict")
    assert "None of its text was kept" in response.json()["detail"]


def test_erasing_is_permanent_and_idempotent(client):
    headers = bearer()
    public_id = submit(client, **headers)["id"]
    for _ in range(2):
        response = client.delete(f"/api/v1/submissions/{public_id}/", **headers)
        assert (response.status_code, response.content) == (204, b"")
    assert client.get(f"/api/v1/results/{public_id}/").json()["code"] == "erased"
    assert Submission.objects.get().text == ""


def test_the_holder_of_the_token_claims_a_submission_once(client):
    token = submit(client)["claim_token"]
    member = make_member()
    claimed = send(client, "post", "/api/v1/claims/", {"token": token}, **bearer(member))
    assert (claimed.status_code, Submission.objects.get().owner) == (200, member)
    assert claimed.json()["id"] == Submission.objects.get().public_id
    again = send(client, "post", "/api/v1/claims/", {"token": token}, **bearer())
    assert again.status_code == 404
    assert Submission.objects.get().owner == member


def test_an_invalid_claim_is_refused(client, subtests):
    for sent in [{}, {"token": ""}, {"token": 5, "more": 1}, {"token": "x" * 201}, [], None]:
        with subtests.test(sent=sent):
            assert send(client, "post", "/api/v1/claims/", sent, **bearer()).status_code == 400


def test_the_owner_adds_conditions_that_the_text_lacks(client):
    headers = bearer()
    public_id = submit(client, **headers)["id"]
    changes = {"notes": "second slot", "told_conditions": {"attachment": "LSI 9207-8i", "host": ""}}
    response = send(client, "patch", f"/api/v1/results/{public_id}/", changes, **headers)
    assert response.status_code == 200
    send(client, "patch", f"/api/v1/results/{public_id}/", {"notes": f"S/N: {pastes.SERIAL}"}, **headers)
    record = client.get(f"/api/v1/results/{public_id}/").json()
    assert record["told_conditions"] == {"attachment": "LSI 9207-8i"}
    assert pastes.SERIAL not in record["notes"]


def test_unknown_fields_are_refused(client, subtests):
    headers = bearer()
    public_id = submit(client, **headers)["id"]
    for changes, wrong in [
        ({"note": "x"}, "note"),
        ({"notes": "x" * 1001}, "notes"),
        ({"notes": 5, "told_conditions": []}, "told_conditions"),
        ({"told_conditions": {"colour": "red"}}, "told_conditions.colour"),
        ({"told_conditions": {"host": "x" * 101}}, "told_conditions.host"),
    ]:
        with subtests.test(changes=changes):
            response = send(client, "patch", f"/api/v1/results/{public_id}/", changes, **headers)
            assert (response.status_code, list(response.json()["errors"])) == (400, [wrong])


def test_a_text_that_somebody_withdrew_is_published_by_its_next_sender(client):
    headers = bearer()
    first = submit(client, **headers)
    assert (
        send(client, "post", f"/api/v1/submissions/{first['id']}/withdraw/", {}, **headers).status_code == 200
    )
    second = submit(client)
    assert (second["state"], second["is_new"], bool(second["claim_token"])) == ("published", True, True)
    assert second["id"] != first["id"]
    stored = dict(Submission.objects.values_list("public_id", "state"))
    assert stored == {first["id"]: "withdrawn", second["id"]: "published"}
