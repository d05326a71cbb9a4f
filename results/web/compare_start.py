"""What the comparison offers before a device is named: comparisons that the data suggest."""

from collections.abc import Sequence
from typing import Any

from results.models.choices import DeviceClassChoice
from results.presentation import format_capacity, format_number
from results.ranking.compare import MOST_DEVICES
from results.ranking.rivals import Rival, best_of_classes, most_measured
from results.web.compare_address import compare_url


def compare_start() -> dict[str, Any]:
    """What partials/compare_offers.html needs. Three queries, whatever there is."""
    classes = best_of_classes(2)
    best = sorted((rivals[0] for rivals in classes.values()), key=lambda one: one.high_us)[:MOST_DEVICES]
    offers = [
        _offer(f"The best choices in {len(best)} classes", best, _class_names(best)),
        _offer("What most owners measured", common := most_measured(MOST_DEVICES), _names(common)),
    ]
    return {
        "offers": [offer for offer in offers if offer["count"] > 1],
        "pairs": [_pair(*classes[one]) for one in DeviceClassChoice.values if len(classes.get(one, ())) == 2],
    }


def _offer(title: str, rivals: Sequence[Rival], says: str) -> dict[str, Any]:
    url = compare_url(one.slug for one in rivals)
    return {"title": title, "url": url, "says": says, "count": len(rivals)}


def _pair(first: Rival, second: Rival) -> dict[str, str]:
    is_open = second.low_us <= first.high_us and first.low_us <= second.high_us
    return {
        "title": " against ".join(" ".join(filter(None, _name(one))) for one in (first, second)),
        "url": compare_url([first.slug, second.slug]),
        "class_label": str(DeviceClassChoice(first.device_class).label),
        "latencies": " and ".join(format_number(one.score_us) for one in (first, second)),
        "says": "which is faster is open" if is_open else "their intervals lie apart",
    }


def _name(rival: Rival) -> tuple[str, str]:
    return rival.model_name, format_capacity(rival.capacity_bytes)


def _names(rivals: Sequence[Rival]) -> str:
    return ", ".join(one.model_name for one in rivals)


def _class_names(rivals: Sequence[Rival]) -> str:
    return ", ".join(str(DeviceClassChoice(one.device_class).label) for one in rivals)
