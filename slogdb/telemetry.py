"""Traces with OpenTelemetry and errors to Sentry, if configured; neither is imported otherwise.

Neither receives data that identifies a sender: addresses, user agents, queries, bodies, cookies, the values of
variables and the messages of exceptions, which quote user input, are removed. Use the request's id to find them in
the log.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from structlog.contextvars import get_contextvars

from slogdb import env
from slogdb.logging import without_keys

SERVICE = "slogdb"
REQUEST_ID = "slogdb.request_id"
PRIVATE_ATTRIBUTES = {
    "client.address",
    "exception.message",
    "http.client_ip",
    "http.user_agent",
    "net.peer.ip",
    "net.peer.port",
    "network.peer.address",
    "url.query",
    "user_agent.original",
}
STACKTRACE = "exception.stacktrace"
PLACE = '  File "'  # start of a traceback's location lines; its other lines quote source or input
URL_ATTRIBUTES = {"http.target", "http.url", "url.full", "url.path"}
PUBLIC_EVENT_KEYS = {
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
    """A configured telemetry package is not installed."""


def start() -> None:
    """Start the configured telemetry, in the serving process, before Django loads its middleware."""
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
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

    class Exporter(OTLPSpanExporter):
        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            return super().export([public_span(span) for span in spans])

    name = env.text("OTEL_SERVICE_NAME", SERVICE)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(Exporter()))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument(
        response_hook=lambda span, _, response: span.set_attribute(
            REQUEST_ID, response.headers.get("X-Request-ID", "")
        )
    )
    PsycopgInstrumentor().instrument()
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]


def public_span(span: Any) -> Any:
    """Return the span without data about the sender; exceptions retain only their type and locations."""
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.trace.status import Status

    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_public_attributes(span.attributes or {}),
        events=[
            Event(
                event.name, attributes=_public_attributes(event.attributes or {}), timestamp=event.timestamp
            )
            for event in span.events
        ],
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _public_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    public = {name: value for name, value in attributes.items() if name not in PRIVATE_ATTRIBUTES}
    for name in URL_ATTRIBUTES & public.keys():
        public[name] = without_keys(urlsplit(str(public[name])).path)
    if STACKTRACE in public:
        lines = str(public[STACKTRACE]).splitlines()
        public[STACKTRACE] = "\n".join(line for line in lines if line.startswith(PLACE))
    return public


def _start_reports(dsn: str) -> None:
    import sentry_sdk
    from sentry_sdk.integrations.logging import ignore_logger

    # Sentry gets the same exceptions directly from Django and Celery.
    ignore_logger("django_structlog.*")
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,  # they can hold a paste before it is masked
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=public_event,  # type: ignore[arg-type] # their event is a dict
        server_name="",
    )


def public_event(event: dict[str, Any], hint: Any) -> dict[str, Any]:  # noqa: ARG001 - Sentry's signature
    """Return the event without sender and content: what failed, where, and in which request."""
    public = {name: value for name, value in event.items() if name in PUBLIC_EVENT_KEYS}
    if "exception" in public:
        values = event["exception"].get("values") or ()
        public["exception"] = {"values": [{**value, "value": ""} for value in values]}
    if "logentry" in event:
        public["logentry"] = {"message": event["logentry"].get("message")}  # without its parameters
    if request_id := get_contextvars().get("request_id"):
        public["tags"] = {"request_id": request_id}
    request = event.get("request") or {}
    if request.get("url"):
        parts = urlsplit(request["url"])
        url = parts._replace(path=without_keys(parts.path), query="", fragment="").geturl()
        public["request"] = {"method": request.get("method"), "url": url}
    return public
