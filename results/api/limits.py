"""The limits of the API: counted by member where a key says who asks, else by network."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from results.api.authentication import has_scope
from results.ingest.digests import digest_network
from results.models import Member
from results.models.choices import Scope
from results.network import sender_address
from results.rate_limits import Spent, limit_called, spend


class Counted(BaseThrottle):
    """Reads and writes are counted apart; what was counted is kept at the request for its headers."""

    kind: str
    scope: Scope

    def allow_request(self, request: Request, view: Any) -> bool:
        member = request.user if has_scope(request, self.scope) else None
        whose = "member" if isinstance(member, Member) else "anonymous"
        spender = str(member.pk) if isinstance(member, Member) else digest_network(sender_address(request))
        self._spent = spend(limit_called(f"{whose}-{self.kind}"), spender)
        view.spent = self._spent
        return self._spent is None or self._spent.is_granted

    def wait(self) -> float | None:
        return None if self._spent is None else float(self._spent.retry_after_s)


class CountedAsRead(Counted):
    kind, scope = "read", Scope.READ


class CountedAsWrite(Counted):
    kind, scope = "write", Scope.SUBMIT


def limit_headers(spent: Spent | None) -> dict[str, str]:
    """As the IETF's draft has them (draft-ietf-httpapi-ratelimit-headers-10)."""
    if spent is None:
        return {}
    name = f'"{spent.limit.name}"'
    return {
        "RateLimit-Policy": f"{name};q={spent.limit.quota};w={spent.limit.window_s}",
        "RateLimit": f"{name};r={spent.remaining};t={spent.full_in_s}",
    }
