"""Attacks on ranking and recommendations, submitted the way every paste is."""

import random
from datetime import UTC, datetime, timedelta
from itertools import cycle, product

import pytest
from django.utils import timezone

from results.core.security.digests import digest_sender
from results.models import Device, ImportBatch, Member, Result, Submission
from results.models.choices import Action, Board, Plp
from results.moderation.decide import decide
from results.ranking.leaders import best_by_class
from results.ranking.medians import refresh_all, refresh_devices
from results.ranking.recommend import IS_RECOMMENDED, best_of_each_class, recommended
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import (
    curve_metrics,
    make_device,
    make_known_member,
    make_member,
    make_moderator,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page

pytestmark = pytest.mark.django_db

TARGET, COMPETITOR = "ALDERA S1-480", "ALDERA S2-480"
LEADERBOARD = {
    "place",
    "device__result_count",
}  # of competitors whom nobody vouches for, and of what is published
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
        [
            (ranking.device.model_name, ranking.device_class, ranking.recommended_high)
            for ranking in recommended()
        ],
        best_of_each_class(2),
        [{name: value for name, value in row.items() if name not in LEADERBOARD} for row in best_by_class()],
    )


def by_two_members():
    for number in range(2):
        send(200, Sender(owner=make_known_member()), ident=f"HONEST{number}")


def by_a_published_source():
    submission = send(200, Sender(sender_digest="read from an article"), ident="HONEST")
    Submission.objects.filter(pk=submission.pk).update(
        survey_id="d900", quality="a", source_url="https://article.example/", sender_digest=""
    )
    refresh_devices([Device.objects.get(model_name__contains=TARGET).pk])


def by_a_moderator():
    send(200, Sender(owner=make_moderator()), ident="HONEST")


def by_two_posts_of_a_thread():
    batch = ImportBatch.objects.create(title="A thread")
    for number in range(2):
        submission = send(200, Sender(sender_digest=f"author {number}"), ident=f"HONEST{number}")
        Submission.objects.filter(pk=submission.pk).update(batch=batch)
    refresh_devices([Device.objects.get(model_name__contains=TARGET).pk])


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
        send(260, Sender(owner=make_known_member()), model=COMPETITOR, ident=f"RIVAL{number}")
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
    is_vouched = measure is not by_nobody or model == COMPETITOR
    assert (units_of(model) < 10) is is_vouched  # they rank only where nobody vouches for anything


def row_of(model=TARGET):
    """What a leaderboard and a recommendation show of the device."""
    row = main_rows().get(device__model_name__contains=model)
    return row.method, row.unit_count, row.score, row.recommended_high


HOME, AWAY = "home", "away"  # digests of two networks


def in_one_network():
    """Three accounts in one network, and somebody there without an account."""
    senders = [Sender(owner=make_member(), sender_digest=HOME) for _ in range(3)]
    return [*senders, Sender(sender_digest=HOME)]


def in_two_networks():
    """One account in two networks, signed in and signed out."""
    member = make_member()
    networks = [HOME, AWAY]
    return [Sender(owner=member, sender_digest=network) for network in networks] + [
        Sender(sender_digest=network) for network in networks
    ]


@pytest.mark.parametrize("senders", [in_one_network, in_two_networks])
def test_one_person_is_one_unit_and_recommends_nothing(senders):
    for number, sender in enumerate(senders()):
        send(90, sender, ident=f"FORGED{number}")
    assert units_of() == 1
    assert seen_now()[0] == []


def test_two_strangers_who_agree_only_with_each_other_recommend_nothing():
    for number, network in enumerate((HOME, AWAY)):
        send(90, Sender(owner=make_member(), sender_digest=network), ident=f"FORGED{number}")
    assert units_of() == 2
    assert seen_now()[0] == []


@pytest.mark.parametrize("measure", [by_two_members, by_a_published_source, by_a_moderator])
@pytest.mark.parametrize("factor", [0.01, 0.3, 3, 100])
@pytest.mark.parametrize("kind", ["account", "network"])
def test_nobody_whom_we_do_not_know_changes_a_row(measure, factor, kind):
    """By one account or one network, with as many made-up serial numbers as they like."""
    measure()
    before, seen = row_of(), seen_now()
    owner = make_member() if kind == "account" else None
    for number in range(3):
        send(200 * factor, Sender(owner=owner, sender_digest=HOME), ident=f"FORGED{number}")
    assert (row_of(), seen_now()) == (before, seen)


