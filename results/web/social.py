"""What other sites read in the head of a page: its address, words and picture, feeds, and structured data."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from results.addresses import address, with_query
from results.web.share import full_url


class Social(NamedTuple):
    """A page as others show it; `path` with the parameters that make it, `image_path` of a 1200 x 630 picture."""

    title: str
    description: str
    path: str
    image_path: str
    has_oembed: bool = False
    feed_path: str = ""
    json_ld: Sequence[SafeString] = ()


def social_context(social: Social) -> dict[str, Any]:
    """What partials/social.html needs."""
    url = full_url(social.path)
    return {
        "social": {
            "title": social.title,
            "description": social.description,
            "url": url,
            "image": full_url(social.image_path),
            "oembed": _oembed(url) if social.has_oembed else None,
            "feed_url": social.feed_path and full_url(social.feed_path),
            "json_ld": social.json_ld,
        }
    }


def leaderboard_social(device_class: str, class_label: str) -> dict[str, Any]:
    """The head of a leaderboard by the class it shows; orders and searches of it have that one's address."""
    what = class_label or "all classes"
    return social_context(
        Social(
            f"SLOG leaderboard: {what}",
            f"Sync write latency of SLOG devices as their owners measured it: {what}.",
            with_query(address("leaderboard"), **{"class": device_class}),
            with_query(address("leaderboard-preview"), **{"class": device_class}),
            has_oembed=True,
            feed_path=with_query(address("feed"), **{"class": device_class}),
        )
    )


def page_social(title: str, description: str, path: str) -> dict[str, Any]:
    """The head of a page that is about no device in particular; its picture is the leaderboard's."""
    return social_context(Social(title, description, path, address("leaderboard-preview")))


def compare_social(slugs: Iterable[str], names: Iterable[str]) -> dict[str, Any]:
    """The head of a comparison of these devices."""
    chosen = ",".join(slugs)
    return social_context(
        Social(
            " against ".join(names),
            "Measured sync write latency of SLOG devices side by side, point by point.",
            with_query("/compare/", devices=chosen),
            with_query(address("compare-preview"), devices=chosen),
            has_oembed=True,
        )
    )


def _oembed(url: str) -> dict[str, str]:
    path = address("oembed")
    return {
        "json": full_url(with_query(path, url=url, format="json")),
        "xml": full_url(with_query(path, url=url, format="xml")),
    }
