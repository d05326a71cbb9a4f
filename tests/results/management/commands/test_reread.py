import pytest

from results.models import Device
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.commands import printed_by
from tests.factories import make_device, make_product

pytestmark = pytest.mark.django_db


@pytest.fixture
def submission():
    return receive_submission(pastes.FIRST_PASTE, Sender()).submission


def test_devices_that_earlier_erasures_left_empty_go_and_no_others(submission):
    make_device(slug="left-empty")
    make_device(slug="of-the-catalogue", product=make_product())
    measured = submission.results.get().device.slug
    printed_by("reread")
    assert Device.objects.count() == 3
    printed_by("reread", all=True)
    assert set(Device.objects.values_list("slug", flat=True)) == {"of-the-catalogue", measured}
