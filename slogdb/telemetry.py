"""Traces by OpenTelemetry and errors to Sentry, where they are configured; nothing of either is imported otherwise.

Neither learns who asked: addresses, agents, queries, bodies, cookies and the values of variables stay here.
"""

from typing import Any
from urllib.parse import urlsplit

from slogdb import env

SERVICE = "slogdb"
_OF_WHO_ASKED = (
    "client.address",
    "http.client_ip",
    "http.user_agent",
    "net.peer.ip",
    "net.peer.port",
    "network.peer.address",
    "url.query",
    "user_agent.original",
)
_URLS = ("http.url", "http.target", "url.full")
_TOLD_OF_REQUESTS = ("method", "url")


class TelemetryError(Exception):
    """What is configured is not installed."""


def start() -> None:
    """Begin what is configured, in the process that serves; before Django's middleware is loaded."""
    try:
        if env.text("OTEL_EXPORTER_OTLP_ENDPOINT"):
            _start_traces()
        if dsn := env.text("SLOGDB_SENTRY_DSN"):
            _start_reports(dsn)
    except ImportError as error:
        raise TelemetryError(f"{error.name} is missing: install requirements-telemetry.txt") from error


def _start_traces() -> None:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = env.text("OTEL_SERVICE_NAME", SERVICE)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument(request_hook=_forget_who_asked)
    PsycopgInstrumentor().instrument()
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]


def _forget_who_asked(span: Any, request: Any) -> None:
    """Overwrite what the library noted of a request when it came in; there is no taking back."""
    noted = getattr(span, "attributes", None) or {}
    for name in _OF_WHO_ASKED:
        if name in noted:
            span.set_attribute(name, "")
    for name in _URLS:
        if name in noted:
            span.set_attribute(name, request.path)


def _start_reports(dsn: str) -> None:
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,  # a paste, before it is masked
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=stripped,  # type: ignore[arg-type] # their event is a dict
        server_name="",
    )


def stripped(event: dict[str, Any], hint: Any) -> dict[str, Any]:  # noqa: ARG001 - Sentry's signature
    """The event without who asked and what they sent."""
    request = {name: event.get("request", {}).get(name) for name in _TOLD_OF_REQUESTS}
    if request["url"]:
        request["url"] = urlsplit(request["url"])._replace(query="", fragment="").geturl()
    kept = {
        name: value
        for name, value in event.items()
        if name not in {"user", "breadcrumbs", "request", "extra"}
    }
    return {**kept, "request": request} if any(request.values()) else kept
