"""GET /.well-known/security.txt (RFC 9116): where to report a vulnerability."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from results.core.addresses import full_url
from results.core.parameters import takes
from results.core.today import today

VALID_FOR = timedelta(days=180)  # the RFC recommends less than a year


@require_GET
@takes()
@cache_control(public=True, max_age=86400)
def security_txt(_request: HttpRequest) -> HttpResponse:
    expires = datetime.combine(today() + VALID_FOR, time(), UTC)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACTS),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Canonical: {full_url(reverse('security-txt'))}",
        "Preferred-Languages: en",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
