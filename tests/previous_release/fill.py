"""Fill the migrated database with what this release stores: each kind of result, a member's and others' texts.

Run in the current release: `python -m tests.previous_release.fill`, after `manage.py load_initial_data`.
"""

import os
import sys
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
django.setup()

from results.core.reader import ReadingError
from results.kinds.answers import SenderAnswers
from results.kinds.registry import KINDS
from results.models import Product, Result, ResultPair
from results.submissions.intake.receive import Sender, SubmissionRefusedError, receive_submission
from tests import ladders
from tests.factories import (
    make_moderator,
    make_price_report,
    make_set,
    make_submission,
    make_verified_member,
    rank_everything,
)
from tests.live_logs import Machine
from tests.results.kinds.pool_io import texts as pool_texts
from tests.results.kinds.sustained import texts as sustained_texts

CORPUS = Path(__file__).resolve().parents[1] / "parsers" / "corpus"


def fill() -> None:
    make_moderator()
    owner = make_verified_member()
    answers = SenderAnswers(answers={"all": sustained_texts.ANSWERS})
    senders = cycle([{"owner": owner}, {"sender_digest": "somebody else"}])
    corpus = [path.read_bytes() for path in sorted(CORPUS.glob("*/accepted/*.txt"))]
    series = sustained_texts.device() + sustained_texts.csv(sustained_texts.FALLING)
    for text in [pool_texts.WHOLE, ladders.text(), series, Machine().text(), *corpus]:
        with suppress(
            ReadingError, SubmissionRefusedError
        ):  # no run in it: a description of a drive, for example
            receive_submission(text, Sender(answers=answers, **next(senders)))
    make_set(make_submission(owner=owner))
    make_price_report(Product.objects.first(), owner)
    before, after = Result.objects.filter(submission__owner=owner, method="diskinfo")[:2]
    ResultPair.objects.create(before=before, after=after, change="cable")
    rank_everything()
    own = Result.objects.filter(submission__survey_id=None).values_list("method", flat=True)
    missing = [
        key for key, kind in KINDS.items() if kind.methods.keys().isdisjoint(own) and key != "file_sync"
    ]
    if missing:  # those of file_sync are published figures
        sys.exit(f"no result of these kinds was stored: {', '.join(missing)}")


if __name__ == "__main__":
    fill()