@pytest.mark.parametrize("factor", [1 / 11, 11])
def test_a_run_far_from_what_is_known_waits_for_a_moderator(factor):
    """By any method, with one vouched unit as with many."""
    by_a_published_source()
    Result.objects.update(method="fio")
    refresh_devices([Device.objects.get().pk])
    forged = send(200 * factor, Sender(owner=make_member(), sender_digest=HOME), ident="FORGED")
    (result,) = forged.results.all()
    assert {flag["code"]: flag["effect"] for flag in result.flags}["far_from_vouched"] == "waits"
    assert (result.is_ranked, forged.needs_review) == (False, True)
    decide(forged, Action.APPROVED, moderator=make_moderator(), reason="seen")
    assert Result.objects.get(pk=result.pk).is_ranked


def test_a_copied_run_with_one_digit_changed_counts_no_second_time():
    text = paste(200, ident="HONEST0")
    receive_submission(text, Sender(owner=make_known_member()))
    before = row_of()
    line = next(other for other in text.splitlines() if "4 kbytes" in other)
    forged = text.replace(line, line.replace("usec/IO", "usec/IO").replace("1", "7", 1)).replace(
        "HONEST0", "FORGED0"
    )
    receive_submission(forged, Sender(owner=make_member(), sender_digest=HOME))
    assert row_of()[3] == before[3]


CLASSES = 1_000


def test_no_account_or_network_changes_the_recommendation_of_any_class():
    """Of 1,000 made-up classes of three devices, each attacked by one account or one network."""
    draw = random.Random(63)  # noqa: S311
    template = make_result(100, device=make_device(product=make_protected_product()))
    product = template.device.product
    devices = Device.objects.bulk_create(
        Device(
            slug=f"d{number}",
            model_name=f"D{number}",
            capacity_bytes=CAPACITY,
            read_class="nvme",
            product=product,
        )
        for number in range(3 * CLASSES)
    )
    sources, attackers, results = [], [], []

    def add(submissions, device, latency_us, **values):
        number = len(sources) + len(attackers)
        submission = Submission(public_id=f"s{number}", text_digest=f"s{number}", **values)
        submissions.append(submission)
        curve = [latency_us] * 15
        results.append(
            Result(
                device=device, submission=submission, public_id=submission.public_id, position=1, method="diskinfo",
                ranking_unit=f"unit {number}", has_unit=True, is_complete=True, is_ranked=True, latency_us=curve,
                metrics=curve_metrics(curve),
            )
        )  # fmt: skip

    for device in devices:
        known = draw.choice([0, 1, 1, 2])
        for number in range(known):
            source = {
                "survey_id": f"{device.slug}-{number}",
                "source_url": f"https://{device.slug}.example/{number}",
            }
            add(sources, device, draw.uniform(20, 400), quality=draw.choice("abc"), **source)
    store(sources, results)
    before = recommended_now()
    results.clear()
    for first in range(0, len(devices), 3):
        owner = make_bare_member(first) if draw.random() < 0.5 else None
        for _ in range(5):
            latency_us = 10 ** draw.uniform(0, 4)
            add(
                attackers,
                draw.choice(devices[first : first + 3]),
                latency_us,
                owner=owner,
                sender_digest=f"n{first}",
            )
    store(attackers, results)
    assert recommended_now() == before
    assert len(before) > CLASSES


def make_bare_member(number):
    return Member.objects.create(email=f"forger{number}@example.org", display_name=f"Forger {number}")


def store(submissions, results):
    Submission.objects.bulk_create(submissions)
    Result.objects.bulk_create(results)


def recommended_now():
    """Each device that is recommended, with the figure that decides its place among the others."""
    for _ in refresh_all():
        pass
    rows = main_rows().filter(IS_RECOMMENDED)
    return dict(rows.values_list("device__slug", "recommended_high"))


def test_fifty_forged_pastes_do_not_change_the_recommendations_on_pages(client, clock):
    by_two_members()
    rank_everything()

    def named():
        home = Page(Page(client.get("/")).root.find_class("answers")[0]).links
        board, *_ = Page(client.get("/leaderboard/?class=nvme")).section("choice").links
        survey = Page(client.get("/survey/")).section("choices").links
        classes = client.get("/api/v1/classes/").json()["results"]
        return home, board, survey, [device_class["recommended_device"] for device_class in classes]

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
    headings = Page(client.get(competitor.get_absolute_url())).headings
    assert "Protected, but too few results to judge speed" in headings
