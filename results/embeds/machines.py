"""Where programs find what the site has: llms.txt, for language models, and the catalog of its API (RFC 9727)."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from drf_spectacular.renderers import OpenApiJsonRenderer

from results.advice.guide_pages import PAGES
from results.core.addresses import address, full_url
from results.core.public import public_page

_PROFILE = "https://www.rfc-editor.org/info/rfc9727"


@public_page()
def llms_txt(request: HttpRequest) -> HttpResponse:
    """What the site has, in Markdown, by the proposal of llmstxt.org."""
    context = {"pages": PAGES, "site_url": full_url("")}
    content_type = "text/plain; charset=utf-8"
    return render(request, "results/embeds/llms.txt", context, content_type=content_type)


@public_page()
def api_catalog(_request: HttpRequest) -> HttpResponse:
    api = {
        "anchor": full_url(address("api-root")),
        "service-desc": [{"href": full_url(address("api-schema")), "type": OpenApiJsonRenderer.media_type}],
        "service-doc": [{"href": full_url(address("api-docs")), "type": "text/html"}],
    }
    return JsonResponse(
        {"linkset": [api]},
        content_type=f'application/linkset+json; profile="{_PROFILE}"',
        headers={"Link": f'<{full_url(address("api-catalog"))}>; rel="api-catalog"'},
    )
