import pytest
from django.conf import settings

from parsers.paste import parse_paste
from results.kinds.curve.charts import tail_points
from results.kinds.registry import find_runs
from results.models import Result
from tests import pastes
from tests.factories import curve_metrics, make_device, make_result, rank_everything
from tests.page import Page
from tests.results.kinds.latency_curve.test_runs import FIO

pytestmark = pytest.mark.django_db
PERCENTILES = """\
    clat percentiles (usec):
     |  1.00th=[   20], 50.00th=[   28], 99.00th=[   41], 99.90th=[   77],
     | 99.99th=[  310]
  fsync/fdatasync/sync_file_range:
    sync (usec): min=100, max=9000, avg=170.50, stdev=20.00
    sync percentiles (usec):
     |  1.00th=[  101], 50.00th=[  160], 99.00th=[  302], 99.90th=[  910],
     | 99.99th=[ 5211]
"""
WITH_TAILS = FIO.partition("  fsync/fdatasync")[0] + PERCENTILES + pastes.smartctl(model="SAMPLE NVMe")
TAILS = {"4096": {"write": [41, 77, 310, None], "flush": [302, 910, 5211, 9000]}}
CURVE = [None] * 3 + [200.0] + [None] * 11


def test_percentiles_of_writes_and_flushes_are_separate():
    (run,) = find_runs(parse_paste(WITH_TAILS, unit_key=settings.UNIT_KEY.encode())).runs
    assert run.sync_method == "fsync"
    parts = run.payload["tails"]["4096"]
    assert parts["flush"] == TAILS["4096"]["flush"]
    assert parts["write"][:3] == TAILS["4096"]["write"][:3]


def test_slow_write_is_the_flush_if_it_is_a_separate_step(subtests):
    for tails, slow_us in [
        (TAILS, 302),
        ({"4096": {"write": [41, None, None, None]}}, 41),
        ({"8192": {"write": [41, None, None, None]}}, None),
        (None, None),
    ]:
        with subtests.test(tails=tails):
            assert curve_metrics(CURVE, tails).get("slow_write_us") == slow_us


def test_band_reaches_from_the_latency_to_the_p99():
    (point,) = tail_points(CURVE, TAILS)
    assert (point.low_us, point.latency_us, point.high_us) == (200, 200, 302)
    (point,) = tail_points([None] * 3 + [400.0] + [None] * 11, TAILS)
    assert (point.low_us, point.high_us) == (None, None)


def test_a_result_shows_and_lists_its_slow_writes(client):
    response = client.post("/api/v1/submissions/", WITH_TAILS, content_type="text/plain")
    (record,) = response.json()["results"]
    tails = record["latency_curve"]["tails"]
    slow_us, flush = record["metrics"]["slow_write_us"], tails[1]
    assert (slow_us, flush["part"], flush["p9999_us"]) == (302, "flush", 5211)
    page = client.get(f"/results/{record['id']}/").content.decode()
    assert "Slow writes" in page
    assert "their percentiles don’t add up" in page
    conditions = client.get(f"/api/v1/results/{record['id']}/").json()["conditions"]
    assert conditions["sync_method"] == "fsync"


def test_fios_leaderboard_sorts_by_slow_writes(client):
    for name, slow_us in (("steady", 300), ("jumpy", 3000), ("silent", None)):
        tails = slow_us and {"4096": {"flush": [slow_us, None, None, None]}}
        make_result(
            CURVE,
            method="fio",
            tails=tails,
            metrics=curve_metrics(CURVE, tails),
            device=make_device(slug=name),
        )
    rank_everything()
    page = client.get("/leaderboard/?method=fio&sort=slow_write", follow=True)
    compare = [link.get("href") for link in Page(page).root.find_class("compare-add")]
    assert compare == [f"/compare/?devices={slug}" for slug in ("steady", "jumpy", "silent")]
    assert Result.objects.count() == 3
    assert "Slow write" not in client.get("/leaderboard/?method=diskinfo").content.decode()


def test_run_without_percentiles_stores_none(client):
    """The column is NULL, not JSON's null, as for nearly every result."""
    client.post("/api/v1/submissions/", pastes.FIRST_PASTE, content_type="text/plain")
    assert Result.objects.filter(tails__isnull=True).count() == 1
