from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from prometheus_client import REGISTRY

from results.imports.bulk import Text, import_texts
from results.models import ImportBatch
from results.submissions.intake.receive import Sender, SubmissionRefusedError, receive_submission
from tests import pastes

pytestmark = pytest.mark.django_db


NEW, KNOWN, REFUSED = (("pastes", "outcome", outcome) for outcome in ("new", "known", "refused"))
READ = "readings", "parser", "diskinfo"


@contextmanager
def counting(expected: dict[tuple[str, str, str], int]) -> Iterator[None]:
    """Within it, what is counted grows by these numbers."""

    def counts():
        return {
            (name, label, value): REGISTRY.get_sample_value(f"slogdb_{name}_total", {label: value}) or 0
            for name, label, value in expected
        }

    before = counts()
    yield
    assert {key: now - before[key] for key, now in counts().items()} == expected


def test_a_paste_is_counted_by_outcome_and_parser():
    with counting({NEW: 1, KNOWN: 2, READ: 3}):
        for _ in range(3):
            receive_submission(pastes.FIRST_PASTE, Sender())


def test_a_refused_paste_is_counted():
    with counting({REFUSED: 1}), pytest.raises(SubmissionRefusedError) as caught:
        receive_submission("nothing to see", Sender())
    assert caught.value.notices


def test_imported_texts_and_their_notices_are_counted():
    texts = [
        pastes.diskinfo(ident="COUNTED00001"),
        pastes.diskinfo(ident="COUNTED00002"),
        "Device Model: NO RUN 1\n",
    ]
    with counting({NEW: 2, REFUSED: 1, READ: 2, ("notices", "code", "no_benchmark"): 1}):
        list(import_texts([Text(text=text) for text in texts], ImportBatch.objects.create(title="Counted")))
