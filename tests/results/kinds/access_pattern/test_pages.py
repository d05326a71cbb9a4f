from urllib.parse import unquote

import pytest

from results.models import Result
from results.submissions.intake.reread import reread_all
from tests.factories import make_result, rank_everything
from tests.page import Page, asked_in
from tests.results.kinds.access_pattern import texts
from tests.results.kinds.pool_io import texts as pools
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db


def test_each_tool_has_a_result_with_a_chart_and_the_sizes_a_link_to_their_mix(client):
    results = publish(client, pools.status() + texts.WHOLE, told={"all": {"file_systems": "5"}})
    page = Page(client.get(f"/results/{results[5]['id']}/"))
    (link,) = {link for link in page.links.values() if link.startswith("/workload/")}
    assert unquote(link) == "/workload/?mix=4k:50,8k:30,16k:10,128k:10#answer"
    assert "How large the writes are" in page.text
    assert client.get(link).status_code == 200
    for result in results:
        page = client.get(f"/results/{result['id']}/").text
        has_chart = "<svg" in page.partition('id="access-pattern"')[2]
        assert has_chart == (result["method"] != "zilstat"), result["method"]


def test_the_preview_shows_the_charts_and_asks_what_the_text_does_not_say(client):
    preview = client.post("/submit/", {"text": texts.IOPATTERN})
    assert "How random the writes are, row by row" in preview.text
    assert {"observed", "file_systems", "seconds_a_row", "log_device"} <= asked_in(preview)
    sizes = client.post("/submit/", {"text": pools.status() + texts.sizes()})
    assert {"observed", "seconds_a_row", "log"}.isdisjoint(asked_in(sizes))
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
