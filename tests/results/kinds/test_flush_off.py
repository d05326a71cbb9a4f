"""fio without flushes: stored beside runs with them, never ranked, and compared to show what a flush costs."""

import re
from html import unescape

import pytest

from results.compare.results.query import FREE
from results.kinds.commands.disks import commands_for
from results.kinds.free_disk import System
from results.models import Result
from tests import ladders, pastes
from tests.factories import flat, make_device, make_result

pytestmark = pytest.mark.django_db
OUTPUT = re.sub(
    r"  fsync/fdatasync.*?(?=  cpu)", "", ladders.text({1: 50_000}).partition("\n")[2], flags=re.DOTALL
)
DISK = pastes.prompted(pastes.smartctl(model="SAMPLE NVMe"), "smartctl -a /dev/nvme0n1")
STORED = ("--direct=1", "--direct=1 --end_fsync=1", "--direct=1 --fsync=0 --sync=none")
REFUSED = (
    ("--direct=0", "page_cache"),
    ("", "not_sync_write"),  # through the page cache
    ("--direct=1 --fsync=32", "not_sync_write"),
    ("--direct=1 --sync_file_range=wait_before:1", "not_sync_write"),
)


def text_of(options, *, name="/dev/nvme0n1", output=OUTPUT):
    return f"# fio --name=slog --filename={name} {options}\n{output}"


def parse(client, text):
    return client.post("/api/v1/parse/", text + DISK, content_type="text/plain")


@pytest.mark.usefixtures("everyone_is_trusted")
def test_run_without_flushes_is_stored_and_not_ranked(client):
    for options in STORED:
        (run,) = parse(client, text_of(options)).json()["runs"]
        assert (run["conditions"]["sync_method"], run["is_ranked"]) == ("none", False), options
        assert "flush_off" in [flag["code"] for flag in run["flags"]]
        assert "cached_flash" not in [
            flag["code"] for flag in run["flags"]
        ]  # 20 µs without a flush is no wonder


def test_run_with_rare_flushes_or_with_unknown_options_is_refused(client):
    texts = [(text_of(options), code) for options, code in REFUSED]
    texts += [(text_of("--direct=1", name="/mnt/file"), "not_sync_write"), (OUTPUT, "not_sync_write")]
    texts += [(f"# fio --direct=1 job.fio\n{OUTPUT}", "not_sync_write")]
    for text, code in texts:
        answer = parse(client, text)
        assert answer.status_code == 422, text
        assert code in [notice["code"] for notice in answer.json()["notices"]], text


@pytest.mark.usefixtures("everyone_is_trusted")
def test_runs_with_and_without_flushes_in_one_paste_are_two_results(client):
    with_flushes = ladders.text({1: 5000}).partition("\n")[2]
    text = text_of("--direct=1 --fdatasync=1", output=with_flushes) + text_of("--direct=1")
    answer = client.post("/api/v1/submissions/", text + DISK, content_type="text/plain").json()
    flushed, plain = answer["results"]
    assert [flushed["is_ranked"], plain["is_ranked"]] == [True, False]
    address = f"?a={flushed['id']}&b={plain['id']}"
    note = client.get(f"/api/v1/compare/results/{address}").json()["flush_note"]
    assert note == (
        "A flush costs 180 µs here: a write takes 10 times as long with it as without (4 KiB latency)."
    )
    assert note in unescape(client.get(f"/compare/results/{address}").text)
    page = client.get(f"/results/{plain['id']}/").text
    assert "nothing (flush off)" in page
    assert "Shown, but not ranked" in page
    assert 'id="writers"' not in page
    assert ", flush off, " in client.get(f"/results/{flushed['id']}/").text  # to compare with


def test_flush_that_costs_nothing_is_explained(client):
    cases = (
        ("fdatasync", "none", None, 110, FREE),
        ("none", "fsync", None, 90, FREE),
        ("fsync", "fdatasync", None, 110, ""),
        (None, "none", None, 110, ""),
        ("fsync", "none", 4, 110, ""),  # another number of writers
    )
    for first, second, writers, other_us, expected in cases:
        Result.objects.all().delete()
        device = make_device()
        a = make_result(flat(100), device=device, method="fio", sync_method=first)
        b = make_result(flat(other_us), device=device, method="fio", sync_method=second, writers=writers)
        answer = client.get(f"/api/v1/compare/results/?a={a.public_id}&b={b.public_id}").json()
        assert answer["flush_note"] == expected, (first, second)


def test_the_page_of_commands_has_both_commands(client):
    page = unescape(client.get("/submit/commands/?system=linux&disk=sdb&sure=on").text)
    found = commands_for(System.LINUX, "sdb")
    for command in (found.single.measure, found.without_flush.measure):
        assert command in page
    assert found.without_flush.measure == (
        found.single.measure.replace(" --fdatasync=1", "").replace("slog-sdb.txt", "slog-sdb-flush-off.txt")
    )
    assert commands_for(System.FREEBSD, "da0").without_flush is None
