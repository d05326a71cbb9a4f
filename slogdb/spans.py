"""Spans as they leave: each with the id of its request, none with what an exception quotes.

Imported only where traces are configured: OpenTelemetry is not among what every site has.
"""

from collections.abc import Sequence

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import Event, ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.trace.status import Status

from slogdb.logs import request_id

REQUEST_ID = "slogdb.request_id"
_MESSAGE, _TRACE = "exception.message", "exception.stacktrace"
_PLACE = '  File "'  # how a traceback begins the lines that say where; the others quote


class RequestIds(SpanProcessor):
    """Puts the id that is in the log on every span."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002 - its signature
        if request_id.get():
            span.set_attribute(REQUEST_ID, request_id.get())


class PlainExporter(OTLPSpanExporter):
    """OTLP over HTTP, of exceptions only their kind and the places."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return super().export([plain(span) for span in spans])


def plain(span: ReadableSpan) -> ReadableSpan:
    """The span with its exceptions' messages left out: a database's quote rows, others what was sent."""
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=span.attributes,
        events=[_plain_event(event) for event in span.events],
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _plain_event(event: Event) -> Event:
    kept = {name: value for name, value in (event.attributes or {}).items() if name != _MESSAGE}
    if _TRACE in kept:
        lines = str(kept[_TRACE]).splitlines()
        kept[_TRACE] = "\n".join(line for line in lines if line.startswith(_PLACE))
    return Event(event.name, attributes=kept, timestamp=event.timestamp)
