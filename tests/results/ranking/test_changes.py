"""The state of a device's results, another with every change of what is shown and only then, and their number."""

import pytest
from django.db import connection, transaction
from django.db.models import Count, Sum
from django.db.models.expressions import RawSQL

from results.catalogue.merge import merge_devices
from results.ingest.receive import Sender, receive_submission
from results.ingest.reread import reread_submission
from results.ingest.states import change_state, erase_submission
from results.ingest.waiting import Text, read_waiting, store_texts
from results.made_up.draw import draw_runs
from results.made_up.store import store_made_up
from results.models import Device, DeviceChange, Firmware, ImportBatch, Result, Submission
from results.models.choices import State
from results.ranking.changes import (
    IS_SHOWN,
    LISTED,
    MOST_MARKS,
    STATE_OF_RESULTS,
    combine_marks,
    count_published,
)
from results.tasks import combine_changes
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_device, make_result, make_submission

pytestmark = pytest.mark.django_db
PASTE = pastes.FIRST_PASTE


@pytest.fixture
def devices():
    """Two with a result each, by model name, and a third whose state no test may change."""
    found = [make_device(model_name=name) for name in ("one", "other", "stranger")]
    for device in found:
        make_result(20, device=device, firmware__version="1.0")
    return {device.model_name: device for device in found}


def state_of_results(device_id):
    state = RawSQL(STATE_OF_RESULTS, ())  # noqa: S611 - our own
    return Device.objects.annotate(state=state).values_list("state", flat=True).get(pk=device_id)


def states():
    return {device.model_name: state_of_results(device.pk) for device in Device.objects.all()}


def counted():
    """How many results of each device are published, as the notes have it."""
    notes = DeviceChange.objects.values_list("device__model_name").annotate(Sum("published_count"))
    return {name: count for name, count in notes if count}


def published():
    """The same, as the results have it."""
    results = Result.objects.published().values_list("device__model_name")
    return dict(results.annotate(Count("pk")))


def changed_by(work):
    """The names of the devices that have another state afterwards; what is published is counted right."""
    before = states()
    work()
    after = states()
    assert counted() == published()
    return {name for name, state in after.items() if before.get(name) != state}


def of(device):
    return Result.objects.filter(device=device)


def submission_of(device):
    return Submission.objects.filter(results__device=device)


@pytest.mark.parametrize(
    ("what", "names"),
    [
        (lambda one, _: make_result(30, device=one), {"one"}),
        (lambda one, _: of(one).update(platform="FreeBSD 14.2"), {"one"}),
        (lambda one, _: of(one).delete(), {"one"}),
        (lambda one, other: of(one).update(device=other), {"one", "other"}),
        (
            lambda one, other: Result.objects.filter(device__in=[one, other]).update(notes="x"),
            {"one", "other"},
        ),
        (lambda one, _: submission_of(one).update(state=State.HELD), {"one"}),
        (lambda one, _: submission_of(one).update(text="now there is one"), {"one"}),
        (lambda one, _: submission_of(one).update(needs_review=True), set()),
        (lambda one, _: submission_of(one).delete(), {"one"}),
        (lambda one, _: Firmware.objects.filter(device=one).update(version="1.1"), {"one"}),
        (lambda one, _: Firmware.objects.filter(device=one).update(version="1.0"), set()),
        (lambda one, other: merge_devices(one, other, reason="the same"), {"other"}),
        (lambda *_: make_submission(text="of nobody's results", state=State.HELD), set()),
    ],
)
def test_every_way_of_writing_changes_the_state_of_whom_it_concerns(devices, what, names):
    assert changed_by(lambda: what(devices["one"], devices["other"])) == names


def test_devices_and_results_are_counted_without_looking_at_them(devices, django_assert_num_queries):
    make_result(30, device=devices["one"], submission__state=State.HELD)
    submission_of(devices["other"]).update(state=State.WITHDRAWN)
    make_device(model_name="bare")
    with django_assert_num_queries(1) as asked:
        assert count_published() == {"devices": 2, "results": 2}
    assert "results_result " not in asked[0]["sql"]
    assert set(Device.objects.filter(LISTED).values_list("model_name", flat=True)) == {"one", "stranger"}


def test_nothing_is_counted_where_there_is_nothing():
    assert count_published() == {"devices": 0, "results": 0}


@pytest.mark.parametrize("is_backwards", [False, True])
def test_results_are_counted_off_before_their_submission_goes_and_after_it(devices, is_backwards):
    gone = list(submission_of(devices["one"]).values_list("pk", flat=True))
    statements = [
        "DELETE FROM results_result WHERE submission_id = ANY(%s)",
        "DELETE FROM results_submission WHERE id = ANY(%s)",
    ]

    def delete():
        with connection.cursor() as cursor:
            for statement in reversed(statements) if is_backwards else statements:
                cursor.execute(statement, [gone])

    assert changed_by(delete) == {"one"}
    assert "one" not in counted()


def test_what_is_sent_alone_or_in_bulk_changes_its_device(devices):
    (sent,) = changed_by(lambda: receive_submission(PASTE, Sender()))
    other = PASTE.replace("138.4", "139.4")
    store_texts([Text(text=other)], ImportBatch.objects.create(title="a thread"))
    assert changed_by(read_waiting) == {sent}
    assert sent not in devices


