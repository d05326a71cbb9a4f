"""A series from the paste to its page, the API and the exports, and what the preview asks about it."""

import csv
import json

import pytest

from results.exports.build import build_exports
from results.kinds.series.models import Sustained, SustainedSeries
from results.kinds.series.samples import unpack
from results.models import Device, Result, Submission
from results.submissions.intake.reread import reread_all
from tests.page import Page, asked_in
from tests.results.kinds.sustained import texts
from tests.results.publishing import publish_text

pytestmark = pytest.mark.django_db
EPOCH_MS = 1_790_000_000_000  # a time of the clock


def publish(client, text, answers=None, status=201):
    told = {"told": {"all": answers}} if answers else {}
    return publish_text(client, text, status, **told)


def preview(client, text, **answers):
    fields = {f"told-all-{key}": value for key, value in answers.items()}
    return client.post("/submit/", {"text": text, "action": "preview", **fields})


def test_a_series_is_stored_and_on_the_page_of_its_device(client):
    publish(client, texts.device() + texts.csv(texts.FALLING), texts.ANSWERS)
    stored = SustainedSeries.objects.get()
    assert (stored.sample_count, list(unpack(bytes(stored.iops)).values)) == (480, texts.FALLING)
    section = Page(client.get(Device.objects.get().get_absolute_url())).text
    assert "random, 4 KiB, 4 KiB aligned, 64 in flight, not synced" in section
    list(reread_all(only_outdated=False))
    assert SustainedSeries.objects.get().sample_count == 480


def test_fio_logs_of_several_jobs_are_added_up(client):
    text = texts.device() + texts.log(texts.FALLING, job=1) + texts.log(texts.FALLING, job=2)
    (result,) = publish(client, text, texts.ANSWERS)["results"]
    assert (result["method"], result["metrics"]["sustained_iops"]) == ("fio_log", 10_000)


def test_throughput_is_read_as_writes_of_the_stated_size(client):
    text = texts.device() + texts.log([4000] * 400, metric="bw")
    answer = publish(client, text, status=422)
    assert "State the transfer size" in str(answer)
    (result,) = publish(client, text, {"series_size": "4096"})["results"]
    assert result["metrics"]["sustained_iops"] == 1000


def test_latencies_are_ns_or_us(client):
    for values, answers, expected in (
        ([50_000] * 400, {}, 50),
        ([500] * 400, {}, 500),
        ([5000] * 400, {"series_unit": "us"}, 5000),
    ):
        text = texts.device() + texts.log(values, metric="lat")
        (result,) = publish(client, text, answers)["results"]
        assert (result["metrics"]["sustained_latency_us"], result["metrics"]["sustained_p99_us"]) == (
            expected,
            expected,
        )
        assert result["sustained"]["verdict"] is None
        assert client.get(f"/results/{result['id']}/").status_code == 200


def test_phases_are_told_by_the_clock(client):
    text = (
        texts.device()
        + texts.log(texts.FALLING, job=1, start_ms=EPOCH_MS)
        + texts.log(texts.minutes(*[9000] * 6), job=2, start_ms=EPOCH_MS + 4_000_000)
    )
    answer = publish(client, text, texts.ANSWERS)
    assert answer["notices"] == []
    (result,) = answer["results"]
    payload = result["sustained"]
    assert [(phase["start_s"], len(phase["rounds"])) for phase in payload["phases"]] == [(0, 8), (4000, 6)]
    assert result["metrics"]["recovery_percent"] == 18
    assert payload["verdict"] == "plateau"


def test_logs_one_after_the_other_are_phases_if_the_sender_says_so(client):
    text = texts.device() + texts.log(texts.FALLING, job=1) + texts.log(texts.FALLING, job=2)
    answers = {**texts.ANSWERS, "series_logs": "in_turn", "series_idle": "60"}
    (result,) = publish(client, text, answers)["results"]
    assert [phase["start_s"] for phase in result["sustained"]["phases"]] == [0, 480 + 3600]
    assert result["metrics"]["recovery_percent"] == 100


def test_what_a_log_does_not_say_is_asked(client):
    bare = texts.log(texts.FALLING).partition("\n")[2]
    refused = preview(client, bare)
    assert refused.status_code == 422
    assert (
        "State which device was tested (or add the output of smartctl -a) and what the log contains"
        in Page(refused).text
    )
    assert {"series_device", "series_metric", "series_size"} <= asked_in(refused)
    assert not Submission.objects.exists()

    publish(client, texts.device() + texts.csv(texts.FALLING))
    device = Device.objects.get()
    found = preview(client, bare, series_device=device.slug, series_metric="iops")
    assert found.status_code == 200
    assert "1 run will be published" in Page(found).text
    unknown = preview(client, bare, series_device="quux", series_metric="iops")
    assert "Nobody has measured a device by this name yet." in Page(unknown).text


def test_a_log_of_reads_is_refused_and_mixed_ones_count_their_writes(client):
    answer = publish(client, texts.device() + texts.log([5] * 400, direction=0), status=422)
    assert "no writes" in str(answer)
    mixed = texts.log([500] * 400) + texts.log([9000] * 400, direction=0).partition("\n")[2]
    answer = publish(client, texts.device() + mixed)
    (result,) = answer["results"]
    assert result["metrics"]["sustained_iops"] == 500
    assert "only its writes count" in str(answer["notices"])


@pytest.mark.parametrize("missing", [None, "series_pattern", "series_size", "series_depth", "series_sync"])
def test_a_steady_series_is_on_the_board_if_its_load_is_known(client, missing):
    answers = {**texts.ANSWERS, "series_state": "preconditioned"}
    answers.pop(missing, None)
    (result,) = publish(client, texts.device() + texts.csv(texts.FALLING), answers)["results"]
    assert result["sustained"]["verdict"] == "steady"
    assert Sustained.objects.get().is_on_board is (missing is None)
    reason = "It is ranked by sustained IOPS, not by latency."
    assert (Result.objects.get().not_ranked_reason == reason) is (missing is None)


