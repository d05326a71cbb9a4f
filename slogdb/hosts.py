"""The names that the site answers to, for what stands in front of Django."""

from functools import lru_cache

from django.conf import settings
from django.http.request import split_domain_port, validate_host


@lru_cache(maxsize=1000)
def is_own_host(host: str) -> bool:
    """Whether Django takes a request with this `Host` header."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
