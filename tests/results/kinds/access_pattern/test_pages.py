import csv
import re
from urllib.parse import unquote

import pytest

from results.exports.build import build_exports
from results.models import Result
from results.submissions.intake.reread import reread_all
from tests.factories import make_result, rank_everything
from tests.results.kinds.access_pattern import texts
from tests.results.kinds.pool_io import texts as pools
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db
NAMES = (pools.POOL, pools.HOST, "ZWERG0815")


def test_patterns_are_published_about_their_pool_and_never_ranked(client, django_assert_max_num_queries):
    results = publish(client, pools.status() + texts.WHOLE, told={"all": {"file_systems": "5"}})
    assert [one["method"] for one in results] == [
        "iopattern",
        "seeksize",
        "bitesize",
        "zilstat",
        "biolatency",
        "zpool_iostat_r",
        "zpool_iostat_w",
    ]
    assert {(one["kind"], one["subject"], one["is_ranked"]) for one in results} == {
        ("access_pattern", "pool", False)
    }
    sizes = results[5]
    assert sizes["access_pattern"]["mix"] == "4k:50,8k:30,16k:10,128k:10"
    assert sizes["access_pattern"]["asks"]["bound"] == "latency"
    assert sizes["access_pattern"]["sizes"][3] == {"bytes": 4096, "count": 500}
    with django_assert_max_num_queries(10):
        page = client.get(f"/results/{sizes['id']}/").content.decode()
    (link,) = re.findall(r'href="(/workload/[^"]+)#answer"', page)
    assert unquote(link) == "/workload/?mix=4k:50,8k:30,16k:10,128k:10"
    assert "How large the writes are" in page
    assert client.get(link).status_code == 200
    for one in results:
        page = client.get(f"/results/{one['id']}/").content.decode()
        assert ("<svg" in page.partition('id="access-pattern"')[2], one["method"] == "zilstat") in (
            (True, False),
            (False, True),
        )
        record = client.get(f"/api/v1/results/{one['id']}/").content.decode()
        assert not [name for name in NAMES if name in page + record]


def test_the_preview_shows_the_charts_and_asks_what_the_text_does_not_say(client):
    preview = client.post("/submit/", {"text": texts.IOPATTERN}).content.decode()
    assert "How random the writes are, row by row" in preview
    assert {"observed", "file_systems", "seconds_a_row", "log_device"} <= set(
        re.findall(r'name="told-all-([a-z_]+)"', preview)
    )
    sizes = client.post("/submit/", {"text": pools.status() + texts.sizes()}).content.decode()
    assert {"observed", "seconds_a_row", "log"}.isdisjoint(re.findall(r'name="told-all-([a-z_]+)"', sizes))
    refused = client.post("/submit/", {"text": texts.IOPATTERN, "told-all-file_systems": "many"})
    assert "Enter a whole number from 1 to 10,000." in refused.content.decode()


def test_the_drives_own_figure_is_beside_the_latencies(client):
    make_result(device__slug="sample", device__model_name="SAMPLE X1")
    rank_everything()
    (result,) = publish(client, texts.latencies(), told={"all": {"log": "device", "log_device": "sample"}})
    page = client.get(f"/results/{result['id']}/").content.decode()
    assert 'href="/devices/sample/"' in page
    assert "The line is what SAMPLE X1 alone takes for a 4 KiB sync write" in page
    other = publish(client, texts.latencies().replace("32us ", "31us "))
    page = client.get(f"/results/{other[0]['id']}/").content.decode()
    assert ("How long the I/Os take" in page, "alone takes" in page) == (True, False)


def test_answers_survive_a_reread(client):
    publish(client, texts.IOPATTERN, told={"all": {"seconds_a_row": "10", "observed": "log"}})
    list(reread_all(only_outdated=False))
    result = Result.objects.get()
    assert (result.access_pattern.seconds_a_row, result.access_pattern.observed) == (10, "log")
    assert result.metrics["pattern_mib_s"] == 0.6510417


@pytest.mark.django_db(transaction=True)
def test_patterns_are_listed_exported_and_compared(client, tmp_path, settings):
    settings.EXPORT_FOLDER = str(tmp_path)
    first, second = publish(client, texts.sizes() + texts.sizes(options="-ryv").replace(pools.POOL, "dackel"))
    page = client.get("/results/?kind=access_pattern").content.decode()
    assert page.count("zpool iostat -r") >= 2
    assert client.get("/api/v1/results/?kind=access_pattern").json()["count"] == 2
    assert first["id"] in client.get("/feeds/results.atom").content.decode()
    assert client.get(f"/results/{first['id']}/preview.png").status_code == 200
    build_exports()
    with (tmp_path / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    row = rows[first["id"]]
    assert (
        row["kind"],
        row["small_write_percent"],
        row["access_pattern.sizes"].startswith('[{"bytes": 512, "count": 0}'),
    ) == (
        "access_pattern",
        "50",
        True,
    )
    pair = client.get(f"/api/v1/compare/results/?a={first['id']}&b={second['id']}").json()
    assert {one["key"]: one["ratio"] for one in pair["ratios"]}["small_write_percent"] == 1
    assert {one["is_lower_better"] for one in pair["ratios"]} == {None}
    assert client.get(f"/compare/results/?a={first['id']}&b={second['id']}").status_code == 200


def test_what_nothing_was_written_to_is_refused(client):
    response = client.post("/submit/", {"text": texts.sizes(sync=(0,) * 6)})
    assert (response.status_code, "Observe busy minutes" in response.content.decode()) == (422, True)
