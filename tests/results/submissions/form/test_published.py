import pytest

from results.models import DeviceRanking, Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.ranking.medians import refresh_devices
from results.ranking.standing import main_rows
from results.submissions.edit import change_state
from results.submissions.form.published import find_lead
from tests import pastes
from tests.factories import make_moderator, make_result, make_stated_product, rank_everything
from tests.page import Page, claim_token_of, text_of
from tests.results.publishing import publish_by_form

pytestmark = pytest.mark.django_db


def make_cited_product(plp):
    """The product of pastes.FIRST_PASTE, with a source for its protection."""
    make_stated_product(plp, patterns=[r"^MARVELL SD88SA02"], device_class="sata_ssd")


def lead_of(response):
    """The part about the run that leads the page."""
    return Page(response).section("lead")


def test_the_claim_token_is_shown_once_and_not_stored(client, caplog):
    response = publish_by_form(client)
    token = claim_token_of(response)
    assert response.text.count(token) == 1
    assert "no-store" in response["Cache-Control"]
    assert token not in str(response.headers) + str(response.cookies) + caplog.text
    stored = Submission.objects.values().get()
    assert token not in str(stored)
    assert token not in client.get(response["Location"]).text
    again = publish_by_form(client)
    assert again.status_code == 200
    assert "slogdb_claim_" not in again.text
    assert "Already submitted" in again.text


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_rank_and_the_curve_among_those_of_the_class_are_shown_immediately(client):
    for latency_us in (5, 10, 200_000):
        make_result(latency_us, device__device_class="sata_ssd")
    make_result(20)
    rank_everything()
    lead = lead_of(publish_by_form(client))
    assert lead.facts["Rank"] in {"3 of 4 in the class SATA SSD", "3–4 of 4 in the class SATA SSD"}
    assert lead.links["SATA SSD"] == "/leaderboard/?class=sata_ssd"
    assert len(lead.root.xpath(".//*[@class='others']")) == 1
    assert "Gray: 3 other drives of its class (SATA SSD)." in lead.text


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_count_of_slower_drives_is_of_all_classes(client):
    for latency_us in (5, 2000, 4000):
        make_result(latency_us)
    rank_everything()
    headline = (
        "The only drive in the class SATA SSD so far. Probably faster than 2 of the 3 other drives here."
    )
    assert headline in lead_of(publish_by_form(client)).text


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_second_result_is_not_compared_with_the_first_of_its_device(client):
    make_result(4000)
    publish_by_form(client)
    rank_everything()
    lead = lead_of(publish_by_form(client, pastes.diskinfo(ident="ANOTHER")))
    assert "faster than the only other drive here" in lead.text


def test_a_drive_is_not_among_its_own_rivals_after_a_result_by_another_method():
    for latency_us in (100, 4000):
        make_result(latency_us, device__device_class="nvme")
    first = make_result(17, device__device_class="optane")
    rank_everything()
    second = make_result(19, device=first.device, method="fio")
    refresh_devices([first.device.pk])  # no pass of the board yet
    lead = find_lead(second, second.device)
    assert lead.place == "1 of 1"
    assert lead.headline.startswith("The only drive in the class Optane so far.")
    assert "of the 2 other drives" in lead.headline
    for_fio = DeviceRanking.objects.get(device=first.device, board="sync_write", method="fio")
    assert main_rows().get(device=first.device).method == "diskinfo"
    assert lead.own == for_fio  # its interval stands beside the run


@pytest.mark.usefixtures("everyone_is_trusted")
def test_a_drive_is_not_behind_its_own_earlier_interval(client):
    publish_by_form(client)
    rank_everything()
    for number in range(3):
        lead = lead_of(publish_by_form(client, pastes.diskinfo(ident=f"ANOTHER{number}")))
        assert lead.facts["Rank"] == "1 of 1 in the class SATA SSD"


def test_an_unknown_model_learns_what_it_would_be_and_what_it_needs(client):
    make_result(4000)
    rank_everything()
    response = publish_by_form(client)
    lead = lead_of(response)
    assert "Not ranked yet. Once it is: probably faster than the only other drive here." in lead.text
    assert lead.facts["One more owner"] == "One more owner who measures this model, and it gets a place."
    assert ("Rank" in lead.facts, len(lead.root.xpath(".//figure"))) == (False, 1)
    assert "We don&#x27;t know this model yet" in response.text
    assert "<h1>Published, not ranked yet</h1>" in response.text


