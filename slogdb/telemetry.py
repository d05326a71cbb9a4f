"""Traces by OpenTelemetry and errors to Sentry, where they are configured; nothing of either is imported otherwise.

Neither learns who asked: addresses, agents, queries, bodies, cookies, the values of variables and the messages of
exceptions, which quote what was sent, stay here. The request's id leads to the log, which has the message.
"""

from typing import Any
from urllib.parse import urlsplit

from slogdb import env
from slogdb.logs import request_id, told_path

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
_TOLD_OF_EVENTS = {
    "environment",
    "event_id",
    "exception",
    "level",
    "logger",
    "platform",
    "release",
    "sdk",
    "timestamp",
    "transaction",
    "type",
}


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
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from slogdb.spans import PlainExporter, RequestIds

    name = env.text("OTEL_SERVICE_NAME", SERVICE)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(RequestIds())
    provider.add_span_processor(BatchSpanProcessor(PlainExporter()))
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
            span.set_attribute(name, told_path(request.path))


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
    """The event without who asked and what they sent: what failed, where, and in which request."""
    kept = {name: value for name, value in event.items() if name in _TOLD_OF_EVENTS}
    if "exception" in kept:
        kept["exception"] = {
            "values": [{**one, "value": ""} for one in kept["exception"].get("values") or ()],
        }
    if "logentry" in event:
        kept["logentry"] = {"message": event["logentry"].get("message")}  # without what was filled in
    if request_id.get():
        kept["tags"] = {"request_id": request_id.get()}
    asked = event.get("request") or {}
    if asked.get("url"):
        parts = urlsplit(asked["url"])
        url = parts._replace(path=told_path(parts.path), query="", fragment="").geturl()
        kept["request"] = {"method": asked.get("method"), "url": url}
    return kept
