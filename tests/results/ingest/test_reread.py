"""`manage.py reread`: a better parser improves what is stored."""

import pytest
from django.core.management import call_command

from parsers.paste import PARSER_VERSION
from results.ingest.receive import Sender, receive_submission
from results.models import Result, Submission
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
