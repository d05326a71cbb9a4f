"""Data that another release has changed, and what completes them. That release's writes are SQL here."""

import pytest
from django.db import connection, transaction
from django.db.models import F

from results.core.data_version import bump_data_version, is_complete
from results.models import ClassRanking, DataVersion, Device, Submission
from results.operations.other_release import catch_up
from tests.factories import make_result, make_submission, rank_everything

pytestmark = pytest.mark.django_db


def write_by_another_release():
    DataVersion.objects.update(value=F("value") + 1)


@pytest.fixture
def ranked():
    """Two ranked devices, in complete data."""
    make_result()
    make_result()
    rank_everything()
    with transaction.atomic():
        bump_data_version(becomes_complete=True)


def test_a_database_without_changes_is_complete():
    assert is_complete()


@pytest.mark.usefixtures("ranked")
def test_this_releases_own_changes_leave_it_complete():
    bump_data_version()
    bump_data_version(past=9_999_999_999_999)
    assert is_complete()


@pytest.mark.usefixtures("ranked")
def test_another_releases_change_shows_until_it_is_completed():
    write_by_another_release()
    bump_data_version()
    assert not is_complete()
    catch_up()
    assert is_complete()


@pytest.mark.usefixtures("ranked")
def test_after_another_releases_change_everything_is_ranked():
    write_by_another_release()
    catch_up()
    assert not Device.objects.filter(dirty_since=None).exists()
    assert not ClassRanking.objects.filter(method="", changes=F("ranked_changes")).exists()


@pytest.mark.usefixtures("ranked")
def test_texts_that_wait_for_another_releases_worker_are_published():
    make_submission(public_id="imported")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results_submission SET state = 'waiting' WHERE public_id = 'imported'")
    write_by_another_release()
    catch_up()
    imported = Submission.objects.get(public_id="imported")
    assert (imported.state, imported.parser_version) == ("published", "")


@pytest.mark.usefixtures("ranked")
def test_nothing_happens_to_complete_data(django_assert_num_queries):
    with django_assert_num_queries(1):
        catch_up()
    assert not Device.objects.dirty().exists()
