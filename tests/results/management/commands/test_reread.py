from io import StringIO

import pytest
from django.core.management import call_command

from results.models import Device
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_product
from tests.results.management.test_progress import Terminal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_exports_yet(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path / "exports")  # those of the checkout would be built again


@pytest.fixture
def submission():
    return receive_submission(pastes.FIRST_PASTE, Sender()).submission


def reread(out=None, **options):
    printed = out or StringIO()
    call_command("reread", stdout=printed, **options)
    return printed.getvalue()


def test_devices_that_earlier_erasures_left_empty_go_and_no_others(submission):
    make_device(slug="left-empty")
    make_device(slug="of-the-catalogue", product=make_product())
    measured = submission.results.get().device.slug
    reread()
    assert Device.objects.count() == 3
    reread(all=True)
    assert set(Device.objects.values_list("slug", flat=True)) == {"of-the-catalogue", measured}


@pytest.mark.usefixtures("submission")
def test_a_terminal_shows_how_far_it_is():
    assert "texts read again: 100%|" in reread(Terminal(), all=True)
