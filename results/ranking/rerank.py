"""What a change of results does to the ranking at once, in the transaction that made it."""

from collections.abc import Collection

from django.db import transaction

from results.ranking.aggregate import refresh_devices
from results.ranking.places import Board, mark_changed


@transaction.atomic(savepoint=False)
def rerank_devices(device_ids: Collection[int], *, only_added: bool = False) -> list[Board]:
    """Compute these devices' rows anew, with their intervals; the boards that now wait for a class-wide pass.

    Those are the boards that the devices left, joined or moved on; none where all rows stay as they are. The
    caller's transaction holds the devices' locks. Locks are taken in one order everywhere: devices, rows by device,
    boards by name, those of all classes, data version. `only_added`: no result went, so no row does.
    """
    if not device_ids:
        return []
    boards = refresh_devices(device_ids, only_added=only_added)
    mark_changed(boards)
    return sorted(boards)
