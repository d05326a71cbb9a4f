"""Reads every stored text again: a better parser improves the old results too."""

from collections.abc import Iterator

from django.conf import settings

from parsers.paste import PARSER_VERSION, parse_paste
from results.catalogue.match import class_catalogue
from results.ingest.read import read_submission
from results.models import Submission
from results.ranking.places import Board

BATCH = 500


def reread_all(*, only_outdated: bool) -> Iterator[tuple[Submission, list[Board]]]:
    """Read the stored texts anew, each in a transaction of its own; yields each with the boards it changed.

    `only_outdated` passes over those that this version of the parsers has read. It can be stopped and started
    again at any time.
    """
    submissions = Submission.objects.exclude(text="").order_by("pk")
    if only_outdated:
        submissions = submissions.exclude(parser_version=PARSER_VERSION)
    for submission in submissions.iterator(chunk_size=BATCH):
        paste = parse_paste(
            submission.text,
            unit_key=settings.UNIT_KEY.encode(),
            unit_digests=submission.unit_digests,
            catalogue=class_catalogue(),
        )
        yield submission, read_submission(submission, paste)
