"""What a change of results does to the ranking at once, in the transaction that made it."""

from collections.abc import Collection

from django.db import transaction

from results.ranking.aggregate import refresh_devices
from results.ranking.places import mark_dirty


@transaction.atomic(savepoint=False)
def rerank_devices(device_ids: Collection[int], *, only_added: bool = False) -> None:
    """Compute these devices' rows again, with their intervals, and mark the boards dirty that this changes.

    Those are the boards that the devices left, joined or moved on; none where all rows stay as they are. The
    caller's transaction holds the devices' locks. Locks are acquired in one order everywhere: devices, rows by
    device, boards by name, those of all classes, data version. `only_added`: no result went, so no row does.
    """
    if device_ids:
        mark_dirty(refresh_devices(device_ids, only_added=only_added))
