import csv
import re

import pytest

from results.exports.build import build_exports
from results.models import Device, Pool, Result, Submission
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.factories import make_device, make_result
from tests.results.kinds.pool_io import texts
from tests.results.publishing import publish, publish_text

pytestmark = pytest.mark.django_db
NAME = "Pool: 2 mirrors of 2, with a log device"
NAMES = (texts.POOL, texts.HOST, texts.DATASET, "ZWERG0815")


def test_a_workload_is_published_with_its_pool_and_never_ranked(client, django_assert_max_num_queries):
    dd, fio = publish(client, texts.WHOLE)
    pool = Pool.objects.get()
    assert (dd["subject"], dd["pool"], dd["device"], dd["is_ranked"], dd["kind"]) == (
        "pool",
        pool.public_id,
        None,
        False,
        "pool_io",
    )
    assert dd["metrics"] == dict.fromkeys(dd["metrics"]) | {"pool_mib_s": 200.0}
    assert {
        name: dd["pool_io"][name] for name in ("log", "log_name", "sync_mode", "record_size", "data_bytes")
    } == {
        "log": "device",
        "log_name": texts.LOG_MODEL,
        "sync_mode": "always",
        "record_size": 131072,
        "data_bytes": 4194304000,
    }
    with django_assert_max_num_queries(10):
        page = client.get(f"/results/{dd['id']}/").content.decode()
    assert f"One run of a pool: {NAME.removeprefix('Pool: ')}" in page
    assert "210 MB/s of zeros is memory and compression" in page
    assert "each write, by sync=always" in page
    assert "The log took 95.2 % of write operations" in client.get(f"/results/{fio['id']}/").content.decode()
    with django_assert_max_num_queries(5):
        page = client.get(pool.get_absolute_url()).content.decode()
    assert 'aria-label="Data: 2 mirrors of 2. Log device: a single disk."' in page
    assert texts.LOG_MODEL in page
    assert Device.objects.get(model_name__contains="LOG").result_count == 0  # so it has no page, and no link
    assert "/devices/" not in page.partition('id="logs"')[2].partition("</section>")[0]


def test_no_public_page_has_a_name_of_the_pool_its_data_sets_or_its_host(client):
    dd, fio = publish(client, texts.WHOLE)
    pool = Pool.objects.get().get_absolute_url()
    for path in (
        f"/results/{dd['id']}/",
        f"/results/{fio['id']}/",
        pool,
        "/results/",
        "/feeds/results.atom",
        f"/api/v1{pool}",
        f"/api/v1/results/{dd['id']}/",
        f"/compare/results/?a={dd['id']}&b={fio['id']}",
    ):
        page = client.get(path).content.decode()
        assert not [name for name in NAMES if name in page], path


def test_the_preview_asks_what_the_text_does_not_say(client):
    preview = client.post("/submit/", {"text": texts.status() + texts.dd()}).content.decode()
    asked = set(re.findall(r'name="told-all-([a-z_]+)"', preview))
    assert asked == {
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
    assert "told-line-" not in preview

    several = client.post("/submit/", {"text": texts.dd() + texts.dd(seconds="10")}).content.decode()
    assert {"vdev_type", "vdev_count", "vdev_members"} <= set(
        re.findall(r'name="told-all-([a-z_]+)"', several)
    )
    assert len(set(re.findall(r'name="(told-line-[0-9]+)-sync"', several))) == 2


def test_answers_are_published_and_survive_a_reread(client):
    fields = {"text": texts.status() + texts.dd(), "told-all-compression": "off", "told-all-sync": "always"}
    preview = client.post("/submit/", fields).content.decode()
    (seen,) = re.findall(r'name="seen" value="([0-9a-f]+)"', preview)
    response = client.post("/submit/", {**fields, "seen": seen, "action": "publish"})
    assert response.status_code == 201
    list(reread_all(only_outdated=False))
    result = Result.objects.get()
    assert (result.pool_io.compression, result.pool_io.sync_mode, result.flags) == ("off", "always", [])


def test_changed_answers_are_previewed_before_they_are_published(client):
    fields = {"text": texts.dd()}
    preview = client.post("/submit/", fields).content.decode()
    (seen,) = re.findall(r'name="seen" value="([0-9a-f]+)"', preview)
    changed = client.post("/submit/", {**fields, "seen": seen, "told-all-log": "none", "action": "publish"})
    assert "You changed something after the preview" in changed.content.decode()
    assert not Submission.objects.exists()


def test_the_api_takes_answers_and_timings(client):
    told = {"all": {"vdev_type": "raidz2", "vdev_members": "6"}, "timing-2": {"log": "none"}}
    results = publish(client, texts.dd(), told=told, timings=["installation took 5:31", "again took 4:20"])
    assert [(one["method"], one["pool_io"]["log"], one["pool_io"]["work"]) for one in results] == [
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


@pytest.mark.django_db(transaction=True)
def test_results_of_pools_are_listed_and_exported(client, tmp_path, settings):
    settings.EXPORT_FOLDER = str(tmp_path)
    dd, _ = publish(client, texts.WHOLE)
    assert client.get("/results/?subject=pool&kind=pool_io").content.decode().count(NAME) == 2
    assert client.get("/api/v1/results/?kind=pool_io").json()["count"] == 2
    build_exports()
    with (tmp_path / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    row = rows[dd["id"]]
    assert (row["kind"], row["pool_mib_s"], row["pool_io.compression"], row["pool_io.data_bytes"]) == (
        "pool_io",
        "200",
        "lz4",
        "4194304000",
    )


def test_two_runs_of_a_pool_are_compared_by_their_conditions(client):
    first, second = publish(
        client, texts.status() + texts.dd() + texts.dd(seconds="10"), told={"all": {"sync": "always"}}
    )
    pair = client.get(f"/api/v1/compare/results/?a={first['id']}&b={second['id']}").json()
    conditions = {one["condition"]: (one["a"], one["b"], one["differs"]) for one in pair["conditions"]}
    assert conditions["pool"] == ("one pool", "one pool", False)
    assert conditions["compression"] == (None, None, False)
    assert [(one["key"], one["ratio"]) for one in pair["ratios"]] == [("pool_mib_s", 2.0)]


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
    assert [one["model_name"] for one in dd["pool"]["log_devices"]] == [texts.LOG_MODEL]


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
