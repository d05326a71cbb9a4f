import pytest

from parsers.paste import parse_paste
from results.advice.openzfs import facts
from results.kinds.registry import find_runs
from tests.page import Page
from tests.results.kinds.pool_io import texts

pytestmark = pytest.mark.django_db

URL = "/submit/commands/"


def get_commands(client, **parameters):
    return client.get(URL, parameters, follow=True)  # to the address without empty fields


def shown(response, heading):
    """The commands of the part below the heading with this id."""
    return [
        code.text_content()
        for code in Page(response).root.xpath(f".//section[@aria-labelledby='{heading}']//pre")
    ]


def test_a_named_disk_has_its_checks_and_no_command_yet(client):
    response = get_commands(client, system="freebsd", disk="/dev/nvd0")
    assert response.status_code == 200
    assert "nvd0 is unused" in response.text
    assert not shown(response, "measure")
    assert "diskinfo -wS /dev/nvd0" not in response.text


def test_confirmation_shows_the_commands_for_the_disk(client, subtests):
    for system, disk, measure in [
        ("freebsd", "nvd0", "diskinfo -wS /dev/nvd0 | tee slog-nvd0.txt"),
        ("linux", "sdb", "--filename=/dev/sdb"),
    ]:
        with subtests.test(system=system):
            test, describe, *_ = shown(get_commands(client, system=system, disk=disk, sure="on"), "measure")
            assert measure in test
            assert f"tee -a slog-{disk}.txt" in describe


def test_invalid_input_is_named_and_stays_in_the_form(client, subtests):
    for parameters, expected in [
        ({"system": "freebsd", "disk": "nvd0p1"}, "is a partition"),
        ({"system": "linux", "disk": ""}, "Name the disk."),
        ({"system": "linux", "disk": "sdb;reboot", "sure": "on"}, "not the name of a whole disk"),
        ({"system": "x" * 3000, "disk": "<script>alert(1)</script>" * 99}, "is not one of the available"),
    ]:
        with subtests.test(parameters=parameters):
            response = get_commands(client, **parameters)
            assert response.status_code == 400
            assert expected in response.text
            assert Page(response).fields["disk"].value == parameters["disk"][:40]
            assert "<script>alert" not in response.text
            assert not shown(response, "checks")


def test_a_file_system_is_measured_by_commands_that_overwrite_nothing(client):
    page = client.get(URL, {"folder": "/mnt/my pool/x"})
    assert shown(page, "file-system") == [
        "pg_test_fsync -f '/mnt/my pool/x/slogdb.test'",
        "fio --name=slogdb --directory='/mnt/my pool/x' --rw=write --ioengine=sync --fdatasync=1 --bs=2300"
        " --size=22m",
    ]


def test_an_invalid_folder_gets_no_command(client, subtests):
    folders = ["tank", "/dev/sda", "/a;reboot", "/a\nb", "/$(id)", "/é", "/" + "a" * 200, "/a'b"]
    slow_to_match = [f"/{'a' * 150}{end}" for end in ("!", "/!", "//", "\n!")]
    for folder in [*folders, *slow_to_match]:
        with subtests.test(folder=folder):
            page = client.get(URL, {"folder": folder})
            assert (page.status_code, "Enter the folder’s full path" in page.text) == (400, True)
            assert not shown(page, "file-system")


def test_the_test_with_several_writers_is_shown_after_confirmation(client, subtests):
    for system, disk, is_offered in [("linux", "sdb", True), ("freebsd", "da3", False)]:
        with subtests.test(system=system):
            assert (
                "writers"
                not in get_commands(client, system=system, disk=disk).text.partition("command-builder")[2]
            )
            page = get_commands(client, system=system, disk=disk, sure="on").text
            assert ("--name=writers16 --numjobs=16" in page) is is_offered
            assert (f"slog-{disk}-writers.txt" in page) is is_offered


def test_a_pool_has_the_commands_of_the_talk_for_its_log_device(client):
    steps = shown(get_commands(client, pool="zw.1", log="/dev/nvme0n1", memory="8"), "pool")
    assert 'echo "# smartctl -i /dev/nvme0n1"\nsmartctl -i /dev/nvme0n1' in steps[1]
    assert "zpool add -n zw.1 log nvme0n1\nzpool add zw.1 log nvme0n1" in steps[2]
    assert "zpool remove zw.1 nvme0n1" in steps[2]
    assert steps[-1] == "zfs destroy zw.1/slogdb-test"


def test_the_advice_on_removing_a_log_device_names_the_fixed_releases(client):
    fixed = facts()["removal_fix"].releases
    meaning = Page(get_commands(client, pool="tank")).text
    assert f"OpenZFS {fixed} fix a bug in that); removing a failing one can hang the pool" in meaning


def test_the_page_explains_the_check_and_never_relies_on_fio(client, subtests):
    for system, disk, words in [
        ("linux", "sdb", "wipefs</code> can open exclusively"),
        ("freebsd", "nvd0", "nothing has open (<code>geom"),
    ]:
        with subtests.test(system=system):
            page = get_commands(client, system=system, disk=disk, sure="on").text
            assert words in page
            assert "fio doesn’t protect you" in page
            assert "refuses a mounted disk" not in page


def test_what_is_no_pool_is_refused_and_in_no_command(client, subtests):
    for parameters in [
        {"pool": "tank; reboot"},
        {"pool": "-f"},
        {"pool": "mirror-0"},
        {"pool": "x" * 300},
        {"log": "nvme0n1 && reboot"},
        {"log": "../../etc"},
        {"memory": "0"},
        {"memory": "much"},
        {"pool": "<script>alert(1)</script>"},
    ]:
        with subtests.test(parameters=parameters):
            response = get_commands(client, **parameters)
            assert response.status_code == 400
            assert not shown(response, "pool")
            assert "<script>alert" not in response.text


def test_the_output_of_the_commands_needs_no_questions():
    """Each run has the pool and its settings above it, as the commands print them."""
    text = ""
    for logs in ("", texts.LOGS):
        text += texts.status(logs=logs).partition("\n")[2]
        text += texts.LOG_DEVICE.replace(texts.PROMPT, "# ") if logs else ""
        for sync in ("standard", "always", "disabled"):
            properties = texts.properties(sync=sync, compression="off").partition("\n")[2]
            text += properties + texts.fio(options="").replace(texts.PROMPT, "# ")
    found = find_runs(parse_paste(text, unit_key=b"a key of 32 characters, for tests"))
    assert [(run.payload["log"], run.payload["sync_mode"]) for run in found.runs] == [
        (log, sync) for log in ("none", "device") for sync in ("standard", "always", "disabled")
    ]
    assert {run.payload["log_name"] for run in found.runs} == {"", texts.LOG_MODEL}
    assert {"log_device", "sync", "compression", "recordsize", "vdev_type"} <= found.runs[-1].answered
