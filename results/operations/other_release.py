"""After another release has written to the database, complete what it stored.

It may be the previous one, between the migration and the start of this one, or after a roll back: it doesn't store
what only this one computes. DataVersion.complete shows that there is something to do.
"""

from django.db import transaction
from django.utils import timezone

from results.catalogue.matching.rematch import lock_devices
from results.core.data_version import bump_data_version, is_complete
from results.models import ClassRanking, Device, Submission
from results.models.choices import State
from results.ranking.boards import MERGED, ClassBoard, mark_dirty

WAITING = "waiting"  # 1.0.0 stores imported texts like this, for its worker to read


def catch_up() -> None:
    """If another release has changed data, have all devices and boards ranked, and publish texts that wait.

    Such a text has no results until `manage.py reread`. Nothing happens if there is nothing to complete.
    """
    if is_complete():
        return
    with transaction.atomic():
        Submission.objects.filter(state=WAITING).update(state=State.PUBLISHED, parser_version="")
        lock_devices(Device.objects.filter(result_count__gt=0).values("pk"))
        Device.objects.filter(result_count__gt=0, dirty_since=None).update(dirty_since=timezone.now())
        boards = ClassRanking.objects.filter(method=MERGED).values_list("board", "device_class")
        mark_dirty(ClassBoard(*board) for board in boards)
        bump_data_version(becomes_complete=True)
