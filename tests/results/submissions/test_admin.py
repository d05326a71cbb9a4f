"""Every table can be looked at, and none of them changed by hand."""

import pytest

from results.models.choices import State
from results.ranking.medians import refresh_devices
from tests.factories import make_result

pytestmark = pytest.mark.django_db
LOOKED_AT = ("deviceranking", "firmware", "result", "submission", "device", "devicealias")


def test_a_table_is_shown_and_takes_no_row(admin_client, subtests):
    refresh_devices([make_result(firmware__version="1.0").device_id])
    for table in LOOKED_AT:
        with subtests.test(table=table):
            assert admin_client.get(f"/admin/results/{table}/").status_code == 200
            assert admin_client.get(f"/admin/results/{table}/add/").status_code == 403


def test_only_rows_with_a_public_page_link_to_it(admin_client, subtests):
    for state in sorted({*State.values} - {State.ERASED}):
        with subtests.test(state=state):
            submission = make_result(submission__state=state).submission
            for row in (submission, submission.results.get(), submission.results.get().device):
                page = admin_client.get(f"/admin/results/{row._meta.model_name}/{row.pk}/change/").text
                is_led_to = "View on site" in page
                assert is_led_to == (admin_client.get(row.get_absolute_url()).status_code != 404), row


def test_a_submission_is_shown_and_takes_no_change(admin_client):
    submission = make_result().submission
    url = f"/admin/results/submission/{submission.pk}/change/"
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"state": "erased"}).status_code == 403
