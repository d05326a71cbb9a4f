import re

import pytest

from results.models import DeviceRanking, Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.ranking.medians import refresh_devices
from results.ranking.standing import main_rows
from results.submissions.edit import change_state
from results.submissions.published import _lead
from tests import pastes
from tests.factories import make_member, make_moderator, make_result, make_stated_product, rank_everything

pytestmark = pytest.mark.django_db


def make_cited_product(plp):
    """The product of pastes.FIRST_PASTE, with a source for its protection."""
    make_stated_product(plp, patterns=[r"^MARVELL SD88SA02"], device_class="sata_ssd")


def publish(client, text=pastes.FIRST_PASTE):
    return client.post("/submit/", {"text": text, "action": "publish"})


def test_the_claim_token_is_shown_once_and_not_stored(client, caplog):
    response = publish(client)
    token = response.context["page"].claim_token
    assert response.text.count(token) == 1
    assert "no-store" in response["Cache-Control"]
    assert token not in str(response.headers) + str(response.cookies) + caplog.text
    stored = Submission.objects.values().get()
    assert token not in str(stored)
    assert token not in client.get(response["Location"]).text
    again = publish(client)
    assert (again.status_code, again.context["page"].claim_token) == (200, "")
    assert "slogdb_claim_" not in again.text
    assert "Already submitted" in again.text


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_rank_of_the_device_is_shown_immediately(client):
    for latency_us in (5, 10, 200_000):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    lead = publish(client).context["page"].lead
    assert lead.place in {"3 of 4", "3–4 of 4"}
    assert (lead.subject.class_label, lead.class_url) == (
        "SATA SSD",
        "/leaderboard/?class=sata_ssd",
    )


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_count_of_slower_drives_is_of_all_classes(client):
    for latency_us in (5, 2000, 4000):
        make_result(latency_us)
    rank_everything()
    lead = publish(client).context["page"].lead
    assert lead.headline == "First SATA SSD ranked. Probably faster than 2 of the 3 other drives here"


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_second_result_is_not_compared_with_the_first_of_its_device(client):
    make_result(4000)
    publish(client)
    rank_everything()
    lead = publish(client, pastes.diskinfo(ident="ANOTHER")).context["page"].lead
    assert "1 of the 1 other drives" in lead.headline


def test_a_drive_is_not_among_its_own_rivals_after_a_result_by_another_method():
    for latency_us in (100, 4000):
        make_result(latency_us, device__device_class="nvme")
    first = make_result(17, device__device_class="optane")
    rank_everything()
    second = make_result(19, device=first.device, method="fio")
    refresh_devices([first.device.pk])  # no pass of the board yet
    lead = _lead(second, second.device)
    assert lead.place == "1 of 1"
    assert lead.headline.startswith("First Optane ranked.")
    assert "of the 2 other drives" in lead.headline
    of_fio = DeviceRanking.objects.get(device=first.device, board="sync_write", method="fio")
    assert main_rows().get(device=first.device).method == "diskinfo"
    assert lead.own == of_fio  # its interval stands beside the run


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_drive_is_not_behind_its_own_earlier_interval(client):
    publish(client)
    rank_everything()
    for number in range(3):
        lead = publish(client, pastes.diskinfo(ident=f"ANOTHER{number}")).context["page"].lead
        assert lead.place == "1 of 1"


def test_an_unknown_model_learns_what_it_would_be_and_what_it_needs(client):
    make_result(4000)
    rank_everything()
    response = publish(client)
    lead = response.context["page"].lead
    assert lead.headline == "Not ranked yet. Once it is: probably faster than 1 of the 1 other drives here"
    assert lead.next == ["One more owner who measures this model, and it gets a place."]
    assert (lead.place, bool(lead.chart)) == ("", True)
    assert "We don&#x27;t know this model yet" in response.text
    assert "<h1>Published, not ranked yet</h1>" in response.text


@pytest.mark.usefixtures("everyone_is_trusted")
@pytest.mark.parametrize(
    ("plp", "expected"),
    [("yes", "Once a moderator has checked one of its results, we can recommend it."), ("no", "")],
)
def test_what_is_missing_for_a_recommendation(client, plp, expected):
    make_cited_product(plp)
    said = " ".join(publish(client).context["page"].lead.next)
    assert (expected in said, "recommend" in said) == (True, bool(expected))