@pytest.mark.usefixtures("everyone_is_trusted")
@pytest.mark.parametrize(
    ("plp", "expected"),
    [("yes", "Once a moderator has checked one of its results, we can recommend it."), ("no", "")],
)
def test_what_is_missing_for_a_recommendation(client, plp, expected):
    make_cited_product(plp)
    said = lead_of(publish_by_form(client)).facts.get("One more owner", "")
    assert (expected in said, "recommend" in said) == (True, bool(expected))


@pytest.mark.usefixtures("everyone_is_trusted")
def test_what_was_said_of_a_moderators_check_comes_true(client):
    make_cited_product("yes")
    publish_by_form(client)
    decide(Submission.objects.get(), Action.APPROVED, moderator=make_moderator(), reason="seen")
    lead = lead_of(publish_by_form(client, pastes.diskinfo(ident="ANOTHER")))
    assert lead.facts["One more owner"].startswith("It has enough results for a recommendation.")


def test_a_run_of_one_block_size_is_a_dot_with_a_ring_among_all():
    run = make_result([None] * 3 + [20] + [None] * 11, device__slug="one")
    make_result(4000)
    rank_everything()
    lead = find_lead(run, run.device)
    assert not lead.chart
    assert lead.strips_svg.count('class="ring"') == 1


@pytest.mark.parametrize("text", [pastes.FIRST_PASTE, pastes.diskinfo(pastes.FIRST_CURVE[:3])])
def test_there_is_one_text_for_a_forum(client, text):
    response = publish_by_form(client, text)
    (share,) = Page(response).root.xpath(".//pre[@aria-labelledby='share']")
    assert f"[url=http://127.0.0.1:8000{Submission.objects.get().get_absolute_url()}]" in text_of(share)
    assert response.text.count("[/url]") == text_of(share).count("[/url]")


def test_an_unranked_run_shows_why(client):
    response = publish_by_form(client, pastes.diskinfo(pastes.FIRST_CURVE[:3]))
    assert "published-lead" not in response.text
    assert "Not ranked No 4 KiB writes" in Page(response).text


def test_every_run_of_a_paste_is_named(client):
    other = pastes.diskinfo(description="ATA OTHER", ident="ABCD1234", path="/dev/da25")
    links = Page(publish_by_form(client, pastes.diskinfo() + other)).links
    names = ["MARVELL SD88SA02 24.6 GB", "OTHER 24.6 GB"]
    assert [links[name] for name in names] == [
        result.get_absolute_url() for result in Result.objects.order_by("position")
    ]


def test_the_number_of_queries_does_not_grow_with_existing_results(client, django_assert_max_num_queries):
    for latency_us in range(10, 30):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    with django_assert_max_num_queries(60):
        publish_by_form(client)


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED])
def test_repeating_an_unpublished_text_links_to_no_missing_page(client, state):
    publish_by_form(client)
    change_state(Submission.objects.get(), state, reason="Made up.")
    again = publish_by_form(client)
    assert (again.text.count('class="published-device"'), "published-lead" in again.text) == (1, False)
    assert "/devices/" not in again.text
    url = Submission.objects.get().get_absolute_url()
    assert again["Location"].endswith(url)
    assert client.get(url).status_code == (200 if state == State.HELD else 410)


def test_a_waiting_result_is_not_called_public(client, settings):
    settings.HOLD_FIRST_RESULTS = True
    response = publish_by_form(client)
    assert "Everyone can see it" not in response.text
    assert "<h1>Held</h1>" in response.text
    assert "First results wait for a moderator&#x27;s review." in response.text


def test_a_held_run_states_that_a_moderator_will_look_at_it(client):
    response = publish_by_form(client, pastes.diskinfo([5] * 15))
    lead = lead_of(response)
    assert ("Rank" in lead.facts, "published-headline" in response.text) == (False, False)
    assert "Waiting for a moderator" in lead.text
    assert "Ranks are final" not in response.text