def test_the_largest_log_is_previewed_and_stored(client):
    text = texts.device() + texts.log([5000] * 99_990)
    found = preview(client, text)
    assert "1 run will be published" in Page(found).text
    assert found.text.count('class="line"') < 500
    (result,) = publish(client, text)["results"]
    page = client.get(f"/results/{result['id']}/")
    assert page.status_code == 200
    assert len(page.content) < 300_000


def test_fio_beside_its_logs_says_how_they_were_written(client):
    text = texts.fio() + texts.log(texts.FALLING) + "\n" + texts.device()
    answer = publish(client, text, {"series_state": "preconditioned"})
    (result,) = answer["results"]
    assert (result["kind"], answer["left_out"], answer["notices"]) == ("sustained", [], [])
    payload = result["sustained"]
    assert (payload["random_percent"], payload["transfer_size"], payload["queue_depth"]) == (100, 4096, 32)
    assert Result.objects.get().sync_method == "none"
    assert Sustained.objects.get().is_on_board
    preview_of = preview(client, text)
    assert asked_in(preview_of) == {"series_state", "series_align"}


@pytest.mark.django_db(transaction=True)
def test_the_series_are_exported_as_numbers_and_their_texts_without_them(client, tmp_path, settings):
    settings.EXPORT_FOLDER = str(tmp_path)
    (result,) = publish(client, texts.device() + texts.csv(texts.FALLING), texts.ANSWERS)["results"]
    build_exports()
    current = tmp_path / "current"
    with (current / "series.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == texts.FALLING
    assert rows[0] == {"result": result["id"], "quantity": "iops", "seconds": "1", "value": "50000"}
    (text,) = (json.loads(line)["text"] for line in (current / "texts.ndjson").read_text().splitlines())
    assert "seconds,iops" in text
    assert "1,50000" not in text
    assert "Device Model" in text


@pytest.mark.parametrize(
    ("start_ms", "jobs", "answers"),
    [(1000, (1, 2), {}), (EPOCH_MS, (1, 2), {}), (1000, (1, 1), {"series_logs": "together"})],
)
def test_logs_of_different_lengths_are_read_up_to_the_shortest(client, start_ms, jobs, answers):
    logs = [
        texts.log([500] * count, job=job, start_ms=start_ms)
        for count, job in zip((500, 400), jobs, strict=True)
    ]
    answer = publish(client, texts.device() + "".join(logs), {**texts.ANSWERS, **answers})
    (result,) = answer["results"]
    assert result["metrics"]["sustained_iops"] == 1000
    assert [len(phase["rounds"]) for phase in result["sustained"]["phases"]] == [6]
    assert [notice["code"] for notice in answer["notices"]] == ["different_lengths"]


def test_a_clock_that_jumps_by_more_than_a_week_is_refused_and_by_less_is_a_pause(client):
    def jumped(days):
        later = (f"{days * 86_400_000 + at * 1000}, 500, 1, 0, 0\n" for at in range(400))
        return texts.device() + texts.log([500] * 400) + "".join(later)

    answer = publish(client, jumped(8), status=422)
    assert "longer than 7 days, or its clock jumped" in str(answer)
    (result,) = publish(client, jumped(1))["results"]
    assert [len(phase["rounds"]) for phase in result["sustained"]["phases"]] == [6, 6]


def test_samples_at_one_time_and_negative_ones_do_no_harm(client):
    rows = "1000, 500, 1, 0\n1000, 900, 1, 0\n1000, 900, 1, 0\n-5, 7, 1, 0\n" + "".join(
        f"{2000 + at * 1000}, 500, 1, 0\n" for at in range(400)
    )
    answer = publish(client, texts.device() + "==> x_iops.1.log <==\n" + rows)
    (result,) = answer["results"]
    assert (result["metrics"]["sustained_iops"], result["is_complete"]) == (500, False)


def test_a_row_for_each_write_is_counted(client):
    rows = "".join(f"{at * 10}, 1, 1, 4096\n" for at in range(1, 40_001))
    (result,) = publish(client, texts.device() + "==> x_iops.1.log <==\n" + rows)["results"]
    assert result["metrics"]["sustained_iops"] == pytest.approx(100, rel=0.01)


@pytest.mark.parametrize(
    "logs",
    [
        texts.log([500] * 60) + texts.log([500] * 60, metric="lat", start_ms=10**14),
        texts.log([500] * 60, start_ms=16 * 10**11) + texts.log([500] * 60, job=2, start_ms=9 * 10**14),
    ],
)
def test_logs_that_are_years_apart_are_refused(client, logs):
    answer = publish(client, texts.device() + logs, texts.ANSWERS, status=422)
    assert "too_long_series" in [notice["code"] for notice in answer["notices"]]


@pytest.mark.parametrize("answers", [texts.ANSWERS, {}])
def test_a_series_beyond_the_fastest_link_of_its_class_is_refused(client, answers):
    """A typed file of seconds and figures is on a board at once, so what no device can do must not get there."""
    rows = "".join(f"{at},1000000000\n" for at in range(1, 361))
    text = f"{texts.device()}seconds,iops\n{rows}"
    answer = publish(client, text, answers, status=422)
    (message,) = [notice["message"] for notice in answer["notices"] if notice["code"] == "impossible_figure"]
    assert message.startswith("These figures can’t be right: 1,000,000,000 writes per second are more than ")
    assert not Result.objects.exists()
