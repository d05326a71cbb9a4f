"""A device's badge: class, rank, latency and protection on a few square centimetres, always as they are now."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from results.charts.badge import badge_svg
from results.core.public import public_page
from results.web.figures import NOT_RANKED, Figures, find_figures, in_a_sentence
from results.web.lookup import find_device, redirect_to_device


@require_GET
@public_page
def device_badge(_request: HttpRequest, slug: str) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device-badge", found)
    figures = find_figures(found)
    tone = figures.tone if figures.ranking else ""
    return HttpResponse(badge_svg(figures.name, badge_text(figures), tone=tone), content_type="image/svg+xml")


def badge_text(figures: Figures) -> str:
    """What stands on the badge beside the name."""
    if figures.ranking is None:
        return f"{NOT_RANKED} · {in_a_sentence(figures.protection['label'])}"
    parts = [
        f"{figures.class_label} {figures.rank_text}",
        figures.latency_text,
        in_a_sentence(figures.protection["label"]),
        figures.recommendation,
    ]
    return " · ".join(filter(None, parts))
