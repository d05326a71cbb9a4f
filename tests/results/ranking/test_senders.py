"""Senders and independent units: the SQL and the Python are held to one table of cases, and to each other."""

import random

import pytest
from django.db import connection

from results.models import ImportBatch, Result, Submission
from results.models.fields import LATENCY_4K
from results.ranking.senders import (
    CONFIRMED_SQL,
    NETWORK_SQL,
    SENDER_FIELDS,
    SENDER_SQL,
    VOUCHED_SQL,
    Measured,
    Sent,
    candidates_by_device,
    counted,
    independent_units,
    independent_units_sql,
    measured_sql,
    network_of,
    sender_of,
    unit_of,
)
from tests.factories import (
    make_device,
    make_known_member,
    make_member,
    make_moderator,
    make_result,
    make_submission,
)

pytestmark = pytest.mark.django_db

SOURCE = "https://forum.example/thread/9?page=2"
CASES = {  # the columns of a submission; its sender, whether it is vouched for, whether that is enough alone
    "a new member": ({"owner": "member"}, "account {member}", False, False),
    "a member with an approved submission": ({"owner": "known"}, "account {known}", True, False),
    "a member, and the network": ({"owner": "known", "sender_digest": "d1"}, "account {known}", True, False),
    "a moderator": ({"owner": "moderator"}, "account {moderator}", True, True),
    "raw output": (
        {"survey_id": "d1", "source_url": f"{SOURCE}#post-7", "quality": "a"},
        f"source {SOURCE}",
        True,
        True,
    ),
    "a published table": (
        {"survey_id": "d2", "source_url": SOURCE, "quality": "b"},
        f"source {SOURCE}",
        True,
        True,
    ),
    "a published sentence": (
        {"survey_id": "d3", "source_url": "https://käse.example/", "quality": "c"},
        "source https://käse.example/",
        True,
        False,
    ),
    "an imported post": ({"batch": True, "sender_digest": "d1"}, "author d1", True, False),
    "an imported post without an author": ({"batch": True}, "unknown", True, False),
    "a network": ({"sender_digest": "d1"}, "network d1", False, False),
    "a network with an address of its own": (
        {"sender_digest": "d1", "source_url": SOURCE},
        "network d1",
        False,
        False,
    ),
    "an older submission": ({}, "unknown", False, False),
    "approved": ({"sender_digest": "d1", "is_approved": True}, "network d1", True, True),
}


@pytest.mark.parametrize(("columns", "sender", "is_vouched", "is_confirmed"), CASES.values(), ids=CASES)
def test_senders_and_vouching_by_kind_of_submission(columns, sender, is_vouched, is_confirmed):
    people = {"member": make_member(), "known": make_known_member(), "moderator": make_moderator()}
    values = {"sender_digest": "", **columns}
    if "owner" in values:
        values["owner"] = people[values["owner"]]
    if values.pop("batch", False):
        values["batch"] = ImportBatch.objects.create(title="A thread")
    submission = make_submission(**values)
    make_result(20, submission=submission)
    expected = sender.format(**{name: person.pk for name, person in people.items()})
    assert sender_of(submission) == expected
    assert sender_of(Sent(*Result.objects.values_list(*SENDER_FIELDS).get())) == expected
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {SENDER_SQL}, {NETWORK_SQL}, {VOUCHED_SQL}, {CONFIRMED_SQL} "  # noqa: S608 - our own expressions
            "FROM results_submission AS submission WHERE id = %s",
            [submission.pk],
        )
        assert cursor.fetchall() == [(expected, network_of(submission), is_vouched, is_confirmed)]
    assert Submission.objects.accountable().filter(pk=submission.pk).exists() is is_vouched


def test_two_posts_of_one_page_are_of_one_source():
    posts = [Sent(None, f"d{number}", f"{SOURCE}#post-{number}", None, "") for number in (1, 2)]
    assert {sender_of(post) for post in posts} == {f"source {SOURCE}"}


