"""Structured logs with structlog: a JSON object per line in production, plain lines for people otherwise.

django-structlog writes a line per request and task and adds the request's id to every line, including those of tasks
that the request enqueued. No line identifies the sender of a request.
"""

import logging
import re
import time
from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import (
    bind_extra_request_finished_metadata,
    bind_extra_request_metadata,
    update_failure_response,
)
from structlog.typing import EventDict, Processor, WrappedLogger

FORMATS = ("json", "line")
# What anybody can cause, as often as they like: a wrong Host, a long address, many parameters, a large form.
SENT_BY_ANYBODY = (
    "DisallowedHost",
    "DisallowedRedirect",
    "RequestDataTooBig",
    "TooManyFieldsSent",
    "TooManyFilesSent",
)
TRACEBACK = "exception"  # structlog's key for a formatted traceback

_RESET_KEY = re.compile(r"(?<=/account/password/reset/key/)[^\s/\"']+")
# PostgreSQL quotes the row or value that it rejects: up to the end, or to the exception raised from it.
_QUOTED_ROW = re.compile(
    r"(?:\n|\\n)(?:DETAIL|CONTEXT):.*?(?=\n\n(?:The above|During handling) |\Z)", re.DOTALL
)
_CONTROLS = {code: f"\\x{code:02x}" for code in [*range(0x20), *range(0x7F, 0xA0)]}
_CONTROLS |= {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class RequestLog(RequestMiddleware):
    """django-structlog's middleware, without the query in its lines."""

    def process_view(self, request: HttpRequest, *_: object) -> None:
        """Add the view to every line of the request."""
        if request.resolver_match is not None:
            structlog.contextvars.bind_contextvars(view=request.resolver_match.view_name)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"


@receiver(bind_extra_request_metadata)
def _start(request: HttpRequest, log_kwargs: dict[str, Any], **_: Any) -> None:
    log_kwargs.pop("user_agent", None)
    request.started_at = time.perf_counter()  # type: ignore[attr-defined]


@receiver(bind_extra_request_finished_metadata)
def _finish(request: HttpRequest, response: HttpResponse, log_kwargs: dict[str, Any], **_: Any) -> None:
    """Add the duration to the request's log line, and its id to the response."""
    log_kwargs["ms"] = round((time.perf_counter() - request.started_at) * 1000, 1)  # type: ignore[attr-defined]
    response["X-Request-ID"] = structlog.contextvars.get_contextvars()["request_id"]


@receiver(update_failure_response)
def _fail(response: HttpResponse, **_: Any) -> None:
    response["X-Request-ID"] = structlog.contextvars.get_contextvars()["request_id"]


def without_keys(text: str) -> str:
    """Return the text without keys that allow setting a new password."""
    return _RESET_KEY.sub("…", text)


def hide_people(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Remove rows quoted by PostgreSQL, and keys that allow setting a new password."""
    return {
        name: without_keys(_QUOTED_ROW.sub("", value)) if isinstance(value, str) else value
        for name, value in event.items()
    }


def escape_controls(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape characters that could start a line or control a terminal; indent the lines of a traceback."""
    escaped = {
        name: value.translate(_CONTROLS) if isinstance(value, str) and name != TRACEBACK else value
        for name, value in event.items()
    }
    if TRACEBACK in event:
        lines = str(event[TRACEBACK]).split("\n")
        escaped[TRACEBACK] = "\n".join(f"  {line.translate(_CONTROLS)}" for line in lines)
    return escaped


def as_information(record: logging.LogRecord) -> bool:
    """Filter that makes a line at INFO of a refused request, which Django logs as an error with a traceback."""
    record.levelno, record.levelname, record.exc_info = logging.INFO, "INFO", None
    return logging.getLogger(record.name).isEnabledFor(logging.INFO)


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", key="time"),
    structlog.processors.format_exc_info,
    hide_people,
]


def json_formatter() -> structlog.stdlib.ProcessorFormatter:
    """A formatter for a JSON object per record: time, level, logger, message, request_id, exception, event keys."""
    return _formatter(structlog.processors.EventRenamer("message"), structlog.processors.JSONRenderer())


def line_formatter() -> structlog.stdlib.ProcessorFormatter:
    """A formatter for one line per record, followed by its traceback."""
    renderer = structlog.dev.ConsoleRenderer(
        colors=False,
        timestamp_key="time",
        pad_event_to=0,
        pad_level=False,
        exception_formatter=structlog.dev.plain_traceback,
    )
    return _formatter(escape_controls, renderer)


def _formatter(*last: Processor) -> structlog.stdlib.ProcessorFormatter:
    """A formatter that also handles standard library records, without their extras: Django's contain user input."""
    return structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        foreign_pre_chain=_SHARED,
    )


def logging_settings(*, is_json: bool, level: str, logs_requests: bool) -> dict[str, Any]:
    """Configure structlog, and return Django's LOGGING: everything to stderr."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"stderr": {"()": json_formatter if is_json else line_formatter}},
        "filters": {"as_information": {"()": lambda: as_information}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "stderr"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django_structlog.middlewares": {"level": level if logs_requests else "ERROR"},
            # These repeat django-structlog's lines.
            "django.request": {"level": "CRITICAL"},
            "celery.app.trace": {"level": "CRITICAL"},
            "celery.worker.strategy": {"level": "WARNING"},
            **{f"django.security.{name}": {"filters": ["as_information"]} for name in SENT_BY_ANYBODY},
        },
    }
