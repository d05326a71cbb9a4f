import re

import pytest

from results.models import Result, Submission
from results.models.choices import State
from results.submissions.claim import claim_submission
from results.submissions.edit import change_state
from tests import pastes
from tests.factories import make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db


def publish(client, text=pastes.FIRST_PASTE):
    return client.post("/submit/", {"text": text, "action": "publish"})


def test_the_claim_token_is_shown_once_and_not_stored(client, caplog):
    response = publish(client)
    token = response.context["claim_token"]
    assert response.text.count(token) == 1
    assert "no-store" in response["Cache-Control"]
    assert token not in str(response.headers) + str(response.cookies) + caplog.text
    stored = Submission.objects.values().get()
    assert token not in str(stored)
    assert token not in client.get(response["Location"]).text
    again = publish(client)
    assert (again.status_code, again.context["claim_token"]) == (200, "")
    assert "slogdb_claim_" not in again.text
    assert "Already submitted" in again.text


def test_the_token_that_was_shown_makes_its_holder_the_owner(client):
    token = re.search(r"slogdb_claim_[\w-]+", publish(client).text)[0]
    assert claim_submission(token, make_member()) == Submission.objects.get()


def test_members_own_their_submissions_and_get_no_token(client):
    member = make_member()
    client.force_login(member)
    response = publish(client)
    assert response.context["claim_token"] == ""
    assert Submission.objects.get().owner == member


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_rank_of_the_device_is_shown_immediately(client):
    for latency_us in (5, 10, 200_000):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    (run,) = publish(client).context["runs"]
    assert run["place"] in {"3 of 4", "3–4 of 4"}
    assert (run["class_label"], run["class_url"]) == (
        "SATA SSD",
        "/leaderboard/?class=sata_ssd",
    )


def test_an_unranked_run_shows_why(client):
    response = publish(client, pastes.diskinfo(pastes.FIRST_CURVE[:3]))
    (run,) = response.context["runs"]
    assert (run["place"], "No 4 KiB writes" in run["why_not"]) == ("", True)
    assert "Not ranked" in response.text


def test_every_run_of_a_paste_is_named(client):
    other = pastes.diskinfo(description="ATA OTHER", ident="ABCD1234", path="/dev/da25")
    runs = publish(client, pastes.diskinfo() + other).context["runs"]
    assert [run["subject"] for run in runs] == ["MARVELL SD88SA02 24.6 GB", "OTHER 24.6 GB"]
    assert [run["url"] for run in runs] == [
        f"/results/{one}/" for one in Result.objects.order_by("position").values_list("public_id", flat=True)
    ]


def test_repeating_a_withdrawn_text_links_to_its_page(client):
    publish(client)
    Submission.objects.update(state=State.WITHDRAWN)
    response = publish(client)
    assert (response.status_code, client.get(response["Location"]).status_code) == (200, 410)


def test_the_number_of_queries_does_not_grow_with_existing_results(client, django_assert_max_num_queries):
    for latency_us in range(10, 30):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    with django_assert_max_num_queries(60):
        publish(client)


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED, State.WITHDRAWN])
def test_repeating_an_unpublished_text_links_to_no_missing_page(client, state):
    publish(client)
    change_state(Submission.objects.get(), state, reason="Made up.")
    again = publish(client)
    (run,) = again.context["runs"]
    assert (run["subject_url"], "share" in again.context) == ("", False)
    assert "/devices/" not in again.text
    assert client.get(again.context["result_url"]).status_code in {200, 410}


def test_a_waiting_result_is_not_called_public(client, settings):
    settings.HOLD_FIRST_RESULTS = True
    response = publish(client)
    assert "Everyone can see it" not in response.text
    assert "<h1>Held</h1>" in response.text
    assert "First results wait for a moderator&#x27;s review." in response.text


def test_a_held_run_states_that_a_moderator_will_look_at_it(client):
    response = publish(client, pastes.diskinfo([5] * 15))
    (run,) = response.context["runs"]
    assert (run["place"], run["label"]) == ("", "Waiting for a moderator")
    assert run["label"] in response.text
    assert "Ranks are final" not in response.text


def test_a_permanently_unranked_run_shows_only_why(client):
    (run,) = publish(client, pastes.diskinfo([50_000] * 3)).context["runs"]
    assert (run["label"], "No 4 KiB writes" in run["why_not"]) == ("Not ranked", True)


def test_the_token_is_shown_with_a_link_to_use_it(client):
    link = re.search(r'Use it on <a href="([^"]*)"', publish(client).text)[1]
    client.force_login(make_member())
    assert 'name="token"' in client.get(link).text
