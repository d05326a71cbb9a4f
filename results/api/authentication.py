"""Bearer keys, scopes, and rate limits: per member, else per network."""

from typing import Any

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from results.api.keys import BannedError, KeyRefusedError, carries_key, find_key
from results.core.security.bans import find_network_ban, why_network_may_not
from results.core.security.digests import digest_network
from results.core.security.events import log_event
from results.core.security.rate_limits import Spent, find_limit, sender_address, spend, write_cost
from results.models import ApiKey, Member
from results.models.choices import Scope


class BearerKey(BaseAuthentication):
    """Authenticate by bearer key; requests without one are anonymous.

    An invalid key is a 401, a banned owner a 403. A read whose header doesn't have the form of a key is anonymous,
    too: the page cache treats it that way.
    """

    def authenticate(self, request: Request) -> tuple[Member, ApiKey] | None:
        header = get_authorization_header(request).decode("latin-1")
        if not header or (request.method in SAFE_METHODS and not carries_key(header)):
            return None
        scheme, _, text = header.partition(" ")
        if scheme.lower() != "bearer":
            raise AuthenticationFailed("Keys are sent as: Authorization: Bearer slogdb_…")
        try:
            key = find_key(text.strip())
        except KeyRefusedError as error:
            log_event("key_refused", request)
            raise AuthenticationFailed(str(error)) from error
        except BannedError as error:
            raise PermissionDenied(f"The owner of this key is banned: {error}", code="banned") from error
        return key.owner, key

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF's signature
        return 'Bearer realm="slogdb"'


def member_of(request: HttpRequest | Request) -> Member | None:
    """Who sent the request: signed in, or by a key; None without either."""
    return request.user if isinstance(request.user, Member) else None


def key_owner(request: Request) -> Member:
    """The owner of the key, for views whose permissions require one."""
    return key_of(request).owner


def key_of(request: Request) -> ApiKey:
    """The key, for views whose permissions require one."""
    key: Any = request.auth
    if not isinstance(key, ApiKey):
        raise NotAuthenticated
    return key


def has_scope(request: Request, scope: Scope) -> bool:
    key: Any = request.auth
    return isinstance(key, ApiKey) and scope in key.scopes


class _NeedsScope(BasePermission):
    """Require a key with a scope: 401 without a key, 403 without the scope."""

    scope: Scope

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - DRF's signature
        self.message = f"This needs a key with the scope “{self.scope.value}”."
        return has_scope(request, self.scope)


class MayRead(_NeedsScope):
    scope = Scope.READ


class MaySubmit(_NeedsScope):
    scope = Scope.SUBMIT


class MaySubmitOrAnonymous(MaySubmit):
    """Allow anonymous requests, unless their network is banned; a key that is sent needs the scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.auth is not None:
            return super().has_permission(request, view)
        ban = find_network_ban(request)
        if ban is not None:
            raise PermissionDenied(why_network_may_not("send anything", ban), code="banned")
        return True


class ScopedThrottle(BaseThrottle):
    """Throttle reads and writes separately; sets `view.spent` for the headers."""

    kind: str
    scope: Scope

    def allow_request(self, request: Request, view: Any) -> bool:
        member = request.user if has_scope(request, self.scope) else None
        group = "member" if isinstance(member, Member) else "anonymous"
        sender = str(member.pk) if isinstance(member, Member) else digest_network(sender_address(request))
        self._spent = spend(find_limit(f"{group}-{self.kind}"), sender, cost=self.cost(request))
        view.spent = self._spent
        return self._spent is None or self._spent.is_granted

    def cost(self, request: Request) -> int:  # noqa: ARG002 - others need it
        return 1

    def wait(self) -> float | None:
        return None if self._spent is None else float(self._spent.retry_after_s)


class ReadThrottle(ScopedThrottle):
    kind, scope = "read", Scope.READ


class ReadByBodyThrottle(ReadThrottle):
    """Throttle what is sent to be read, and isn't stored: a read for each 128 KiB."""

    def cost(self, request: Request) -> int:
        return write_cost(request._request)


class WriteThrottle(ScopedThrottle):
    kind, scope = "write", Scope.SUBMIT

    def cost(self, request: Request) -> int:
        return write_cost(request._request)


class DownloadThrottle(ScopedThrottle):
    """Throttle exports of all rows, which can occupy a process for minutes."""

    kind, scope = "download", Scope.READ


def limit_headers(spent: Spent | None) -> dict[str, str]:
    """The headers of draft-ietf-httpapi-ratelimit-headers-10."""
    if spent is None:
        return {}
    name = f'"{spent.limit.name}"'
    return {
        "RateLimit-Policy": f"{name};q={spent.limit.quota};w={spent.limit.window_s}",
        "RateLimit": f"{name};r={spent.remaining};t={spent.full_in_s}",
    }
