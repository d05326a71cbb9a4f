"""Who may read /metrics, and what it says."""

from importlib import import_module
from ipaddress import ip_network

import pytest
from prometheus_client.parser import text_string_to_metric_families

from results.operations.metrics import NAMES

pytestmark = pytest.mark.django_db(transaction=True)
import_module("slogdb.page_cache")  # by which the web server declares its counters
OUTSIDE = {"REMOTE_ADDR": "192.0.2.7"}


def test_prometheus_reads_metrics_by_ip_address_from_a_configured_network(client, settings):
    settings.METRICS_NETWORKS = [*settings.METRICS_NETWORKS, ip_network("172.16.0.0/12")]
    response = client.get("/metrics", HTTP_HOST="172.18.0.4:8000")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    found = {family.name: family for family in text_string_to_metric_families(response.text)}
    assert set(NAMES) <= set(found)
    assert {
        "slogdb_page_cache_requests",
        "slogdb_pastes",
        "slogdb_tasks",
        "django_http_requests_before_middlewares",
    } <= set(found)
    assert found["slogdb_database_up"].samples[0].value == 1
    assert found["slogdb_backup_age_seconds"].samples == []


def test_others_get_a_404(client, subtests):
    for proxied in [
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
        OUTSIDE,
        {"REMOTE_ADDR": ""},
        {**OUTSIDE, "HTTP_AUTHORIZATION": "Bearer "},
        {**OUTSIDE, "HTTP_AUTHORIZATION": "Bearer wrong"},
    ]:
        with subtests.test(proxied=proxied):
            assert client.get("/metrics", **proxied).status_code == 404


def test_the_token_is_accepted_from_any_network(client, settings):
    settings.METRICS_TOKEN = "drawn-for-prometheus"
    given = {**OUTSIDE, "HTTP_AUTHORIZATION": "Bearer drawn-for-prometheus"}
    assert client.get("/metrics", **given).status_code == 200
    assert client.get("/metrics", **OUTSIDE, HTTP_AUTHORIZATION="Bearer drawn").status_code == 404


@pytest.mark.parametrize(
    "host", ["rebound.example", "rebound.example:8000", "192.0.2.7", "[2001:db8::1]:80", "a b"]
)
def test_an_unknown_host_is_refused_from_a_configured_network(client, host):
    assert client.get("/metrics", HTTP_HOST=host).status_code == 400


@pytest.mark.parametrize("host", ["testserver", "127.0.0.1:8000", "[::1]:8000"])
def test_an_allowed_host_is_accepted_from_a_configured_network(client, host):
    assert client.get("/metrics", HTTP_HOST=host).status_code == 200


@pytest.mark.usefixtures("redis_away")
def test_metrics_omit_the_queue_without_redis(client):
    found = {family.name: family for family in text_string_to_metric_families(client.get("/metrics").text)}
    assert found["slogdb_redis_up"].samples[0].value == 0
    assert found["slogdb_queue_depth"].samples == []
