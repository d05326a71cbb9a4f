import pytest

from results.models import Report
from results.moderation.reports import report_result, reportable
from tests import pastes
from tests.factories import make_member, make_result

pytestmark = pytest.mark.django_db


def test_a_report_is_stored_with_its_reporter_and_without_identifiers():
    member = make_member()
    report, is_new = report_result(
        make_result(), "figures", text=f"Serial Number: {pastes.SERIAL}", reporter=member, network="net"
    )
    assert (is_new, report.reporter, report.network) == (True, member, "")
    assert report.text == "Serial Number: [serial-1]"


def test_a_reporter_has_one_open_report_of_a_result():
    result, member = make_result(), make_member()
    first, _ = report_result(result, "figures", reporter=member)
    assert report_result(result, "spam", reporter=member) == (first, False)
    assert report_result(result, "spam", network="net")[1]
    assert not report_result(result, "other", network="net")[1]
    assert report_result(result, "other", network="other net")[1]
    assert report_result(make_result(), "figures", reporter=member)[1]
    assert Report.objects.count() == 4


@pytest.mark.parametrize("state", ["held", "rejected", "withdrawn"])
def test_only_what_is_published_can_be_reported(state):
    make_result(submission__public_id="one", submission__state=state)
    make_result(submission__public_id="two")
    assert reportable("one") is None
    assert reportable("two") is not None
