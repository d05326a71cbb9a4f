"""Sessions: stored in the database, and ended two weeks after signing in, even if renewed in between."""

from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

SIGNED_IN_AT = "signed_in_at"  # seconds since the epoch


class SessionStore(db.SessionStore):
    """Django's, except that no session of a member outlives SESSION_COOKIE_AGE, counted from signing in."""

    def get_expiry_date(self, **known: Any) -> datetime:
        return min(super().get_expiry_date(**known), self._end())

    def get_expiry_age(self, **known: Any) -> int:
        left_s = (self._end() - timezone.now()).total_seconds()
        return min(super().get_expiry_age(**known), max(0, int(left_s)))

    def _end(self) -> datetime:
        """The latest time at which it ends; now, if the time of signing in is unknown."""
        since = self.get(SIGNED_IN_AT)
        if since is None and SESSION_KEY in self:
            return timezone.now()
        begun = timezone.now() if since is None else datetime.fromtimestamp(since, UTC)
        return begun + timedelta(seconds=settings.SESSION_COOKIE_AGE)


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, **_: Any) -> None:
    """Record when the session's two weeks begin."""
    request.session[SIGNED_IN_AT] = timezone.now().timestamp()


def renew_session_key(request: HttpRequest) -> None:
    """Give the session a new key, so that a copy of the old one is useless."""
    former = request.session.session_key
    request.session.cycle_key()
    UserSession.objects.filter(session_key=former).update(session_key=request.session.session_key)
