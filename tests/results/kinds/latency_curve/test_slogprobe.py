"""slogprobe's runs: ranked on both boards as a method of its own, and only on whole disks."""

import pytest

from results.kinds.interconnects import link_at
from results.models import DeviceRanking, Result
from results.models.choices import Board, Method
from tests import pastes
from tests.factories import place_waiting
from tests.page import Page
from tests.results.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
DISK = pastes.prompted(pastes.smartctl(), "smartctl -x /dev/sdb")


def flags_of(result):
    return [flag["code"] for flag in result["flags"]]


def test_a_run_on_a_disk_has_a_place_on_both_boards_and_its_slow_writes(client):
    (result,) = publish(client, pastes.slogprobe() + DISK)
    assert (result["method"], result["is_ranked"], result["is_complete"]) == ("slogprobe", True, True)
    points = {point["block_size"]: point["latency_us"] for point in result["latency_curve"]["points"]}
    sizes = [4096 << at for at in range(6)]
    assert points == pytest.approx(dict(zip(sizes, pastes.PROBED_CURVE, strict=True)))
    assert set(DeviceRanking.objects.values_list("board", "method")) == {
        (board, Method.SLOGPROBE.value) for board in Board
    }
    first = result["latency_curve"]["tails"][0]  # of a write with its flush
    mean = pastes.PROBED_CURVE[0]
    assert (first["block_size"], first["part"], first["p9999_us"]) == (4096, "write", None)
    slow = [first[name] for name in ("p99_us", "p999_us", "max_us")]
    assert slow == pytest.approx([2 * mean, 3 * mean, 9 * mean], abs=0.01)
    assert result["metrics"]["slow_write_us"] == pytest.approx(2 * mean, abs=0.01)


def test_a_percentile_needs_a_write_above_it(client):
    (result,) = publish(client, pastes.slogprobe(writes=99) + DISK)
    first = result["latency_curve"]["tails"][0]
    assert (first["p99_us"], first["p999_us"]) == (None, None)
    assert first["max_us"]


@pytest.mark.parametrize("target", ["/dev/sdb1", "/dev/da9p1"])
def test_a_partition_is_shown_and_not_ranked(client, target):
    (result,) = publish(client, pastes.slogprobe(target) + DISK.replace("/dev/sdb", target))
    assert (result["method"], result["is_ranked"]) == ("slogprobe", False)
    assert "not_whole_device" in flags_of(result)
    assert "Only whole devices are ranked" in result["not_ranked_reason"]


def test_a_file_is_no_device(client):
    (result,) = publish(client, pastes.slogprobe("a file on ext4") + DISK)
    assert (result["kind"], result["method"], result["is_ranked"]) == ("file_sync", "slogprobe_file", False)
    payload = result["file_sync"]
    assert payload["layer"] == "ext4"
    assert [(row["method"], row["block_size"]) for row in payload["rows"]][:2] == [
        ("fdatasync", 4096),
        ("fdatasync", 8192),
    ]
    assert payload["rows"][0]["p99_us"] == pytest.approx(2 * pastes.PROBED_CURVE[0], abs=0.01)


@pytest.mark.parametrize(
    ("probe", "disk", "is_ranked"),
    [
        (pastes.slogprobe(flushes=0), DISK, False),
        (pastes.slogprobe(writes=1000, flushes=6990), DISK, True),  # a few merged ones are no fault
        (pastes.slogprobe(flushes=0), "/sys/block/sdb/queue/write_cache:write through\n" + DISK, True),
    ],
)
def test_a_disk_that_completed_too_few_flushes_is_not_ranked(client, probe, disk, is_ranked):
    (result,) = publish(client, probe + disk)
    assert ("flush_not_sent" in flags_of(result), result["is_ranked"]) == (not is_ranked, is_ranked)


def test_a_run_without_the_drive_is_refused(client):
    answer = client.post("/api/v1/parse/", pastes.slogprobe(), content_type="text/plain")
    assert answer.status_code == 422
    assert "no_device" in [notice["code"] for notice in answer.json()["notices"]]


def test_a_device_that_two_tools_measured_has_one_place_by_the_first_of_them(client):
    publish(client, pastes.FIRST_PASTE)
    publish(client, pastes.slogprobe() + DISK)
    place_waiting()
    main = DeviceRanking.objects.get(board=Board.SYNC_WRITE, is_main=True)
    assert main.method == Method.DISKINFO
    (row,) = client.get("/api/v1/leaderboard/").json()["results"]
    assert [figure["method"] for figure in row["methods"]] == ["diskinfo", "slogprobe"]


def test_its_pages_name_it(client):
    (result,) = publish(client, pastes.slogprobe() + DISK)
    place_waiting()
    assert "slogprobe" in Page(client.get(f"/results/{result['id']}/")).text
    found = Result.objects.get(public_id=result["id"])
    for address in ("/leaderboard/", "/", found.device.get_absolute_url(), "/leaderboard/?method=slogprobe"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "by slogprobe" in answer.text or "slogprobe" in answer.text, address


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("8.0 GT/s PCIe x4", "PCIe 3.0 x4"),
        ("16.0 GT/s PCIe x4", "PCIe 4.0 x4"),
        ("2.5 GT/s x1", "PCIe 1.0 x1"),
        ("SATA 6.0 Gbps", "SATA 6 Gb/s"),
        ("SATA 1.5 Gbps", "SATA 1.5 Gb/s"),
    ],
)
def test_links_have_the_names_of_the_catalogue(printed, name):
    assert link_at(printed).name == name


def test_a_link_that_nobody_knows_is_none():
    assert link_at("9.9 GT/s PCIe x3") is None
