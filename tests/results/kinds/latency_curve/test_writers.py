"""Results of several writers are never ranked or mixed with single ones."""

import csv
import json
import re

import pytest

from results.compare.results.query import find_pair
from results.exports.tables import TABLES
from results.models import Result, Submission
from results.ranking.standing import main_rows
from results.submissions.intake.reread import reread_submission
from tests import ladders, pastes
from tests.factories import flat as flat_curve
from tests.factories import make_result
from tests.page import Page

pytestmark = pytest.mark.django_db
DISK = pastes.prompted(pastes.smartctl(model="SAMPLE NVMe"), "smartctl -a /dev/nvme0n1")
WAITS = {writers: writers * 1e6 / iops for writers, iops in ladders.IOPS.items()}


def send(client, text, disk=DISK):
    response = client.post("/api/v1/submissions/", text + disk, content_type="text/plain")
    assert response.status_code == 201, response.text
    return response.json()["results"]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("deep", [True, False])
@pytest.mark.parametrize("printed", [ladders.text, ladders.document])
def test_ladder_has_one_result_per_number_of_writers(client, printed, deep, together):
    found = send(client, printed(deep=deep, together=together))
    assert [result["writers"] for result in found] == [1, 2, 4, 8, 16]
    for result in found:
        (point,) = result["latency_curve"]["points"]
        throughput = ladders.IOPS[result["writers"]] * 4096 / 2**20
        assert (
            result["metrics"]["latency_4k_us"]
            == point["latency_us"]
            == pytest.approx(WAITS[result["writers"]])
        )
        assert result["metrics"]["peak_throughput_mib_s"] == pytest.approx(throughput)
        assert point["throughput_mib_s"] == pytest.approx(throughput, rel=1e-4)
        flags = {flag["code"]: flag for flag in result["flags"]}
        assert (result["writers"] > 1) is ("several_writers" in flags)
        if result["writers"] > 1:
            assert (result["is_ranked"], result["rank"]) == (False, None)
            assert result["not_ranked_reason"] == flags["several_writers"]["message"]
            assert str(result["writers"]) in result["not_ranked_reason"]


@pytest.mark.parametrize("together", [True, False])
def test_percentiles_of_separately_printed_clones_are_left_out(client, together):
    *_, last = send(client, ladders.text(together=together))
    assert bool(last["latency_curve"]["tails"]) is together
    assert (last["metrics"]["slow_write_us"] is None) is not together


def test_shell_loop_is_joined_by_number_of_writers(client):
    larger = ladders.loop((1, 2, 4)).replace("4096B", "8192B").replace("bs=4k", "bs=8k")
    found = send(client, f"{ladders.loop((1, 2, 4))}\n{larger}")
    assert [
        (result["writers"], [point["block_size"] for point in result["latency_curve"]["points"]])
        for result in found
    ] == [(writers, [4096, 8192]) for writers in (1, 2, 4)]


def test_only_single_writers_are_in_the_devices_median(client):
    for unit, iops in enumerate((5000, 4000)):
        send(client, ladders.text({1: iops, 16: 200_000}), DISK.replace(pastes.SERIAL, f"UNIT{unit}00000000"))
    Submission.objects.update(is_approved=True)
    for submission in Submission.objects.all():
        reread_submission(submission)
    ranking = main_rows().get()
    assert (ranking.method, ranking.result_count) == ("fio", 2)
    assert ranking.score == pytest.approx((200 * 250) ** 0.5, rel=1e-3)
    assert not Result.objects.filter(is_ranked=True, writers__isnull=False).exists()


def test_several_writers_are_not_checked_against_single_ones(client):
    for unit in range(4):
        make_result(
            flat_curve(100),
            method="fio",
            unit=f"{unit}" * 32,
            device__model_name="SAMPLE NVMe",
            device__capacity_bytes=24_575_868_928,
        ) if unit == 0 else make_result(
            flat_curve(100), method="fio", unit=f"{unit}" * 32, device=Result.objects.first().device
        )
    (result,) = send(client, ladders.text({64: 5000}))
    assert result["device"] == Result.objects.first().device.slug
    codes = {flag["code"] for flag in result["flags"]}
    assert "several_writers" in codes
    assert not codes & {"far_from_others", "far_beyond_others"}


def test_only_runs_with_equal_writers_are_copies(client):
    first, second = {1: 5000, 2: 10_000}, {2: 10_000, 4: 20_000}  # each write takes 200 us
    send(client, ladders.text(first))
    send(client, ladders.text(second).replace("10:00:00", "11:00:00"))
    assert not Result.objects.filter(copy_of__isnull=False).exists()
    send(client, ladders.text(first) + "again")
    again = Submission.objects.latest("pk")
    copied = {found.writers: found.copy_of.writers for found in again.results.all()}
    assert copied == {None: None, 2: 2}


def test_reread_preserves_the_urls(client):
    send(client, ladders.text())
    before = dict(Result.objects.values_list("writers", "public_id"))
    assert len(before) == 5
    reread_submission(Submission.objects.get())
    assert dict(Result.objects.values_list("writers", "public_id")) == before


