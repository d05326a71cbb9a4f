"""Each device's count of published results is a plain count of them, whatever becomes of a submission."""

import pytest
from django.db.models import Count, Q

from results.catalogue.matching.merge import merge_devices
from results.demo.draw import draw_runs
from results.demo.store import store_runs
from results.imports.bulk import Text, import_texts
from results.leaderboard.query import count_published
from results.models import Device, ImportBatch, Submission
from results.models.choices import State
from results.submissions.edit import change_state, erase_submission
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import reread_submission
from results.submissions.intake.shipped import load_survey
from tests import pastes
from tests.factories import make_device, make_result, make_submission
from tests.results.submissions.intake.test_shipped import published

pytestmark = pytest.mark.django_db
PASTE = pastes.FIRST_PASTE


def stored():
    return dict(Device.objects.values_list("model_name", "result_count"))


def elsewhere():
    return dict(Device.objects.values_list("model_name", "elsewhere_count"))


def counted():
    published = Count("results", filter=Q(results__submission__state=State.PUBLISHED))
    return dict(Device.objects.annotate(published=published).values_list("model_name", "published"))


@pytest.fixture
def sent():
    """The first of two submissions about one device; another device has a result, too."""
    make_result(20, device=make_device(model_name="stranger"))
    receive_submission(PASTE, Sender(sender_digest="one"))
    return receive_submission(PASTE.replace("138.4", "139.4"), Sender(sender_digest="other")).submission


def name_of(sent):
    return sent.results.get().device.model_name


def withdraw_and_restore(sent):
    change_state(sent, State.WITHDRAWN, reason="mine")
    change_state(sent, State.PUBLISHED, reason="")


def test_single_and_bulk_submissions_are_counted(sent):
    assert stored() == counted() == {"stranger": 1, name_of(sent): 2}
    list(
        import_texts(
            [Text(text=PASTE.replace("138.4", "140.4"))], ImportBatch.objects.create(title="a thread")
        )
    )
    assert stored() == counted() == {"stranger": 1, name_of(sent): 3}


@pytest.mark.parametrize(
    ("what", "left"),
    [
        (lambda sent: change_state(sent, State.HELD, reason="looked at"), 1),
        (lambda sent: change_state(sent, State.WITHDRAWN, reason="mine"), 1),
        (lambda sent: change_state(sent, State.REJECTED, reason="nonsense", is_approved=False), 1),
        (lambda sent: change_state(sent, State.PUBLISHED, reason="", is_approved=True), 2),
        (lambda sent: erase_submission(sent, reason="mine"), 1),
        (withdraw_and_restore, 2),
        (reread_submission, 2),
    ],
    ids=["held", "withdrawn", "rejected", "published", "erased", "restored", "reread"],
)
def test_state_changes_update_the_count(sent, what, left):
    name = name_of(sent)
    what(sent)
    assert stored() == counted() == {"stranger": 1, name: left}


def test_a_submission_that_is_held_from_the_start_is_not_counted():
    make_device(model_name="bare")
    make_result(device=make_device(model_name="held"), submission__state=State.HELD)
    assert stored() == counted() == {"bare": 0, "held": 0}
    assert not Device.objects.shown().exists()


def test_a_run_that_a_better_parser_takes_for_another_device_is_moved(sent):
    Submission.objects.filter(pk=sent.pk).update(
        text=sent.text.replace(name_of(sent), "ANOTHER MODEL"), text_digest="another"
    )
    sent.refresh_from_db()
    reread_submission(sent)
    assert stored() == counted()
    assert stored()["ANOTHER MODEL"] == 1


def test_made_up_results_are_counted():
    list(store_runs(draw_runs(50, seed=3)))
    assert stored() == counted()
    assert sum(stored().values()) == 50


@pytest.fixture
def two_published():
    """A device with two published results and one that was sent, and one with a published result alone."""
    load_survey(
        [
            published("both", survey_id="x1"),
            published("both", survey_id="x2"),
            published("alone", survey_id="x3"),
        ]
    )
    make_result(device=Device.objects.get(model_name="both"))


def test_erased_published_results_are_not_counted(two_published):
    erase_submission(Submission.objects.get(survey_id="x1"), reason="a typing error in its source")
    assert (stored(), elsewhere()) == ({"both": 2, "alone": 1}, {"both": 1, "alone": 1})
    erase_submission(Submission.objects.get(survey_id="x3"), reason="a typing error in its source")
    assert (stored(), elsewhere()) == ({"both": 2}, {"both": 1})
    load_survey([published("both", survey_id="x1"), published("both", survey_id="x2")])
    assert (stored(), elsewhere()) == ({"both": 2}, {"both": 1})


def test_removed_published_results_are_not_counted(two_published):
    load_survey([published("both", survey_id="x2")])
    assert {name: count for name, count in stored().items() if count} == {"both": 2}
    assert {name: count for name, count in elsewhere().items() if count} == {"both": 1}


def test_results_of_a_merged_spelling_are_counted_for_its_device(two_published):
    spelling, other = Device.objects.get(model_name="alone"), Device.objects.get(model_name="both")
    merge_devices([spelling], other, reason="the same")
    assert stored() == counted() == {"both": 4}
    assert elsewhere() == {"both": 3}


def test_published_results_are_counted_among_all_of_a_device_and_a_recount_corrects_both(two_published):
    assert stored() == counted() == {"both": 3, "alone": 1}
    assert elsewhere() == {"both": 2, "alone": 1}
    Device.objects.update(result_count=9, elsewhere_count=9)
    Device.recount([Device.objects.get(model_name="both").pk])
    assert (stored(), elsewhere()) == ({"both": 3, "alone": 9}, {"both": 2, "alone": 9})


def test_submissions_do_not_change_the_count_of_published_results(sent):
    Submission.objects.filter(pk=sent.pk).update(survey_id="x1")
    Device.recount([sent.results.get().device_id])
    receive_submission(PASTE.replace("138.4", "140.4"), Sender(sender_digest="third"))
    assert stored() == counted() == {"stranger": 1, name_of(sent): 3}
    assert elsewhere() == {"stranger": 0, name_of(sent): 1}


def test_counting_does_not_read_rows(django_assert_num_queries):
    assert count_published() == {"devices": 0, "results": 0}
    make_result(20, device=make_device(model_name="one"))
    make_result(20, device=make_device(model_name="held"), submission=make_submission(state=State.HELD))
    with django_assert_num_queries(1) as queries:
        assert count_published() == {"devices": 1, "results": 1}
    assert "results_result " not in queries[0]["sql"]
    assert Device.objects.shown().get().model_name == "one"
