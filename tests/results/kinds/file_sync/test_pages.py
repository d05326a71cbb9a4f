from unittest.mock import ANY

import pytest

from results.models import Device, Result, Submission
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.factories import make_device, make_result
from tests.page import Page
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db
MODEL = "SAMPLE NVMe"
ON_A_FILE = FIO.replace("/dev/nvme0n1", "/mnt/tank/file") + pastes.smartctl(model=MODEL)
ON_A_ZVOL = FIO.replace("/dev/nvme0n1", "/dev/zvol/tank/v") + pastes.smartctl(model=MODEL)


def test_a_run_on_a_file_is_published_but_never_ranked(client):
    (record,) = publish(client, ON_A_FILE)
    assert (record["method"], record["is_ranked"], record["rank"]) == ("fio_file", False, None)
    assert record["metrics"] == {"file_sync_us": 200, "file_sync_p99_us": ANY, "file_syncs_s": 5000}
    assert "Shown, but not ranked" not in Page(client.get(f"/results/{record['id']}/")).text
    assert client.get(f"/results/{record['id']}/chart.svg").status_code == 404


def test_device_page_summarizes_sync_writes_by_layer(client):
    publish(client, ON_A_ZVOL)
    publish(client, ON_A_ZVOL.replace(pastes.SERIAL, "ZX81SPECTRUM49").replace("IOPS=5000", "IOPS=4000"))
    publish(client, ON_A_FILE)
    page = " ".join(client.get(Device.objects.get().get_absolute_url()).content.decode().split())
    assert "takes <strong>225 µs</strong> through a zvol (fio on a file or volume, 2 results:" in page
    assert "takes <strong>200 µs</strong> through a file system (type not stated)" in page


def test_where_someone_is_accountable_for_some_results_the_others_do_not_count(client):
    publish(client, ON_A_ZVOL)
    Submission.objects.update(is_approved=True)
    publish(client, ON_A_ZVOL.replace(pastes.SERIAL, "ZX81SPECTRUM49").replace("IOPS=5000", "IOPS=9000"))
    page = " ".join(client.get(Device.objects.get().get_absolute_url()).content.decode().split())
    assert "takes <strong>200 µs</strong> through a zvol (fio on a file or volume, 1 result:" in page


def test_a_device_without_such_results_invites_to_share_one(client):
    result = make_result(device=make_device())
    page = client.get(result.device.get_absolute_url()).text
    assert '<a href="/submit/commands/#file-system">Measure it through its file system</a>' in page


def test_a_device_with_only_such_results_shows_them_with_their_meaning(client):
    publish(client, ON_A_FILE)
    response = client.get(Device.objects.get().get_absolute_url())
    assert "Not ranked yet: needs a run on the whole drive, without a file system" in response.text
    assert (
        "A sync write takes <strong>200 µs</strong> through a file system (type not stated)" in response.text
    )
    assert "how long an application waits" in response.text
    assert response.text.count('id="file-sync"') == 1


def test_result_stored_as_a_curve_moves_here_on_reread(client):
    (record,) = publish(client, ON_A_FILE)
    moved = Result.objects.get()
    moved.file_sync.delete()
    Result.objects.filter(pk=moved.pk).update(
        method="fio", latency_us=[None] * 3 + [200.0] + [None] * 11, metrics={}
    )
    Submission.objects.update(parser_version="0.1")
    assert [submission.public_id for submission in reread_all(only_outdated=True)] == [record["id"]]
    assert client.get(f"/api/v1/results/{record['id']}/").json()["file_sync"] == record["file_sync"]


def test_reread_preserves_the_url_of_every_run(client):
    """Runs are numbered by the lines that they were read from, even if a parser finds more runs than before."""
    text = ON_A_FILE + "\n" + pastes.diskinfo()
    first, second = publish(client, text)
    assert [first["kind"], second["kind"]] == ["file_sync", "latency_curve"]
    Result.objects.filter(public_id=first["id"]).delete()  # as if nothing could read it then
    Result.objects.filter(public_id=second["id"]).update(public_id=first["id"], position=1)
    list(reread_all(only_outdated=False))
    kinds = {entry.public_id: entry.method for entry in Result.objects.all()}
    assert kinds == {first["id"]: "diskinfo", second["id"]: "fio_file"}


def test_copy_is_counted_once(client):
    """One figure proves nothing by itself, but the same lines of text do."""
    (first,) = publish(client, ON_A_ZVOL)
    (copy,) = publish(client, "posted again:\n" + ON_A_ZVOL)
    (other,) = publish(client, ON_A_ZVOL.replace("pid=2112", "pid=2113"))
    assert dict(Result.objects.values_list("public_id", "copy_of__public_id")) == {
        first["id"]: None,
        copy["id"]: first["id"],
        other["id"]: None,
    }
    page = client.get(Device.objects.get().get_absolute_url()).content.decode()
    assert "fio on a file or volume, 2 results:" in page
