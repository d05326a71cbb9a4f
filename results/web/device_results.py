"""The results of a device on its page, cached: reading the 37,000 of one device takes half a second."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import caches

from results.models import Device, DeviceRanking
from results.ranking.wear import WornUnit, find_worn_units
from results.web.firmware import firmware_context
from results.web.lookup import WholeDevice


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """The page's part on firmware, and the units of which wear is known."""

    firmwares: dict[str, Any]
    worn_units: Sequence[WornUnit]


def find_results(whole: WholeDevice, ranking: DeviceRanking | None) -> DeviceResults:
    """No query; three where the results have changed, or the board's spread."""
    device = whole.device
    ranked = f"{ranking.method}:{ranking.board_spread}" if ranking else ""
    key = f"device-results:{device.pk}:{device.slug}:{whole.results_state}:{ranked}"
    found: DeviceResults | None = caches["pages"].get(key)
    if found is None:
        found = _read(device, ranking)
        caches["pages"].set(key, found)
    return found


def _read(device: Device, ranking: DeviceRanking | None) -> DeviceResults:
    return DeviceResults(
        firmware_context(device, ranking),
        find_worn_units(ranking) if ranking else (),
    )
