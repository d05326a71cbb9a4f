"""Reads every stored text again: a better parser improves the old results too."""

from collections.abc import Collection, Iterator

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from parsers.paste import PARSER_VERSION, parse_paste
from results.catalogue.match import class_catalogue
from results.ingest.late import MANY_RESULTS
from results.ingest.read import read_submission
from results.models import Result, Submission
from results.models.choices import State
from results.ranking.places import Board

BATCH = 5000  # keys that are fetched at once


def texts_to_read(*, only_outdated: bool) -> QuerySet[Submission]:
    """The submissions with a text that counts; `only_outdated` without those that this version has read."""
    submissions = Submission.objects.exclude(text="").exclude(state=State.WAITING).order_by("pk")
    return submissions.exclude(parser_version=PARSER_VERSION) if only_outdated else submissions


def reread_all(*, only_outdated: bool) -> Iterator[tuple[Submission, list[Board]]]:
    """Read the stored texts anew, each in a transaction of its own; yields each with the boards it changed.

    It can be stopped and started again at any time.
    """
    return _reread(texts_to_read(only_outdated=only_outdated))


def reread_devices(device_ids: Collection[int]) -> Iterator[tuple[Submission, list[Board]]]:
    """The same for the texts that have a result of these devices: their product, and so what is likely, changed."""
    of_devices = Result.objects.filter(device_id__in=list(device_ids), submission=OuterRef("pk"))
    return _reread(texts_to_read(only_outdated=False).filter(Exists(of_devices)))


def _reread(submissions: QuerySet[Submission]) -> Iterator[tuple[Submission, list[Board]]]:
    """Each is locked and looked at only when its turn comes: it may have been erased, held or claimed since."""
    for pk in submissions.values_list("pk", flat=True).iterator(chunk_size=BATCH):
        with transaction.atomic():
            submission = submissions.filter(pk=pk).select_for_update().first()
            boards = [] if submission is None else reread_submission(submission, late_from=MANY_RESULTS)
        if submission is not None:
            yield submission, boards


def reread_submission(submission: Submission, *, late_from: int | None = None) -> list[Board]:
    """Read one stored text anew, which the caller has locked; the boards that it changed.

    Devices that are ranked by `late_from` results are left to `rank_late`; None ranks all at once.
    """
    paste = parse_paste(
        submission.text,
        unit_key=settings.UNIT_KEY.encode(),
        unit_digests=submission.unit_digests,
        catalogue=class_catalogue(),
    )
    return read_submission(submission, paste, late_from=late_from)