def test_made_up_results_change_their_devices_and_leave_few_marks(devices):
    changed = changed_by(lambda: list(store_made_up(draw_runs(50, seed=3))))
    assert changed == set(states()) - set(devices)
    assert DeviceChange.objects.count() <= MOST_MARKS * Device.objects.count()


@pytest.mark.parametrize(
    "what",
    [
        lambda sent: change_state(sent, State.HELD, reason="looked at"),
        lambda sent: change_state(sent, State.WITHDRAWN, reason="mine"),
        lambda sent: change_state(sent, State.PUBLISHED, reason="", is_approved=True),
        lambda sent: erase_submission(sent, reason="mine"),
        reread_submission,
    ],
    ids=["held", "withdrawn", "published", "erased", "reread"],
)
def test_what_becomes_of_a_submission_changes_its_device_alone(devices, what):
    sent = receive_submission(PASTE, Sender()).submission
    device = sent.results.get().device
    make_result(device=device)  # so it stays when the other one is erased
    assert changed_by(lambda: what(sent)) == {device.model_name}


def test_no_state_comes_back(devices):
    one = devices["one"]
    seen = set()
    for state in [State.HELD, State.PUBLISHED] * 3:
        submission_of(one).update(state=state)
        seen.add(state_of_results(one.pk))
    assert len(seen) == 6


def test_a_device_without_results_has_a_state_too():
    device = make_device()
    before = state_of_results(device.pk)
    make_result(20, device=device)
    assert state_of_results(device.pk) != before


def test_a_device_that_goes_takes_its_marks_along(devices):
    merge_devices(devices["one"], devices["other"], reason="the same")
    assert set(DeviceChange.objects.values_list("device__model_name", flat=True)) == {"other", "stranger"}


def test_many_marks_become_one_and_the_states_stay(devices):
    for number in range(MOST_MARKS):
        of(devices["one"]).update(notes=str(number))
    make_result(30, device=devices["one"])
    assert changed_by(combine_marks) == set()
    assert DeviceChange.objects.filter(device=devices["one"]).count() == 1
    assert counted()["one"] == 2
    assert combine_marks() == 0


def test_few_marks_are_left_alone(devices):
    before = set(DeviceChange.objects.values_list("device_id", "mark"))
    assert combine_marks() == 0
    assert set(DeviceChange.objects.values_list("device_id", "mark")) == before


def change_often(device):
    for number in range(MOST_MARKS + 1):
        of(device).update(notes=str(number))


@pytest.mark.django_db(transaction=True)
def test_what_is_written_while_marks_are_combined_is_not_lost(devices):
    one = devices["one"]
    change_often(one)
    before = state_of_results(one.pk)
    with threads() as start:
        with transaction.atomic():
            of(one).update(notes="being written")
            assert start(combine_marks).result(timeout=20) == 1
            assert start(state_of_results, one.pk).result(timeout=20) == before
            own = state_of_results(one.pk)
        assert state_of_results(one.pk) == own != before
    assert DeviceChange.objects.filter(device=one).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_who_combine_do_not_wait_for_each_other_and_nothing_is_combined_twice(devices):
    one = devices["one"]
    change_often(one)
    before = state_of_results(one.pk)
    with threads() as start:
        with transaction.atomic():
            assert combine_marks() == 1
            assert start(combine_marks).result(timeout=20) == 0
        assert state_of_results(one.pk) == before
    assert DeviceChange.objects.filter(device=one).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_writer_waits_for_nobody(devices):
    one = devices["one"]
    change_often(one)
    with threads() as start, transaction.atomic():
        of(one).update(notes="being written")
        combine_marks()
        start(lambda: make_result(30, device=one)).result(timeout=20)
    assert of(one).count() == 2


def reads_whole():
    """How often the table of results was read from end to end in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'results_result'")
        return cursor.fetchone()[0]


def test_a_session_that_began_with_an_empty_site_looks_results_up_by_index():
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE results_submission CASCADE")
        cursor.execute("ANALYZE results_submission, results_result")
    hidden = [make_submission(state=State.WAITING)]
    Submission.objects.update(state=State.HELD)  # planned now, and not again as nothing is analysed
    hidden += [make_result(submission__state=State.HELD).submission for _ in range(20)]
    before = reads_whole()
    Submission.objects.filter(pk__in=[one.pk for one in hidden]).update(state=State.PUBLISHED)
    assert reads_whole() == before
    assert count_published()["results"] == 20


def test_the_worker_combines_them(devices):
    change_often(devices["one"])
    combine_changes()
    assert DeviceChange.objects.filter(device=devices["one"]).count() == 1


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED, State.WITHDRAWN])
def test_a_device_is_shown_while_a_result_of_it_is_published(devices, state):
    submission_of(devices["one"]).update(state=state)
    shown = Device.objects.filter(IS_SHOWN).values_list("model_name", flat=True)
    assert set(shown) == {"other", "stranger"}
    submission_of(devices["one"]).update(state=State.PUBLISHED)
    assert "one" in set(shown.all())


@pytest.mark.parametrize("condition", [IS_SHOWN, LISTED])
def test_a_device_without_a_result_is_not_shown(devices, condition):
    bare = make_device(model_name="bare")
    make_result(20, device=make_device(model_name="held"), submission__state=State.HELD)
    assert not DeviceChange.objects.filter(device=bare).exists()
    shown = Device.objects.filter(condition).values_list("model_name", flat=True)
    assert set(shown) == set(devices)
