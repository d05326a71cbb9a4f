"""Mail by SMTP, with a count of what could not be sent, for the operator."""

from collections.abc import Sequence
from contextlib import suppress

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp
from redis.client import Pipeline

from results.core.redis import RedisAwayError, key, link

FAILED_KEY = "mail-failed"
REMEMBERED_S = 3600  # after the last failure


class EmailBackend(smtp.EmailBackend):
    """Django's, through which all mail passes: of requests, whose sender sees an error, and of tasks, which retry."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        try:
            return super().send_messages(email_messages) or 0
        except OSError:  # as of the connection, or smtplib's own
            _count(len(email_messages))
            raise


def _count(failed: int) -> None:
    with suppress(RedisAwayError):
        link.call(lambda redis: _add(redis.pipeline(), failed))


def _add(pipeline: Pipeline, failed: int) -> None:
    pipeline.incrby(key(FAILED_KEY), failed)
    pipeline.expire(key(FAILED_KEY), REMEMBERED_S)
    pipeline.execute()


def failed_count() -> int | None:
    """Attempts to send a mail that failed, counted until none has for an hour; None while Redis is unavailable."""
    try:
        return int(link.call(lambda redis: redis.get(key(FAILED_KEY))) or 0)
    except RedisAwayError:
        return None
