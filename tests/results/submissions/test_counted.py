import pytest
from prometheus_client import REGISTRY

from results.imports.bulk import Text, import_texts
from results.models import ImportBatch
from results.submissions.intake.receive import Sender, SubmissionRefusedError, receive_submission
from tests import pastes

pytestmark = pytest.mark.django_db


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def test_a_paste_is_counted_by_outcome_and_parser():
    names = [
        ("slogdb_pastes_total", {"outcome": "new"}),
        ("slogdb_pastes_total", {"outcome": "known"}),
        ("slogdb_readings_total", {"parser": "diskinfo"}),
    ]
    before = [counted(name, **labels) for name, labels in names]
    for _ in range(3):
        receive_submission(pastes.FIRST_PASTE, Sender())
    after = [counted(name, **labels) for name, labels in names]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 2, 3]


def test_a_refused_paste_counts_its_notices():
    before = counted("slogdb_pastes_total", outcome="refused"), counted("slogdb_notices_total", code="no_run")
    with pytest.raises(SubmissionRefusedError) as caught:
        receive_submission("nothing to see", Sender())
    assert counted("slogdb_pastes_total", outcome="refused") == before[0] + 1
    assert caught.value.notices


def test_imported_texts_are_counted():
    names = [
        ("slogdb_pastes_total", {"outcome": "new"}),
        ("slogdb_pastes_total", {"outcome": "refused"}),
        ("slogdb_readings_total", {"parser": "diskinfo"}),
        ("slogdb_notices_total", {"code": "no_benchmark"}),
    ]
    before = [counted(name, **labels) for name, labels in names]
    texts = [
        pastes.diskinfo(ident="COUNTED00001"),
        pastes.diskinfo(ident="COUNTED00002"),
        "Device Model: NO RUN 1\n",
    ]
    list(import_texts([Text(text=text) for text in texts], ImportBatch.objects.create(title="Counted")))
    after = [counted(name, **labels) for name, labels in names]
    assert [now - then for now, then in zip(after, before, strict=True)] == [2, 1, 2, 1]
