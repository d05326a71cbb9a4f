"""Checks of logs on pages: shared from a check, shown with the device in use, withdrawn, never ranked."""

import pytest

from results.models import Device, DeviceRanking, Pool, Result, Submission
from results.submissions.edit import withdraw
from tests.factories import make_product, make_result, rank_everything
from tests.live_logs import Machine
from tests.page import Page
from tests.results.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted", "today")]
NAMES = {"pool": "AcmeCorp", "datasets": ("AcmeCorp", "AcmeCorp/payroll")}


def share(client, machine):
    """The text that the check of a machine offers to publish; "" if it doesn't."""
    page = Page(client.post("/check/", {"text": machine.text()}))
    try:
        return page.part("share-check").fields["text"].value
    except KeyError:
        return ""


def in_use(client, address):
    page = Page(client.get(address))
    return page.section("in-use").text if "In use" in page.headings else ""


def test_a_check_is_shared_by_its_masked_text_and_the_usual_preview(client):
    text = share(client, Machine(**NAMES))
    assert not {word for word in ("Acme", "payroll", "S64HNE0R") if word in text}
    assert not Submission.objects.exists()
    preview = client.post("/submit/", {"text": text, "action": "preview"})
    assert (preview.status_code, Submission.objects.exists()) == (200, False)
    assert "2,000 commits a second" in Page(preview).text
    published = client.post("/submit/", {"text": text, "action": "publish"})
    assert (published.status_code, Result.objects.count()) == (201, 1)
    result = Result.objects.get()
    assert (result.method, result.is_ranked, result.device) == ("slog_check", False, None)
    assert result.log_check.commits_s == 2000
    assert Pool.objects.get().logs.get() == Device.objects.get(model_name="ALDERA S1-480")


def test_a_pasted_check_is_the_same_as_a_shared_one(client):
    machine = Machine(**NAMES)
    (shared,) = publish(client, share(client, machine))
    (pasted,) = publish(client, "as I posted before:\n" + machine.text())
    assert shared["metrics"] == pasted["metrics"]
    assert shared["log_check"] == pasted["log_check"]


@pytest.mark.parametrize("changes", [{"logs": ""}, {"seconds": 2}, {"stats": {"zil_commit_count": 0}}])
def test_what_cannot_be_published_is_not_offered(client, changes):
    assert share(client, Machine(**changes)) == ""
    refused = client.post("/submit/", {"text": Machine(**changes).text(), "action": "preview"})
    assert refused.status_code == 422


@pytest.fixture
def device():
    make_result(20, device__model_name="ALDERA S1-480", device__capacity_bytes=480_103_981_056)
    rank_everything()
    return Device.objects.get()


def test_a_device_shows_what_it_does_in_pools(client, device):
    address = device.get_absolute_url()
    assert in_use(client, address) == ""
    for seconds, write_ms in ((30, 600), (60, 900), (15, 3000)):
        publish(client, Machine(seconds=seconds, write_ms=write_ms).text())
    text = in_use(client, address)
    for words in ("3 pools", "2,000/s 1,000 to 4,000", "40.0 µs 30.0 to 110"):
        assert words in text, text
    first = Pool.objects.earliest("pk")
    Pool.objects.exclude(pk=first.pk).update(same_as=first)
    text = in_use(client, address)
    words = ("1 pool ", "4,000/s", "The check: newest", " to ", "Medians")
    assert [each in text for each in words] == [True, True, True, False, False], text
    for submission in Submission.objects.filter(results__method="slog_check"):
        withdraw(submission, None)
    assert in_use(client, address) == ""


def test_the_page_of_a_product_is_about_all_of_its_log_devices(client):
    product = make_product(name="S1", slug="aldera-s1", patterns=["^ALDERA S1-"])
    for seconds, model in ((30, "ALDERA S1-480"), (60, "ALDERA S1-960")):
        publish(client, Machine(seconds=seconds, drive={"model": model}).text())
    text = in_use(client, product.get_absolute_url())
    assert [words in text for words in ("2 pools", "1,500/s 1,000 to 2,000")] == [True, True], text
    pools = Page(client.get(product.get_absolute_url())).section("in-pools")
    assert pools.text.count("Pool: raidz2") == 2


def test_it_changes_no_rank(client, device):
    def places():
        return list(DeviceRanking.objects.values("device", "board", "score", "result_count", "metrics"))

    before = places()
    publish(client, Machine().text())
    rank_everything()
    assert places() == before