def test_several_writers_on_a_partition_have_both_flags(client):
    _, several = send(client, ladders.text({1: 5000, 4: 12_800}, path="/dev/nvme0n1p1"))
    assert {"not_whole_device", "several_writers"} <= {flag["code"] for flag in several["flags"]}


def test_preview_states_the_writers_of_each_run(client):
    text = ladders.text({1: 5000, 8: 16_000}) + DISK
    page = Page(client.post("/submit/", {"text": text, "action": "preview"})).text
    assert "2 runs will be published" in page
    assert page.count("8 writers at the same time") >= 1
    assert "Only single writers are ranked" in page
    runs = client.post("/api/v1/parse/", text, content_type="text/plain").json()["runs"]
    assert [(run["writers"], run["is_ranked"]) for run in runs][1] == (8, False)


def test_result_page_shows_the_total_rate_and_each_writers_latency(client):
    *_, last = send(client, ladders.text())
    page = Page(client.get(f"/results/{last['id']}/")).text
    assert " · 16 writers at the same time · " in page
    assert "Writers 16 writers at the same time" in page
    assert re.search(r"4 KiB 800 78\.1 20,000", page)


def test_throughput_view_of_a_chart_is_for_all_writers(client):
    larger = ladders.text({8: 10_000}).replace("4096B", "8192B").replace("bs=4k", "bs=8k")
    sizes = ladders.text({8: 16_000}) + "\n" + larger
    (result,) = send(client, sizes)
    page = Page(client.get(f"/results/{result['id']}/?chart=throughput"))
    (curve,) = json.loads(page.part("chart-data").root.text)["series"]
    assert curve["points"][0][3] == ["500 µs, 62.5 MiB/s"]
    assert "of 8 writers at the same time" in page.text


def test_lists_can_be_filtered_by_number_of_writers(client, subtests):
    ids = {ladder["id"]: ladder["writers"] for ladder in send(client, ladders.text())}
    submission = Submission.objects.get().public_id
    for chosen, writers in [
        ("one", {1}),
        ("1", {1}),
        ("several", {2, 4, 8, 16}),
        ("8", {8}),
        ("12", set()),
        ("", {1, 2, 4, 8, 16}),
    ]:
        with subtests.test(chosen=chosen):
            found = client.get(f"/api/v1/results/?writers={chosen}").json()
            assert {record["writers"] for record in found["results"]} == writers
            assert found["count"] == len(writers)
            page = client.get(f"/results/?writers={chosen}&submission={submission}", follow=True).text
            assert {ids[name] for name in ids if f'/results/{name}/"' in page} == writers


def test_api_accepts_several_numbers_and_refuses_others(client):
    send(client, ladders.text())
    found = client.get("/api/v1/results/?writers=one,4").json()["results"]
    assert {result["writers"] for result in found} == {1, 4}
    assert client.get("/api/v1/results/?writers=many").status_code == 400
    assert client.get("/results/?writers=many").status_code == 400
    assert client.get("/results/?writers=0").status_code == 400


def test_two_results_can_be_compared_by_their_writers(client):
    single, several = send(client, ladders.text({1: 5000, 4: 12_800}))
    pair = find_pair(single["id"], several["id"])
    stated = {condition.key: (*condition.stated, condition.differs) for condition in pair.conditions}
    assert stated["writers"] == ("1", "4", True)
    assert [difference.key for difference in pair.conditions.differences] == ["writers"]
    assert all(ratio.exceeds_noise is None for ratio in pair.ratios)
    page = Page(client.get(f"/compare/results/?a={single['id']}&b={several['id']}")).text
    assert "writers 1 vs. 4" in page


@pytest.mark.django_db(transaction=True)
def test_exports_state_the_number_of_writers(client, tmp_path):
    send(client, ladders.text({1: 5000, 4: 12_800}))
    files = {}
    for table in TABLES[:2]:
        table.write_csv(tmp_path / table.name)
        rows = csv.DictReader((tmp_path / table.name).read_text().splitlines())
        files[table.name] = sorted(rows, key=lambda row: row["writers"])
    assert [row["writers"] for row in files["results"]] == ["1", "4"]
    assert [(row["writers"], float(row["throughput_mib_s"])) for row in files["points"]] == [
        ("1", pytest.approx(19.531)),
        ("4", pytest.approx(50.0)),
    ]


def test_file_sync_separates_several_writers_from_single_ones(client):
    found = send(client, ladders.text({1: 5000, 8: 16_000}, path="/mnt/tank/file"))
    assert [(record["kind"], record["writers"], record["metrics"]["file_syncs_s"]) for record in found] == [
        ("file_sync", 1, 5000),
        ("file_sync", 8, 16_000),
    ]
    assert [row["latency_us"] for record in found for row in record["file_sync"]["rows"]] == [200, 500]
    page = Page(client.get(f"/devices/{found[0]['device']}/")).text
    assert (
        "A sync write takes 200 µs through a file system (type not stated) (fio on a file or volume, 1"
        in page
    )
    assert (
        "takes 500 µs through a file system (type not stated) (fio on a file or volume, 8 writers at" in page
    )
    result = Page(client.get(f"/results/{found[1]['id']}/")).text
    assert "8 writers at the same time" in result
    assert "16,000" in result
