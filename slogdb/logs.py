"""Log lines: a JSON object each in production, a plain line when debugging, and the request's id in all of them.

What comes from outside can't begin a line of its own: JSON escapes it, and plain lines have it escaped here.
"""

import contextvars
import logging
import re
from typing import Any

from pythonjsonlogger.orjson import OrjsonFormatter

FORMATS = ("json", "line")
_PLAIN = "%(asctime)s %(levelname)s %(name)s%(of_request)s: %(message)s"
_JSON = "%(levelname)s %(name)s %(message)s"
_NOT_TOLD = {
    "request",
    "response",
    "server_time",
    "data",
}  # Django's extras hold what people send, and who they are
_ESCAPES = {code: f"\\x{code:02x}" for code in [*range(0x20), *range(0x7F, 0xA0)]}
_ESCAPES |= {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_JSON_ESCAPES = {code: f"\\u{code:04x}" for code in [*range(0x7F, 0xA0), 0x2028, 0x2029]}

_RESET = "/account/password/reset/key/"
# PostgreSQL quotes the row, or the value, that it refuses: to the end, or to the exception that came of it.
_QUOTING = re.compile(r"(?:\n|\\n)(?:DETAIL|CONTEXT):.*?(?=\n\n(?:The above|During handling) |\Z)", re.DOTALL)

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


def escaped(text: str) -> str:
    """`text` on one line, without characters that steer a terminal."""
    return text.translate(_ESCAPES)


def told_path(path: str) -> str:
    """`path` without the key that lets whoever reads it set a new password."""
    return f"{_RESET}…" if path.startswith(_RESET) else path


def without_rows(text: str) -> str:
    """What an exception says, without the rows of people that PostgreSQL quotes in it."""
    return _QUOTING.sub("", text)


class RequestIdFilter(logging.Filter):
    """Puts the id of the request, or of the one that a task came from, on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class LineFormatter(logging.Formatter):
    """One line a record; the lines of a traceback are indented, so that none can pass for a record."""

    def format(self, record: logging.LogRecord) -> str:
        found = getattr(record, "request_id", "")
        record.of_request = f" [{found}]" if found else ""
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = escaped(without_rows(record.message))
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        lines = without_rows(super().formatException(ei)).split("\n")
        return "\n".join(f"  {escaped(line)}" for line in lines)


class JsonFormatter(OrjsonFormatter):
    """One JSON object a record: time, level, logger, message, request_id and what the record names beside them."""

    def __init__(self) -> None:
        super().__init__(
            _JSON,
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            timestamp="time",
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in log_data.items() if name not in _NOT_TOLD}
        for name in ("message", "exc_info", "traceback"):
            if isinstance(kept.get(name), str):
                kept[name] = without_rows(kept[name])
        return kept if kept.get("request_id") else {k: v for k, v in kept.items() if k != "request_id"}

    def jsonify_log_record(self, log_data: dict[str, Any]) -> str:
        """JSON lets some characters through at which readers of lines break them."""
        return super().jsonify_log_record(log_data).translate(_JSON_ESCAPES)


def logging_settings(*, is_json: bool, level: str) -> dict[str, Any]:
    """Django's LOGGING: everything to stderr, which whoever runs the process collects."""
    formatters = {"json": {"()": JsonFormatter}, "line": {"()": LineFormatter, "format": _PLAIN}}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": RequestIdFilter}},
        "formatters": formatters,
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "filters": ["request_id"],
                "formatter": "json" if is_json else "line",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
    }
