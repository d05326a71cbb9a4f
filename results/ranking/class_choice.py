"""The best protected choice of a class for pages, or the protected products if there is none."""

from collections.abc import Sequence
from typing import Any

from parsers.base.device_class import DeviceClass
from results.core.addresses import address
from results.core.formats import format_device, format_origin, format_range
from results.core.subject import short_name
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import DeviceRanking
from results.models.choices import PlpEvidence, plp_badge
from results.ranking.recommend import ProtectedProduct, protected_products, recommended
from results.ranking.tiers import tier_text
from results.ranking.vouched import vouched_figures

FEW = 3
MORE = 8


def no_choice(products: Sequence[ProtectedProduct], *, most: int) -> dict[str, Any]:
    """The context of parts/no_choice.html, from the protected products of a class."""
    unmeasured = [one for one in products if not one.is_measured]
    return {
        "measured": [_product(one) for one in products if one.is_measured][:most],
        "unmeasured": [_product(one) for one in unmeasured[:most]],
        "more_count": max(0, len(unmeasured) - most),
    }


def class_choice(device_class: str) -> dict[str, Any]:
    """The context of leaderboard/class_choice.html. One query, two without a choice."""
    label = DeviceClass(device_class).label
    first = recommended(device_class).values("pk")[:1]  # of an index alone
    best: Any = DeviceRanking.objects.filter(pk__in=first).select_related("device__product__vendor").first()
    if best is None:
        products = protected_products().get(device_class, [])
        return {"class_label": label, "best": None, "no_choice": no_choice(products, most=MORE)}
    device = best.device
    shown = format_range(best.recommended_low, best.recommended_high, best.digits)
    of_row = format_range(best.low, best.high, best.digits)
    return {
        "class_label": label,
        "best": {
            "name": format_device(short_name(device), device.capacity_bytes),
            "url": device.get_absolute_url(),
            "plp": device.plp_badge,
            "metric": ranked_metric(best.board).label,
            "origin": format_origin(device.elsewhere_count, device.result_count),
            "tier": tier_text(best.recommended_low, best.recommended_high),
            "latency": shown,
            "latency_of_row": of_row if of_row != shown else "",
            "n_units": vouched_figures(vars(best)).unit_count,
        },
    }


def _product(product: ProtectedProduct) -> dict[str, Any]:
    return {
        "name": f"{product.vendor} {product.name}",
        "url": address("product", product.slug),
        "plp": plp_badge(product.plp),
        "evidence": PlpEvidence(product.evidence).label,
        "evidence_url": product.evidence_url,
    }
