"""Attacks on ranking and recommendations, submitted the way every paste is."""

import random
from datetime import UTC, datetime, timedelta
from itertools import cycle, product

import pytest
from django.utils import timezone

from results.core.security.digests import digest_sender
from results.models import Device, ImportBatch, Submission
from results.models.choices import Board, Plp
from results.ranking.leaders import best_by_class
from results.ranking.recommend import best_of_each_class, recommended
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member, make_moderator, make_protected_product, rank_everything

pytestmark = pytest.mark.django_db

TARGET, COMPETITOR = "ALDERA S1-480", "ALDERA S2-480"
LEADERBOARD = {"place", "last_measured_on", "device__result_count"}  # anonymous results do count there
CAPACITY = 480_103_981_056


@pytest.fixture
def clock(monkeypatch):
    """A day that a test moves; keys of networks follow it."""

    class Clock:
        today = datetime(2026, 3, 1, 12, tzinfo=UTC)

        def next_day(self):
            self.today += timedelta(days=1)

    moving = Clock()
    monkeypatch.setattr(timezone, "now", lambda: moving.today)
    return moving


@pytest.fixture(autouse=True)
def _products():
    for number in (1, 2):
        make_protected_product(
            name=f"S{number}", slug=f"s{number}", patterns=[rf"^ALDERA S{number}-"], device_class="nvme"
        )


def paste(latency_us, *, model=TARGET, ident, draw=None):
    """A run of diskinfo with figures that look measured."""
    draw = draw or random.Random(ident)  # noqa: S311 - figures, not secrets
    curve = [
        latency_us * draw.uniform(0.97, 1.03) * max(1, size / 131072)
        for size in (512 << slot for slot in range(15))
    ]
    return pastes.diskinfo(curve, description=model, ident=ident, media_size=CAPACITY, path="/dev/nvd0")


def forge(latency_us, *, address, draw, **values):
    """An anonymous paste from a network, as the site's form takes it."""
    sender = Sender(sender_digest=digest_sender(address))
    return receive_submission(paste(latency_us, draw=draw, **values), sender).submission


def send(latency_us, sender, **values):
    """An honest run."""
    return receive_submission(paste(latency_us, **values), sender).submission


def units_of(model=TARGET):
    """The device's independent units, on both boards."""
    rows = [main_rows(board).get(device__model_name__contains=model) for board in Board]
    (count,) = {row.unit_count for row in rows}
    return count


@pytest.mark.parametrize("serials", [1, 20])
@pytest.mark.parametrize("is_reposting", [False, True], ids=["new serial numbers", "the same ones each day"])
def test_one_attacker_adds_at_most_one_independent_unit_a_day(clock, serials, is_reposting):
    draw = random.Random(serials)  # noqa: S311
    for number in range(2):
        send(200, Sender(owner=make_member()), ident=f"HONEST{number}")
    assert units_of() == 2
    for day in range(1, 4):
        for number in range(serials):
            ident = f"FORGED{number:04}" if is_reposting else f"FORGED{day}X{number:04}"
            forge(100, address=f"192.0.2.{draw.randrange(1, 250)}", draw=draw, ident=ident)
        assert units_of() <= 2 + day
        if day == 1:
            assert units_of() == 3
        clock.next_day()
    assert main_rows().get().result_count == 2 + 3 * serials  # all of them are published and ranked


@pytest.mark.parametrize("serials", [1, 20])
def test_missing_serial_numbers_add_no_weight(clock, serials):
    draw = random.Random(serials)  # noqa: S311
    send(200, Sender(owner=make_member()), ident="HONEST0")
    for _ in range(serials):
        forge(100, address="192.0.2.7", draw=draw, ident="")
    assert units_of() == 2


def seen_now():
    """Every recommendation of every class: which devices, in which order, with which figure."""
    rank_everything()
    return (
        [(one.device.model_name, one.device_class, one.recommended_high) for one in recommended()],
        best_of_each_class(2),
        [{name: value for name, value in row.items() if name not in LEADERBOARD} for row in best_by_class()],
    )


def by_two_members():
    for number in range(2):
        send(200, Sender(owner=make_member()), ident=f"HONEST{number}")