@pytest.mark.usefixtures("everyone_is_trusted")
def test_what_was_said_of_a_moderators_check_comes_true(client):
    make_cited_product("yes")
    publish(client)
    decide(Submission.objects.get(), Action.APPROVED, moderator=make_moderator(), reason="seen")
    lead = publish(client, pastes.diskinfo(ident="ANOTHER")).context["page"].lead
    assert lead.next[0] == "It has enough results for a recommendation."


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_curve_is_drawn_over_those_of_its_class(client):
    for latency_us in (5, 10, 200_000):
        make_result(latency_us, device__device_class="sata_ssd")
    make_result(20)
    rank_everything()
    lead = publish(client).context["page"].lead
    assert lead.chart["chart_svg"].count('class="others"') == 1
    assert lead.chart["chart_band"] == "Gray: 3 other drives of its class (SATA SSD)."


def test_a_run_of_one_block_size_is_a_dot_with_a_ring_among_all():
    run = make_result([None] * 3 + [20] + [None] * 11, device__slug="one")
    make_result(4000)
    rank_everything()
    lead = _lead(run, run.device)
    assert not lead.chart
    assert lead.strips_svg.count('class="ring"') == 1


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_text_for_a_forum_has_a_picture_of_the_curve(client):
    response = publish(client)
    picture = re.search(r"\[img\]http://[^/]+(/results/\w+/chart\.png)\[/img\]", response.text)[1]
    image = client.get(picture)
    assert (image.status_code, image["Content-Type"], image.content[:4]) == (200, "image/png", b"\x89PNG")
    assert not image.cookies


@pytest.mark.parametrize("text", [pastes.FIRST_PASTE, pastes.diskinfo(pastes.FIRST_CURVE[:3])])
def test_there_is_one_text_for_a_forum(client, text):
    response = publish(client, text)
    assert (
        f"[url=http://127.0.0.1:8000{response.context['page'].submission.get_absolute_url()}]"
        in response.context["page"].share
    )
    assert response.text.count("[/url]") == response.context["page"].share.count("[/url]")


def test_an_unranked_run_shows_why(client):
    response = publish(client, pastes.diskinfo(pastes.FIRST_CURVE[:3]))
    (run,) = response.context["page"].runs
    assert (response.context["page"].lead, run.label) == (None, "Not ranked")
    assert "No 4 KiB writes" in run.run.not_ranked_reason
    assert "Not ranked" in response.text


def test_every_run_of_a_paste_is_named(client):
    other = pastes.diskinfo(description="ATA OTHER", ident="ABCD1234", path="/dev/da25")
    page = publish(client, pastes.diskinfo() + other).context["page"]
    rows = [page.lead, *page.runs]
    assert [row.subject.name for row in rows] == ["MARVELL SD88SA02 24.6 GB", "OTHER 24.6 GB"]
    assert [row.run for row in rows] == list(Result.objects.order_by("position"))


def test_the_number_of_queries_does_not_grow_with_existing_results(client, django_assert_max_num_queries):
    for latency_us in range(10, 30):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    with django_assert_max_num_queries(60):
        publish(client)


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED])
def test_repeating_an_unpublished_text_links_to_no_missing_page(client, state):
    publish(client)
    change_state(Submission.objects.get(), state, reason="Made up.")
    again = publish(client)
    assert (len(again.context["page"].runs), again.context["page"].lead) == (1, None)
    assert "/devices/" not in again.text
    assert again["Location"].endswith(again.context["page"].submission.get_absolute_url())
    status = 200 if state == State.HELD else 410
    assert client.get(again.context["page"].submission.get_absolute_url()).status_code == status


def test_a_waiting_result_is_not_called_public(client, settings):
    settings.HOLD_FIRST_RESULTS = True
    response = publish(client)
    assert "Everyone can see it" not in response.text
    assert "<h1>Held</h1>" in response.text
    assert "First results wait for a moderator&#x27;s review." in response.text


def test_a_held_run_states_that_a_moderator_will_look_at_it(client):
    response = publish(client, pastes.diskinfo([5] * 15))
    lead = response.context["page"].lead
    assert (lead.place, lead.headline, lead.label) == ("", "", "Waiting for a moderator")
    assert lead.label in response.text
    assert "Ranks are final" not in response.text


def test_the_token_is_shown_with_a_link_to_use_it(client):
    link = re.search(r'Use it on <a href="([^"]*)"', publish(client).text)[1]
    client.force_login(make_member())
    assert 'name="token"' in client.get(link).text
