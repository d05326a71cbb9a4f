"""Sender addresses and rate limits.

Only proxies that the operator has configured are trusted. Limits are counted in Redis: an allowance that refills
evenly and can be spent at once. While Redis is unavailable, nothing is counted and nothing is refused.
"""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from results.core.redis import RedisAwayError, key, link
from results.core.security.digests import digest_network

QUERY_LIMIT = 100  # characters of a search
BYTES_PER_UNIT = 128 * 1024  # of a body, for one unit of the allowance for writes


def sender_address(request: HttpRequest) -> str:
    """The address of the client: the hop that the outermost trusted proxy saw; "" if unknown."""
    hops = [request.META.get("REMOTE_ADDR", "")]
    if settings.TRUSTED_PROXY_COUNT:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        hops = [hop.strip() for hop in forwarded][-settings.TRUSTED_PROXY_COUNT :] + hops
    return next((hop for hop in hops if _is_address(hop)), "")


@lru_cache(maxsize=1000)
def _is_address(hop: str) -> bool:
    try:
        ipaddress.ip_address(hop)
    except ValueError:
        return False
    return True


# The generic cell rate algorithm in one atomic step. It stores the time at which everything spent so far is refilled,
# in milliseconds of Redis's clock. Returns whether it is granted, what is left, ms until it is full again, and ms
# until the refused amount is available.
_SPEND = """
local quota, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local each = window / quota
local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local spent_at = full_at + each * cost
if spent_at - now > window then
    return {0, math.floor((window - full_at + now) / each), full_at - now, math.ceil(spent_at - now - window)}
end
redis.call('SET', KEYS[1], string.format('%.3f', spent_at), 'PX', math.max(1, math.ceil(spent_at - now)))
return {1, math.floor((window - spent_at + now) / each + 1e-6), math.ceil(spent_at - now), 0}
"""
_MS = 1000


@dataclass(frozen=True, slots=True)
class Limit:
    """An allowance: `quota` at once, and as many again evenly over `window_s` seconds."""

    name: str
    quota: int
    window_s: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The outcome of an attempt to spend; times are in seconds, rounded up."""

    limit: Limit
    is_granted: bool
    remaining: int
    full_in_s: int
    retry_after_s: int


def find_limit(name: str) -> Limit:
    """The limit from the settings; raises KeyError for an unknown name."""
    quota, window_s = settings.RATE_LIMITS[name]
    return Limit(name, quota, window_s)


def write_cost(request: HttpRequest) -> int:
    """The cost of a write: 1 for each 128 KiB of its body, or part of it."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)  # checked by BodyLimitMiddleware
    return max(1, -(-length // BYTES_PER_UNIT))


def spend(limit: Limit, spender: str, *, cost: int = 1) -> Spent | None:
    """Spend `cost`, or the entire quota if that is less, from the allowance of `spender`.

    None if nothing was counted, since Redis is unavailable.
    """
    arguments = (limit.quota, limit.window_s * _MS, min(cost, limit.quota))
    name = key(f"limit:{limit.name}:{spender}")
    try:
        granted, remaining, full_in, retry_after = link.call(
            lambda redis: redis.eval(_SPEND, 1, name, *arguments)
        )
    except RedisAwayError:
        return None
    return Spent(limit, bool(granted), max(0, remaining), -(-full_in // _MS), -(-retry_after // _MS))


def wait_text(spent: Spent) -> str:
    """How long to wait after a refusal: "a minute", "7 minutes"."""
    minutes = -(-spent.retry_after_s // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def spend_read(request: HttpRequest) -> Spent | None:
    """Count a page among the reads of its network; somebody signed in continues with their own once these are spent.

    The session is looked up only then: public pages are the same for everybody, and don't read it.
    """
    spent = spend(find_limit("anonymous-read"), digest_network(sender_address(request)))
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
    if spent is None or spent.is_granted or not has_session or not request.user.is_authenticated:
        return spent
    return spend(find_limit("member-read"), str(request.user.pk))


def spend_write(request: HttpRequest) -> Spent | None:
    """Count a form that was sent among the writes of its member, or else of its network."""
    if request.user.is_authenticated:
        return spend(find_limit("member-write"), str(request.user.pk), cost=write_cost(request))
    network = digest_network(sender_address(request))
    return spend(find_limit("anonymous-write"), network, cost=write_cost(request))


def refuse_read(request: HttpRequest) -> HttpResponse | None:
    """Count a GET among its sender's reads; return the page that refuses it, if none are left."""
    spent = spend_read(request) if request.method in {"GET", "HEAD"} else None
    if spent is None or spent.is_granted:
        return None
    response = render(request, "429.html", {"wait": wait_text(spent)}, status=429)
    response["Retry-After"] = str(spent.retry_after_s)
    return response


_View = Callable[..., HttpResponseBase]
IS_COUNTED = "is_counted"  # an attribute of counted views, which decorators pass on


def counted(view: _View) -> _View:
    """Count each GET among its sender's reads, as the API does (results.api.authentication.ReadThrottle)."""

    @wraps(view)
    def limited(request: HttpRequest, /, *args: Any, **named: Any) -> HttpResponseBase:
        return refuse_read(request) or view(request, *args, **named)

    setattr(limited, IS_COUNTED, True)
    return limited
