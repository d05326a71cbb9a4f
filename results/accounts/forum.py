"""The page that redirects to a forum for signing in with OpenID Connect."""

from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponse


def forum_login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """The library's page, with the forum's origin in `form-action`: Chromium applies it to redirects, too."""
    response: HttpResponse = views.login(request, provider_id)
    if response.status_code == 200:
        stated = get_adapter().get_app(request, provider=provider_id).settings
        origins = [_origin(url) for url in (stated["server_url"], *stated.get("origins", ()))]
        response._csp_update = {"form-action": origins}  # type: ignore[attr-defined]
    return response


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
