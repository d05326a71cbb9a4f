"""What every template gets; nothing here depends on who asks."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    return {"is_demo": settings.IS_DEMO, "site_url": settings.SITE_URL, "path": request.path}
