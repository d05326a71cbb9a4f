"""What the results of a device say on its page, kept by their state: to read all takes longer than the rest."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from results.models import Device, DeviceRanking
from results.ranking.wear import WornUnit, find_worn_units
from results.web.firmware import firmware_context
from results.web.lookup import WholeDevice
from slogdb.kept import Kept


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """The page's part on firmware, and the units of which wear is known."""

    firmwares: dict[str, Any]
    worn_units: Sequence[WornUnit]


_kept = Kept[int, tuple[Hashable, DeviceResults]]("results of devices")  # with the state that they are of


def find_results(whole: WholeDevice, ranking: DeviceRanking | None) -> DeviceResults:
    """No query; three where the results have changed, or the board's spread."""
    device = whole.device
    ranked = (ranking.method, ranking.board_spread) if ranking else None
    state = (device.slug, whole.results_state, ranked)
    found = _kept.get(device.pk)
    if found is None or found[0] != state:  # what it was before will not come again
        found = _kept[device.pk] = state, _read(device, ranking)
    return found[1]


def _read(device: Device, ranking: DeviceRanking | None) -> DeviceResults:
    return DeviceResults(
        firmware_context(device, ranking),
        find_worn_units(ranking) if ranking else (),
    )
