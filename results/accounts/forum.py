"""The page that redirects to a forum for signing in with OpenID Connect."""

from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.openid_connect import views
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponseBase


def forum_login(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """The library's page, with the forum's origin in `form-action`: Chromium applies it to redirects, too."""
    try:
        stated = get_adapter().get_app(request, provider=provider_id).settings
    except SocialApp.DoesNotExist:
        raise Http404 from None
    origins = [_origin(url) for url in (stated["server_url"], *stated.get("origins", ()))]

    @csp_update({"form-action": origins})
    def page(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = views.login(request, provider_id)
        return response

    return page(request)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
