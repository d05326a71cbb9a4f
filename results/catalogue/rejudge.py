"""Mark texts to be reread after a change of the catalogue.

Their results were judged by what was known of their products before.
"""

from collections.abc import Collection

from django.db.models import QuerySet
from django.dispatch import Signal

from results.models import Result, Submission

# Sent with `device_ids`, whose results were judged by the previous catalogue.
products_changed = Signal()


def mark_for_reread(device_ids: Collection[int]) -> None:
    """Clear the parser version of the texts with a result of these devices.

    `manage.py reread` then finds them if the immediate reread is interrupted. Call it in the transaction of the
    change, before it locks a device, as a reread locks the text first. It waits for rereads that are running with the
    previous catalogue, even of texts that are marked already.
    """
    _clear_versions(_texts_of(device_ids).select_for_update(no_key=True))


def mark_newer_for_reread(device_ids: Collection[int]) -> None:
    """Mark texts that arrived while the caller waited to lock the devices.

    It waits for nobody: a transaction that has locked one of these texts waits for its device, and then judges it by
    the new catalogue.
    """
    newer = _texts_of(device_ids).exclude(parser_version="")
    _clear_versions(newer.select_for_update(no_key=True, skip_locked=True))


def _texts_of(device_ids: Collection[int]) -> QuerySet[Submission]:
    of_devices = Result.objects.filter(device_id__in=list(device_ids)).values("submission")
    return Submission.objects.filter(pk__in=of_devices).exclude(text="")


def _clear_versions(texts: QuerySet[Submission]) -> None:
    """Lock the texts in one order before writing, as two changes may share texts."""
    locked = list(texts.order_by("pk").values_list("pk", flat=True))
    Submission.objects.filter(pk__in=locked).update(parser_version="")
