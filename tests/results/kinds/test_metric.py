"""A metric is defined in one place: one added by a test appears everywhere."""

import csv
from io import StringIO

import pyarrow.parquet
import pytest
from django.core.management import call_command
from django.db import connection

from results.api.docs import schema_file
from results.api.parameters import field_names
from results.exports.build import CURRENT, build_exports
from results.kinds.curve.metrics import METRICS
from results.kinds.metric import Metric
from results.kinds.pool.metrics import METRICS as POOL_METRICS
from results.kinds.tables import measures
from results.models import Result
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_result, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db

TOY = Metric(
    key="toy_latency_us",
    label="Toy latency",
    short_label="Toy",
    unit="µs",
    is_lower_better=True,
    meaning="Twice the latency at 4 KiB.",
    compute=lambda payload: payload["latency_us"][3] and 2 * payload["latency_us"][3],
)


@pytest.fixture
def _toy(monkeypatch):
    monkeypatch.setitem(METRICS, TOY.key, TOY)
    field_names.cache_clear()
    schema_file.cache_clear()
    yield
    field_names.cache_clear()
    schema_file.cache_clear()


@pytest.fixture
def device(_toy):
    """Two devices measured after the metric was defined; returns the faster one."""
    made = [make_result(latency_us).device for latency_us in (20, 30)]
    rank_everything()
    return made[0]


def test_a_unit_that_the_label_says_is_not_repeated():
    iops, latency = POOL_METRICS["pool_iops"], POOL_METRICS["pool_latency_us"]
    shown = measures({iops.key: 13570.0, latency.key: 73.7}, (iops, latency))
    assert [measure.unit for measure in shown] == ["", "µs"]
    assert (iops.with_unit(13570), latency.with_unit(73.7)) == ("13,570/s", "73.7 µs")


def test_it_is_a_column_of_the_leaderboard_that_sorts(client, device):
    page = client.get("/leaderboard/?view=table&sort=-toy_latency")
    assert Page(page).root.find_class("compare-add")[-1].get("href").endswith(f"={device.slug}")
    assert "devices, sorted by Toy latency, highest first" in page.text
    assert 'data-name="Toy" data-unit="µs">40.0</td>' in page.text
    assert "Toy latency 40.0 µs" in Page(client.get("/leaderboard/?sort=-toy_latency")).text


def test_it_is_on_every_page_and_export_of_devices_and_results(client, device):
    slugs = ",".join(main_rows().values_list("device__slug", flat=True))
    explained = "/about/#metric-toy-latency-us"
    for url, text in (
        ("/leaderboard.md", "| Toy µs |"),
        ("/leaderboard.bbcode", "[th]Toy µs[/th]"),
        (f"/compare/?devices={slugs}", "Toy latency"),
        (device.get_absolute_url(), explained),
        (Result.objects.first().get_absolute_url(), explained),
        ("/about/", 'id="metric-toy-latency-us"'),
    ):
        assert text in client.get(url).text, url


def test_it_is_a_field_of_the_api_and_of_its_schema(client, device):
    (row, _) = client.get("/api/v1/leaderboard/?ordering=toy_latency_us").json()["results"]
    assert (row["device"]["slug"], row["toy_latency_us"]) == (device.slug, 40)
    assert client.get(f"/api/v1/devices/{device.slug}/").json()["rankings"][0]["toy_latency_us"] == 40
    assert client.get("/api/v1/results/").json()["results"][0]["metrics"]["toy_latency_us"] in (40, 60)
    metric = client.get("/api/v1/schema/").json()["components"]["schemas"]["Metrics"]["properties"]
    assert metric["toy_latency_us"]["description"] == "Twice the latency at 4 KiB. In µs."


@pytest.mark.usefixtures("device")
@pytest.mark.django_db(transaction=True)
def test_it_is_a_column_of_the_exports(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path)
    manifest = build_exports()
    columns = {column["name"]: column["meaning"] for column in manifest.files[0].columns}
    assert columns["toy_latency_us"] == "Twice the latency at 4 KiB. In µs."
    folder = tmp_path / CURRENT
    with (folder / "results.csv").open() as file:
        assert {row["toy_latency_us"] for row in csv.DictReader(file)} == {"40", "60"}
    assert set(pyarrow.parquet.read_table(folder / "results.parquet")["toy_latency_us"].to_pylist()) == {
        40,
        60,
    }


@pytest.mark.usefixtures("everyone_is_trusted")
def test_reread_fills_results_from_before_it_was_defined(settings, tmp_path, monkeypatch):
    settings.EXPORT_FOLDER = tmp_path
    receive_submission(pastes.FIRST_PASTE, Sender())
    before = Result.objects.get()
    assert TOY.key not in before.metrics
    monkeypatch.setitem(METRICS, TOY.key, TOY)
    call_command("reread", "--all", stdout=StringIO())
    after = Result.objects.get()
    assert after.metrics == before.metrics | {TOY.key: pytest.approx(2 * before.metrics["latency_4k_us"])}
    assert TOY.key in main_rows().get().metrics


def test_a_metric_of_curves_has_an_index_each_way(subtests):
    for way in ["up", "down"]:
        for key in METRICS:
            with subtests.test(way=way, key=key):
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT indexdef FROM pg_indexes WHERE indexname = %s", [f"ranking_by_{key}_{way}"]
                    )
                    ((definition,),) = cursor.fetchall()
                assert f"'{key}'" in definition
