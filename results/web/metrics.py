"""GET /metrics, for Prometheus: answered to who asks from inside, or with the token, and to nobody else."""

import hmac
import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from prometheus_client import generate_latest

from results.core.metrics import registry
from results.web.standing import StandingCollector

PATH = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_FORWARDED_BY = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
View = Callable[[HttpRequest], HttpResponse]


class MetricsMiddleware:
    """Before what refuses foreign hosts, as Prometheus names each server by its address, which is checked here."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != PATH or request.method != "GET":
            return self._get_response(request)
        if not _has_token(request):
            if not _is_from_inside(request):
                return HttpResponse("Not Found\n", status=404, content_type="text/plain; charset=utf-8")
            if not _names_an_address_inside(request):
                request.get_host()  # raises DisallowedHost, which Django answers with 400
        text = generate_latest(registry(StandingCollector()))
        return HttpResponse(text, content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _has_token(request: HttpRequest) -> bool:
    scheme, _, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    token = settings.METRICS_TOKEN
    return bool(token) and scheme == "Bearer" and hmac.compare_digest(given.encode(), token.encode())


def _is_from_inside(request: HttpRequest) -> bool:
    """Whether it comes from a network of ours, and through no proxy: those bring everybody's requests."""
    if any(name in request.META for name in _FORWARDED_BY):
        return False
    return _is_inside(request.META.get("REMOTE_ADDR", ""))


def _names_an_address_inside(request: HttpRequest) -> bool:
    """Whether the Host header is such an address, to which no page of another site can be rebound."""
    domain, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
    return _is_inside(domain.strip("[]"))


def _is_inside(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)
