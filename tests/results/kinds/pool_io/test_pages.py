import pytest

from results.models import Pool, Result
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.factories import make_device, make_result
from tests.page import Page, asked_in
from tests.results.kinds.pool_io import texts
from tests.results.publishing import publish, publish_text

pytestmark = pytest.mark.django_db
NAME = "Pool: 2 mirrors of 2, with a log device"


def test_a_pool_shows_its_layout_and_a_log_device_without_results_has_no_link(client):
    _, fio = publish(client, texts.WHOLE)
    assert "The log took 95.2 % of write operations" in client.get(f"/results/{fio['id']}/").text
    page = client.get(Pool.objects.get().get_absolute_url()).text
    assert 'aria-label="Data: 2 mirrors of 2. Log device: a single disk."' in page
    logs = Page(page).section("logs")
    assert (texts.LOG_MODEL in logs.text, logs.links) == (True, {})


def test_the_preview_asks_what_the_text_does_not_say(client):
    preview = client.post("/submit/", {"text": texts.status() + texts.dd()})
    assert asked_in(preview) == {
        "system",
        "zfs_version",
        "log",
        "log_device",
        "sync",
        "recordsize",
        "compression",
        "access",
        "arc_gib",
    }
    assert "told-line-" not in preview.text

    several = client.post("/submit/", {"text": texts.dd() + texts.dd(seconds="10")})
    assert {"vdev_type", "vdev_count", "vdev_members"} <= asked_in(several)
    of_lines = [name for name in Page(several).fields if name.startswith("told-line-")]
    assert len([name for name in of_lines if name.endswith("-sync")]) == 2


def test_answers_are_published_and_survive_a_reread(client):
    fields = {"text": texts.status() + texts.dd(), "told-all-compression": "off", "told-all-sync": "always"}
    seen = Page(client.post("/submit/", fields)).fields["seen"].value
    response = client.post("/submit/", {**fields, "seen": seen, "action": "publish"})
    assert response.status_code == 201
    list(reread_all(only_outdated=False))
    result = Result.objects.get()
    assert (result.pool_io.compression, result.pool_io.sync_mode, result.flags) == ("off", "always", [])


def test_the_api_takes_answers_and_timings(client):
    told = {"all": {"vdev_type": "raidz2", "vdev_members": "6"}, "timing-2": {"log": "none"}}
    results = publish(client, texts.dd(), told=told, timings=["installation took 5:31", "again took 4:20"])
    assert [
        (result["method"], result["pool_io"]["log"], result["pool_io"]["work"]) for result in results
    ] == [
        ("dd", None, ""),
        ("timing", None, "installation"),
        ("timing", "none", "again"),
    ]
    assert Pool.objects.get().layout == [{"role": "data", "type": "raidz2", "members": 6}]
    refused = client.post(
        "/api/v1/submissions/",
        {"text": texts.dd(seconds="9"), "told": {"all": {"sync": "never"}}},
        content_type="application/json",
    )
    assert (refused.status_code, refused.json()["notices"][0]["code"]) == (422, "told")


def test_a_pool_without_a_run_is_refused_with_what_to_add(client):
    response = client.post("/submit/", {"text": texts.status()})
    assert (response.status_code, "only a description of the pool" in response.content.decode()) == (
        422,
        True,
    )
    timed = client.post(
        "/submit/", {"text": texts.status(), "timings": "boot took 1:20", "action": "publish"}
    )
    assert timed.status_code == 201


def test_a_run_beside_it_is_published_as_it_is_alone(client):
    answer = publish_text(client, pastes.diskinfo() + texts.status())
    assert (len(answer["results"]), answer["left_out"]) == (1, [])


