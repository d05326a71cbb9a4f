"""What a change of the catalogue leaves to be done: results were judged by what was known of their product."""

from collections.abc import Collection

from django.db.models import QuerySet
from django.dispatch import Signal

from results.models import Result, Submission

# Sent with `device_ids`, whose results were judged by what the catalogue said before.
products_changed = Signal()


def forget_judgement(device_ids: Collection[int]) -> None:
    """Note of the texts with a result of these devices that no version has read them.

    So `manage.py reread` finds them, should whoever reads them again at once be stopped. In the transaction of the
    change, before it locks a device: who reads a text again holds that first. Who reads one just now by what was
    known before is waited for, also where it is noted already.
    """
    _forget(_texts_of(device_ids).select_for_update(no_key=True))


def forget_judgement_of_newer(device_ids: Collection[int]) -> None:
    """The same of those that came while the devices were waited for, which the caller has locked.

    Nobody is waited for any more: who has one of these waits for its device, and judges it by what is known then.
    """
    newer = _texts_of(device_ids).exclude(parser_version="")
    _forget(newer.select_for_update(no_key=True, skip_locked=True))


def _texts_of(device_ids: Collection[int]) -> QuerySet[Submission]:
    of_devices = Result.objects.filter(device_id__in=list(device_ids)).values("submission")
    return Submission.objects.filter(pk__in=of_devices).exclude(text="")


def _forget(texts: QuerySet[Submission]) -> None:
    """Locked in one order before any is written, as two changes may have texts in common."""
    locked = list(texts.order_by("pk").values_list("pk", flat=True))
    Submission.objects.filter(pk__in=locked).update(parser_version="")
