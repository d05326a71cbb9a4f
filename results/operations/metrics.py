"""GET /metrics for Prometheus, from configured networks or with the token: counters, and the current state."""

import hmac
import ipaddress
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from prometheus_client import Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from results.core.mail import failed_count
from results.core.middleware import Middleware
from results.core.prometheus import registry
from results.operations import site_state

NAMES = {
    "slogdb_database_up": "1 while PostgreSQL responds.",
    "slogdb_database_read_only": "1 while PostgreSQL is read-only, as after a failover.",
    "slogdb_redis_up": "1 while Redis responds.",
    "slogdb_worker_up": "1 if a worker was seen within the last 20 seconds.",
    "slogdb_scheduler_up": "1 if the scheduler (beat) was seen within the last 20 seconds.",
    "slogdb_queue_depth": "Tasks in the queue.",
    "slogdb_to_review_submissions": "Submissions to be reviewed.",
    "slogdb_archive_failing": "1 while PostgreSQL can't archive its WAL.",
    "slogdb_unranked_boards": "Boards changed since their last class-wide pass.",
    "slogdb_late_devices": "Devices waiting to be ranked.",
    "slogdb_late_age_seconds": "Waiting time of the oldest of them; 0 for none.",
    "slogdb_rank_age_seconds": "Time since the last class-wide pass.",
    "slogdb_export_age_seconds": "Time since the exports were built.",
    "slogdb_backup_age_seconds": "Time since the last verified backup.",
    "slogdb_certificate_left_seconds": "Time until the TLS certificate expires.",
    "slogdb_data_version": "The data version.",
    "slogdb_read_only": "1 while the operator's switch makes the site read-only.",
    "slogdb_left_databases": "Databases that restores replaced and nobody has dropped yet.",
    "slogdb_left_database_age_seconds": "Time since the oldest of them was replaced.",
    "slogdb_mail_failures": "Attempts to send a mail that failed, until none has for an hour.",
    "slogdb_disk_free_bytes": "Free bytes on the disk of the exports.",
}


class StandingCollector(Collector):
    """Gauges of the current state; an unknown one has no sample."""

    def collect(self) -> Iterator[Metric]:
        for name, value in _figures().items():
            family = GaugeMetricFamily(name, NAMES[name])
            if value is not None:
                family.add_metric([], value)
            yield family


def _figures() -> dict[str, float | None]:
    stored, queue = site_state.stored(), site_state.queue()
    found: dict[str, float | None] = dict.fromkeys(NAMES)
    found["slogdb_database_up"], found["slogdb_redis_up"] = stored is not None, queue is not None
    if queue is not None:
        found["slogdb_worker_up"] = queue.is_worker_seen
        found["slogdb_scheduler_up"] = queue.is_scheduler_seen
        found["slogdb_queue_depth"] = queue.depth
    if stored is not None:
        found["slogdb_database_read_only"] = float(stored.is_read_only)
        found["slogdb_to_review_submissions"] = stored.to_review_count
        found["slogdb_archive_failing"] = float(stored.is_archive_failing)
        found["slogdb_unranked_boards"] = stored.unranked_boards
        found["slogdb_late_devices"] = stored.late_devices
        found["slogdb_late_age_seconds"] = stored.late_age_s or 0
        found["slogdb_rank_age_seconds"] = stored.rank_age_s
        found["slogdb_data_version"] = stored.data_version
        found["slogdb_read_only"] = float(bool(stored.read_only_reason))
    if (left := site_state.left_databases()) is not None:
        found["slogdb_left_databases"], found["slogdb_left_database_age_seconds"] = left.count, left.oldest_s
    found["slogdb_mail_failures"] = failed_count()
    found["slogdb_export_age_seconds"] = site_state.export_age_s()
    found["slogdb_backup_age_seconds"] = site_state.backup_age_s()
    found["slogdb_certificate_left_seconds"] = site_state.certificate_left_s()
    found["slogdb_disk_free_bytes"] = site_state.free_bytes(settings.EXPORT_FOLDER)
    return found


PATH = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_FORWARDED_BY = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


class MetricsMiddleware(Middleware):
    """Serve /metrics ahead of the host check, since Prometheus uses server addresses, which are checked here."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != PATH or request.method != "GET":
            return self._get_response(request)
        if not _has_token(request):
            is_forwarded = any(name in request.META for name in _FORWARDED_BY)
            if is_forwarded or not _is_inside(request.META.get("REMOTE_ADDR", "")):
                return HttpResponse("Not Found\n", status=404, content_type="text/plain; charset=utf-8")
            domain, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
            if not _is_inside(domain.strip("[]")):  # an address, which DNS rebinding can't forge
                request.get_host()  # raises DisallowedHost, a 400 response
        text = generate_latest(registry(StandingCollector()))
        return HttpResponse(text, content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _has_token(request: HttpRequest) -> bool:
    scheme, _, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    token = settings.METRICS_TOKEN
    return bool(token) and scheme == "Bearer" and hmac.compare_digest(given.encode(), token.encode())


def _is_inside(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)
