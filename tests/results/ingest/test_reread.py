"""`manage.py reread`: a better parser improves what is stored."""

import pytest
from django.core.management import call_command

from parsers.paste import PARSER_VERSION
from results.ingest.own import forget_unit
from results.ingest.receive import Sender, receive_submission
from results.ingest.reread import reread_all
from results.ingest.states import change_state, erase_submission
from results.models import DeviceRanking, Result, Submission
from results.models.choices import State
from tests import pastes

pytestmark = pytest.mark.django_db


def rows():
    fields = [field.name for field in Result._meta.concrete_fields if field.name != "id"]
    return list(Result.objects.order_by("public_id").values(*fields))


def test_reading_all_again_by_the_same_parsers_changes_nothing():
    receive_submission(pastes.FIRST_PASTE, Sender())
    receive_submission(
        pastes.diskinfo(description="SAMPLE SSD") + pastes.smartctl(model="SAMPLE SSD"), Sender()
    )
    before = rows()
    call_command("reread", "--all")
    assert rows() == before


def test_only_what_another_version_has_read_is_read_again(capsys):
    old = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    receive_submission(pastes.diskinfo(description="SAMPLE SSD"), Sender())
    Submission.objects.filter(pk=old.pk).update(parser_version="0.1", notices=[])
    old.results.update(zil_latency_us=1)
    call_command("reread")
    assert capsys.readouterr().out.endswith("\n1 texts read again\n")
    old.refresh_from_db()
    assert (old.parser_version, bool(old.notices)) == (PARSER_VERSION, True)
    assert old.results.get().zil_latency_us == pytest.approx(9577.354)


def test_published_figures_without_a_text_are_left_alone():
    call_command("load_survey", verbosity=0)
    before = rows()
    call_command("reread", "--all")
    assert rows() == before


@pytest.fixture
def second_of_two():
    receive_submission(pastes.diskinfo(description="SAMPLE SSD"), Sender())
    return receive_submission(pastes.FIRST_PASTE, Sender()).submission


def reread_while(change, submission):
    """Read all again, with `change` made to the submission when the one before it has been read."""
    rereading = reread_all(only_outdated=False)
    next(rereading)
    change(submission)
    list(rereading)


def test_what_is_erased_while_all_is_read_again_stays_erased(second_of_two):
    reread_while(lambda one: erase_submission(one, reason="asked for"), second_of_two)
    assert not second_of_two.results.exists()
    assert DeviceRanking.objects.count() == 1


def test_what_is_held_while_all_is_read_again_stays_out_of_the_ranking(second_of_two):
    reread_while(lambda one: change_state(one, State.HELD, reason="looked at"), second_of_two)
    assert second_of_two.results.get().not_ranked_reason == "looked at"


def test_a_unit_that_is_forgotten_while_all_is_read_again_stays_forgotten(second_of_two):
    reread_while(forget_unit, second_of_two)
    assert not second_of_two.results.get().has_unit
