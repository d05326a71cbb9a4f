"""What fio wrote and how: stored, shown, filtered, compared, and flagged."""

import pytest

from results.compare.results.query import find_pair
from results.models import Result
from tests import ladders, pastes
from tests.factories import flat, make_device, make_product, make_result, rank_everything
from tests.results.publishing import parsed_run

pytestmark = pytest.mark.django_db
OUTPUT = ladders.text({1: 5000}).partition("\n")[2]
DISK = pastes.prompted(pastes.smartctl(model="SAMPLE NVMe"), "smartctl -a /dev/nvme0n1")
NAMES = ("sync_method", "data_content", "pattern", "is_direct", "block_align")
# options, the conditions, the codes of the flags about them, and whether the result is ranked
CASES = (
    ("--sync=1 --direct=1", ("sync", "random", "random", True, None), [], True),
    ("--sync=dsync --direct=1", ("dsync", "random", "random", True, None), [], True),
    ("--fsync=1", ("fsync", "random", "random", None, None), [], True),
    ("--fdatasync=1 --refill_buffers", ("fdatasync", "refilled", "random", None, None), [], True),
    ("--fsync=1 --zero_buffers", ("fsync", "zeros", "random", None, None), ["easy_data"], True),
    (
        "--fsync=1 --buffer_compress_percentage=50 --blockalign=8k",
        ("fsync", "compressible", "random", None, 8192),
        ["easy_data"],
        True,
    ),
    ("--fsync=1 --percentage_random=40", ("fsync", "random", "mixed", None, None), [], True),
    ("--fsync=1 --direct=0", ("fsync", "random", "random", False, None), ["page_cache"], False),
)
ABOUT_LOAD = {"easy_data", "compressed_data", "page_cache"}


def text_of(options, name="/dev/nvme0n1"):
    return f"# fio --name=slog --filename={name} {options}\n{OUTPUT}{DISK}"


def parse(client, options, name="/dev/nvme0n1"):
    return parsed_run(client, text_of(options, name))


@pytest.mark.usefixtures("everyone_is_trusted")
def test_options_are_conditions_and_flags(client):
    for options, expected, codes, is_ranked in CASES:
        run = parse(client, options)
        assert tuple(run["conditions"][name] for name in NAMES) == expected, options
        assert [flag["code"] for flag in run["flags"] if flag["code"] in ABOUT_LOAD] == codes, options
        assert run["is_ranked"] is is_ranked, options


def test_options_of_a_run_on_a_file_are_conditions_too(client):
    run = parse(client, "--fdatasync=1 --zero_buffers --direct=0", "/mnt/test")
    assert run["kind"] == "file_sync"
    assert tuple(run["conditions"][name] for name in NAMES) == ("fdatasync", "zeros", "random", False, None)


@pytest.mark.usefixtures("everyone_is_trusted")
def test_easy_data_is_not_ranked_where_the_speed_depends_on_compression(client):
    product = make_product(patterns=["SAMPLE NVMe"])
    product.caveats.create(
        kind="compression", summary="It compresses.", source_url="https://reviewer.example/1"
    )
    for options, codes in (("--fsync=1 --zero_buffers", ["compressed_data"]), ("--fsync=1", [])):
        run = parse(client, options)
        assert [flag["code"] for flag in run["flags"] if flag["code"] in ABOUT_LOAD] == codes
        assert run["is_ranked"] is not codes


def test_jobs_of_a_shell_loop_that_differ_state_nothing(client):
    loop = "".join(
        f"# fio --name=slog --filename=/dev/nvme0n1 --fsync=1 {data}\n{OUTPUT.replace('4096B', f'{size}B')}"
        for size, data in ((4096, "--zero_buffers"), (8192, ""))
    )
    run = parsed_run(client, loop + DISK)
    assert (run["conditions"]["data_content"], run["conditions"]["sync_method"]) == (None, "fsync")


def make_two(**values):
    """Two results by fio: one with these conditions, and one with others."""
    device = make_device()
    made = {"method": "fio", "device": device, "sync_method": "fsync", "data_content": "random"}
    made |= {"pattern": "random", "is_direct": True}
    return make_result(flat(100), **made | values), make_result(flat(110), **made)


def test_results_are_filtered_by_their_conditions(client):
    for number, (name, value, chosen) in enumerate(
        (
            ("sync_method", "dsync", "dsync"),
            ("data_content", "zeros", "zeros"),
            ("pattern", "sequential", "sequential"),
            ("is_direct", False, "no"),
        )
    ):
        Result.objects.all().delete()
        found, _ = make_two(**{name: value}, submission__public_id=f"bcdf{number}")
        rows = client.get(f"/api/v1/results/?{name}={chosen}").json()["results"]
        assert [row["id"] for row in rows] == [found.public_id], name
        page = client.get(f"/results/?{name}={chosen}").text
        assert page.count('<th scope="row"') == 1, name
        for address in ("/api/v1/results/", "/results/"):
            assert client.get(f"{address}?{name}=other").status_code == 400


def test_a_result_shows_its_conditions(client):
    found, _ = make_two(data_content="zeros", pattern="mixed", is_direct=False, block_align=8192)
    page = client.get(found.get_absolute_url()).text
    for label, value in (
        ("Data written", "zeros"),
        ("Order of writes", "partly random"),
        ("Page cache", "used (direct=0)"),
        ("Aligned to", "8 KiB"),
    ):
        assert f"<dt>{label}</dt><dd>{value}</dd>" in page


def test_two_results_that_differ_in_the_data_are_not_measured_alike(client):
    pair = find_pair(*(zero.public_id for zero in make_two(data_content="zeros")))
    stated = {condition.key: (*condition.stated, condition.differs) for condition in pair.conditions}
    assert stated["data_content"] == ("zeros", "random data", True)
    assert stated["pattern"] == ("random", "random", False)
    assert "block_align" not in stated


def test_conditions_of_fio_are_not_asked_of_diskinfo():
    device = make_device()
    pair = find_pair(*(make_result(flat(us), device=device).public_id for us in (100, 200)))
    assert not {"data_content", "pattern", "is_direct"} & {condition.key for condition in pair.conditions}


def test_devices_measured_with_different_data_are_told_apart(client):
    for slug, data in (("a", "zeros"), ("b", "random")):
        make_result(
            flat(100), device=make_device(slug=slug), method="fio", sync_method="fsync", data_content=data
        )
    rank_everything()
    differences = client.get("/api/v1/compare/?devices=a,b").json()["differences"]
    assert differences == [{"condition": "data written", "stated": {"a": "zeros", "b": "random data"}}]
    page = client.get("/compare/?devices=a,b").text
    assert "not measured the same way" in page.lower()
