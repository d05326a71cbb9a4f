"""What the results of a device say on its page, kept by their state: to read all takes longer than the rest."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from results.models import Device, DeviceRanking
from results.ranking.wear import WornUnit, find_worn_units
from results.web.firmware import firmware_context
from results.web.lookup import WholeDevice
from slogdb.kept import Kept

# Of SHOWN_RESULTS rows at most, some 800 bytes each, and of MOST_UNITS units, some 200 each: 80 MB in all if every
# one of these devices had as many, and some KB each as devices are.
KEPT_DEVICES = 400


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """The page's part on firmware, and the units of which wear is known."""

    firmwares: dict[str, Any]
    worn_units: Sequence[WornUnit]


_kept = Kept[Hashable, DeviceResults](KEPT_DEVICES)


def find_results(whole: WholeDevice, ranking: DeviceRanking | None) -> DeviceResults:
    """No query; three where the results have changed, or the board's spread."""
    device = whole.device
    ranked = (ranking.method, ranking.board_spread) if ranking else None
    key = (device.pk, device.slug, whole.results_state, ranked)
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = _read(device, ranking)
    return found


def _read(device: Device, ranking: DeviceRanking | None) -> DeviceResults:
    return DeviceResults(
        firmware_context(device, ranking),
        find_worn_units(ranking) if ranking else (),
    )
