"""Deleting expired data: sessions, their details, bans of networks, and the counts of attempts in the cache."""

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.db.models import Exists, OuterRef
from django.utils import timezone

from results.models import NetworkBan

_EXPIRED_COUNTS = "DELETE FROM results_cache WHERE expires < now()"


@shared_task
def forget_expired() -> None:
    """Delete expired sessions, the details of sessions that have ended, ended bans, and expired rows of the cache."""
    call_command("clearsessions")
    is_open = Exists(Session.objects.filter(session_key=OuterRef("session_key")))
    UserSession.objects.exclude(is_open).delete()
    NetworkBan.objects.filter(until__lte=timezone.now()).delete()
    with connection.cursor() as cursor:
        cursor.execute(_EXPIRED_COUNTS)
