import os
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from parsers.fio.slog import LADDER_WRITERS
from results.management.commands import load_initial_data
from results.models import ClassRanking, Device, DeviceRanking, Product, Result, Submission
from results.models.choices import Board, SubjectKind
from results.ranking.boards import dirty_boards
from results.ranking.standing import main_rows
from results.submissions.intake.shipped import read_shipped
from tests.commands import printed_by
from tests.factories import make_result, rank_everything
from tests.results.catalogue.catalogue_cells import write_catalogue

pytestmark = pytest.mark.django_db
FEW = read_shipped()[:5]


def _few(subject=SubjectKind.DEVICE):
    return FEW if subject == SubjectKind.DEVICE else []


@pytest.fixture(autouse=True)
def _few_of_everything(monkeypatch, tmp_path):
    """All that ship are loaded in test_load_survey.py and tests/results/catalogue/files/test_load.py."""
    catalogue = write_catalogue(tmp_path / "catalogue.csv", [{}])
    monkeypatch.setattr(load_initial_data.Command, "catalogue", catalogue)
    monkeypatch.setattr("results.management.commands.load_survey.read_shipped", _few)
    monkeypatch.setattr("results.management.commands.load_survey.read_pairs", list)


def load():
    return printed_by("load_initial_data")


def test_migrating_opens_the_tables_to_the_site_and_says_when_it_is_done(settings, tmp_path):
    """As the owner, who is the site's role here, too."""
    settings.DATABASE_SITE_URL = os.environ["DATABASE_URL"]
    printed, migrated = StringIO(), tmp_path / "migrated"
    call_command("load_initial_data", migrate=True, when_migrated=migrated, stdout=printed)
    assert "there is no role to grant access to" in printed.getvalue()
    assert migrated.exists()


def test_a_site_with_another_key_is_never_said_to_be_migrated(settings, tmp_path):
    load()
    settings.UNIT_KEY = "another key than the one that was there before"
    with pytest.raises(CommandError, match="bin/serve --only-servers"):
        call_command(
            "load_initial_data", migrate=True, when_migrated=tmp_path / "migrated", stdout=StringIO()
        )
    assert list(tmp_path.glob("migrated")) == []


def test_the_demo_gets_made_up_ones(settings, monkeypatch):
    settings.IS_DEMO = True
    monkeypatch.setattr(load_initial_data.Command, "demo_results", 20)
    monkeypatch.setattr(load_initial_data.Command, "demo_others", {"ladders": 1, "pools": 0, "series": 1})
    load()
    assert Result.objects.count() == 20 + len(LADDER_WRITERS) + 1


@pytest.mark.parametrize("is_demo", [True, False])
def test_any_other_database_is_left_alone(settings, is_demo):
    settings.IS_DEMO = is_demo
    make_result()
    assert "already" in load()
    assert Result.objects.count() == 1


def test_an_empty_database_gets_the_published_results_and_then_what_changed_in_their_file():
    load()
    assert (Product.objects.count(), Result.objects.count()) == (1, len(FEW))
    Submission.objects.update(quality="c")
    Submission.objects.filter(survey_id=FEW[0].survey_id).update(survey_id="left")
    make_result()
    assert "1 removed" in load()
    assert not Submission.objects.filter(quality="c").exclude(state="erased").exists()
    assert set(Submission.objects.filter(survey_id__isnull=False).values_list("survey_id", flat=True)) == {
        record.survey_id for record in FEW
    }


def test_boards_that_a_migration_emptied_are_complete_before_the_site_starts():
    """As 0010 empties them: both tables are made again, and all devices are marked dirty."""
    make_result()
    rank_everything()
    before = [set(main_rows(board).values_list("device_id", "score", "high")) for board in Board]
    assert all(before)
    DeviceRanking.objects.all().delete()
    ClassRanking.objects.all().delete()
    Device.objects.update(dirty_since=timezone.now())
    printed = load()
    assert "ranked on zil: 1" in printed
    assert [set(main_rows(board).values_list("device_id", "score", "high")) for board in Board] == before
    assert dirty_boards() == []
    assert not Device.objects.dirty().exists()