def test_a_unit_belongs_to_the_sender_who_has_the_fewest(subtests):
    for results, expected in [
        ([], []),
        ([("u1", "a")], [["u1 a"]]),
        ([("u1", "a"), ("u2", "a"), ("u3", "a")], [["u1 a", "u2 a", "u3 a"]]),  # known from one sender only
        ([("u1", "a"), ("u2", "b")], [["u1 a"], ["u2 b"]]),
        ([("u1", "a"), ("u1", "b")], [["u1 a", "u1 b"]]),  # one unit, however many measured it
        # u1 is also known from b, who has no other: it counts alone
        ([("u1", "a"), ("u2", "a"), ("u3", "a"), ("u1", "b")], [["u2 a", "u3 a"], ["u1 a", "u1 b"]]),
        # both have as many: the lower name
        ([("u1", "a"), ("u2", "a"), ("u1", "b"), ("u2", "b")], [["u1 a", "u1 b", "u2 a", "u2 b"]]),
        ([("", "a"), ("", "a"), ("", "b")], [["a a", "a a"], ["b b"]]),  # no serial number: the sender's unit
    ]:
        with subtests.test(results=results):
            measured = [Measured(unit_of(unit, sender), sender, sender, 0) for unit, sender in results]
            named = [result._replace(value=f"{result.unit} {result.sender}") for result in measured]
            assert [sorted(values) for values in independent_units(named)] == expected


def by_statement(device):
    """The latencies of the device's results by independent unit, as the statements of the ranking group them."""
    grouped = f"""
        WITH measured AS ({measured_sql("AND device_id = %s")}), counted AS (
            SELECT * FROM measured WHERE is_vouched OR NOT EXISTS (SELECT FROM measured WHERE is_vouched)
        ), {independent_units_sql("units", "counted")}
        SELECT array_agg(latency_us[4] ORDER BY latency_us[4])
        FROM units GROUP BY independent_unit ORDER BY independent_unit
    """  # noqa: S608 - our own expressions
    with connection.cursor() as cursor:
        cursor.execute(grouped, [device.pk])
        return [values for (values,) in cursor.fetchall()]


@pytest.mark.parametrize("seed", range(4))
def test_sql_and_python_find_the_same_units(seed):
    draw = random.Random(seed)  # noqa: S311 - any numbers do
    device = make_device()
    senders = [
        *({"owner": make_member(), "sender_digest": ""} for _ in range(2)),
        *({"owner": make_known_member(), "sender_digest": f"net {number}"} for number in range(3)),
        {"owner": make_member(), "sender_digest": "net 3"},
        *({"sender_digest": f"net {number}"} for number in range(4)),
        {"sender_digest": ""},
        {"survey_id": True, "source_url": "https://a.example/#1", "sender_digest": ""},
    ]
    for number in range(40):
        values = dict(draw.choice(senders))
        if values.get("survey_id"):
            values["survey_id"] = f"d{number}"
        unit = draw.choice(["", *(f"unit {digit}" for digit in range(12))])
        make_result(10 + number, device=device, unit=unit, submission=make_submission(**values))
    assert units_in_python(device) == by_statement(device)


def units_in_python(device):
    """The latencies of the device's results that count, by independent unit."""
    ranked = Result.objects.filter(device=device, is_ranked=True)
    found = counted(candidates_by_device(ranked, LATENCY_4K)[device.pk])
    return [sorted(values) for values in independent_units(candidate.measured for candidate in found)]


def test_an_account_and_its_network_are_one_person():
    device, member = make_device(), make_member()
    make_result(20, device=device, submission__owner=member, submission__sender_digest="home")
    make_result(21, device=device, submission__sender_digest="home")
    make_result(22, device=device, submission__owner=make_member(), submission__sender_digest="home")
    make_result(23, device=device, submission__owner=member, submission__sender_digest="work")
    make_result(24, device=device, submission__sender_digest="elsewhere")
    assert units_in_python(device) == by_statement(device) == [[20, 21, 22, 23], [24]]


@pytest.mark.parametrize(("latency_us", "is_counted"), [(9.9, False), (10, True), (40, True), (40.1, False)])
def test_a_members_result_within_a_factor_of_two_of_an_accountable_one_is_vouched_for(latency_us, is_counted):
    device = make_device()
    for owner, at_4k, elsewhere in ((make_known_member(), 20, 900), (make_member(), latency_us, 20)):
        curve = [elsewhere] * 3 + [at_4k] + [elsewhere] * 11
        make_result(curve, device=device, submission__owner=owner)
    found = by_statement(device)
    assert units_in_python(device) == found
    assert ([latency_us] in found, [20] in found) == (is_counted, True)