def by_a_published_source():
    submission = send(200, Sender(sender_digest="read from an article"), ident="HONEST")
    Submission.objects.filter(pk=submission.pk).update(
        survey_id="d900", quality="a", source_url="https://article.example/", sender_digest=""
    )


def by_a_moderator():
    send(200, Sender(owner=make_moderator()), ident="HONEST")


def by_two_posts_of_a_thread():
    batch = ImportBatch.objects.create(title="A thread")
    for number in range(2):
        send(200, Sender(batch=batch, sender_digest=f"author {number}"), ident=f"HONEST{number}")


def by_nobody():
    """Never measured."""


MEASURED = [by_nobody, by_two_members, by_a_published_source, by_a_moderator, by_two_posts_of_a_thread]
FACTORS = {"faster": 0.6, "alike": 1.0, "slower": 2.5}
# Each way to be measured with each factor, on the recommended device and on its competitor in turns.
ATTACKS = [
    pytest.param(measure, FACTORS[name], model, id=f"{model}-{name}-{measure.__name__}")
    for (measure, name), model in zip(product(MEASURED, FACTORS), cycle([TARGET, COMPETITOR]))
]


@pytest.mark.parametrize(("measure", "factor", "model"), ATTACKS)
def test_ten_forged_pastes_change_no_recommendation(clock, measure, factor, model):
    """From ten networks on five days: of the device that is recommended, and of its competitor."""
    measure()
    for number in range(2):  # the competitor is a little slower
        send(260, Sender(owner=make_member()), model=COMPETITOR, ident=f"RIVAL{number}")
    before = seen_now()
    names = [name for name, *_ in before[0]]
    assert len(names) == (1 if measure is by_nobody else 2)
    draw = random.Random(50)  # noqa: S311
    for day in range(5):
        for number in range(2):
            address = f"{10 + day}.{number}.0.1"
            forge(200 * factor, model=model, address=address, draw=draw, ident=f"FORGED{day}{number}")
        clock.next_day()
    assert seen_now() == before
    ranked = main_rows().get(device__model_name__contains=model)
    assert ranked.unit_count >= 10  # they rank
    assert units_of(model) == ranked.unit_count


def test_ten_forged_pastes_achieve_no_more_than_one(clock):
    """One member's result and one anonymous result pass the bar, by the member's figure alone."""
    send(200, Sender(owner=make_member()), ident="HONEST")
    assert seen_now()[0] == []
    draw = random.Random(1)  # noqa: S311
    forge(90, address="192.0.2.1", draw=draw, ident="SECOND")
    ((name, _, high_us),) = seen_now()[0]
    assert name == Device.objects.get().model_name
    assert (
        200 < high_us < 200 * 1.1 * 1.8
    )  # the interval of one unit around the member's figure, not around 90
    (row,) = best_by_class()
    assert row["metrics"]["zil_latency_us"] == pytest.approx(200, rel=0.04)  # the figure that pages show
    before = seen_now()
    for number in range(10):
        if number % 5 == 0:
            clock.next_day()
        forge(90, address=f"10.0.{number}.1", draw=draw, ident=f"FORGED{number}")
    assert seen_now() == before


def test_fifty_forged_pastes_do_not_change_the_recommendations_on_pages(client, clock):
    by_two_members()
    rank_everything()

    def named():
        home = client.get("/").context["answers"]
        best = {one["title"]: one["drive"] and one["drive"]["name"] for one in home}
        board = client.get("/leaderboard/?class=nvme").context["best_choice"]["best"]["name"]
        survey = [
            one["best"] and one["best"]["model_name"] for one in client.get("/survey/").context["choices"]
        ]
        classes = client.get("/api/v1/classes/").json()["results"]
        return best, board, survey, [one["recommended_device"] for one in classes]

    before = named()
    assert before[1] == "Aldera S1 480 GB"
    draw = random.Random(2)  # noqa: S311
    for number in range(50):
        if number % 5 == 0:
            clock.next_day()
        forge(60, model=COMPETITOR, address=f"10.0.{number}.1", draw=draw, ident=f"FORGED{number}")
    rank_everything()
    assert named() == before
    competitor = Device.objects.get(model_name__contains=COMPETITOR)
    assert competitor.product.plp == Plp.YES
    assert client.get(competitor.get_absolute_url()).context["verdict"]["headline"] == (
        "Protected, but too few results to judge speed"
    )