def test_two_runs_of_a_pool_are_compared_by_their_conditions(client):
    first, second = publish(
        client, texts.status() + texts.dd() + texts.dd(seconds="10"), told={"all": {"sync": "always"}}
    )
    pair = client.get(f"/api/v1/compare/results/?a={first['id']}&b={second['id']}").json()
    conditions = {
        condition["condition"]: (condition["a"], condition["b"], condition["differs"])
        for condition in pair["conditions"]
    }
    assert conditions["pool"] == ("one pool", "one pool", False)
    assert conditions["compression"] == (None, None, False)
    assert [(ratio["key"], ratio["ratio"]) for ratio in pair["ratios"]] == [("pool_mib_s", 2.0)]


def test_flagged_runs_are_not_suggested_for_comparison(client):
    first, second, zeros = publish(
        client,
        texts.status()
        + texts.dd(operands="if=/dev/urandom of=/a/x bs=1M")
        + texts.dd(operands="if=/dev/urandom of=/a/y bs=1M", seconds="21")
        + texts.dd(seconds="1.1"),
    )
    page = client.get(f"/results/{first['id']}/").content.decode()
    assert (f"b={second['id']}" in page, f"b={zeros['id']}" in page) == (True, False)


def test_fio_on_a_file_without_a_device_can_be_described_as_a_workload_on_a_pool(client):
    refused = client.post("/submit/", {"text": texts.fio()})
    assert (refused.status_code, 'name="told-all-vdev_type"' in refused.content.decode()) == (422, True)
    preview = client.post("/submit/", {"text": texts.fio(), "told-all-vdev_type": "mirror"})
    assert (preview.status_code, "Workloads on pools" in preview.content.decode()) == (200, True)


def test_parse_has_the_pool_of_each_run(client):
    sent = {"text": texts.WHOLE}
    dd, fio = client.post("/api/v1/parse/", sent, content_type="application/json").json()["runs"]
    assert dd["pool"] == fio["pool"]
    assert (dd["pool"]["name"], dd["pool"]["properties"]["sync"]) == (NAME, "always")
    assert [device["model_name"] for device in dd["pool"]["log_devices"]] == [texts.LOG_MODEL]


def test_a_log_device_named_by_its_id_is_its_model(client):
    known = make_device(model_name="INTEL SSDPEL1K100GA", capacity_bytes=100_030_242_816)
    make_result(device=known)
    logs = "\tlogs\n\t  nvme-INTEL_SSDPEL1K100GA_ZWERG0815-part1  ONLINE       0     0     0\n"
    (run,) = publish(client, texts.status(logs=logs) + texts.dd())
    assert run["pool_io"]["log_name"] == "INTEL SSDPEL1K100GA"
    assert list(Pool.objects.get().logs.all()) == [known]
    page = client.get(Pool.objects.get().get_absolute_url()).text
    assert f'href="{known.get_absolute_url()}"' in page.partition('id="logs"')[2]
    assert "ZWERG0815" not in page
    list(reread_all(only_outdated=False))
    assert list(Pool.objects.get().logs.all()) == [known]


def test_a_log_device_that_nobody_has_measured_is_named_all_the_same(client):
    logs = "\tlogs\n\t  ata-INTEL_SSDSC2BA100G3_ZWERG0815  ONLINE       0     0     0\n"
    publish(client, texts.status(logs=logs) + texts.dd())
    log = Pool.objects.get().logs.get()
    assert (log.model_name, log.capacity_bytes, log.device_class) == ("INTEL SSDSC2BA100G3", None, "sata_ssd")
    assert "INTEL SSDSC2BA100G3" in client.get(Pool.objects.get().get_absolute_url()).text


def test_smartctl_describes_a_log_device_better_than_its_id(client):
    logs = "\tlogs\n\t  ata-MARVELL_SD88SA02_ZWERG0815  ONLINE       0     0     0\n"
    described = pastes.smartctl(serial="ZWERG0815")
    publish(client, texts.status(logs=logs) + described + texts.dd())
    (log,) = Pool.objects.get().logs.all()
    assert log.capacity_bytes is not None
