import pytest
from django.db import DataError, OperationalError

from results.core.reader import NOT_READ, TOO_SLOW, ReadingError
from results.core.security.digests import digest_text
from results.imports import bulk
from results.imports.bulk import Imported, Text, import_kept, import_texts
from results.models import AuditEntry, ImportBatch, Result, Submission
from results.models.choices import State
from results.ranking.standing import main_rows
from results.submissions.intake.deferred import rank_dirty_devices
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_moderator

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
COMPARED = (
    "device_id",
    "firmware_id",
    "has_unit",
    "ranking_unit",
    "latency_us",
    "is_ranked",
    "flags",
    "measured_on",
)


@pytest.fixture
def batch():
    return ImportBatch.objects.create(title="A decade of threads")


def texts(count, **values):
    return [
        Text(
            text=pastes.diskinfo(
                [point + number for point in pastes.FIRST_CURVE], ident=f"SERIAL{number:06}"
            ),
            **{"sender_digest": f"{number:032x}", "place": f"text {number}", **values},
        )
        for number in range(count)
    ]


def counts(outcomes):
    """For each transaction: how many texts are new, and how many were reported."""
    return [(outcome.new_count, len(outcome.skipped)) for outcome in outcomes]


def test_texts_are_stored_masked_and_ranked(batch):
    assert counts(import_texts(texts(5, forum_handle="ann"), batch)) == [(5, 0)]
    stored = list(Submission.objects.order_by("pk"))
    assert {(row.state, row.forum_handle, row.batch) for row in stored} == {(State.PUBLISHED, "ann", batch)}
    assert not any("SERIAL0" in row.text for row in stored)
    assert main_rows().get().unit_count == 5


def test_each_transaction_has_a_limited_number_of_texts(batch):
    assert counts(import_texts(texts(5), batch, texts_a_transaction=2)) == [(2, 0), (2, 0), (1, 0)]
    rank_dirty_devices()
    assert main_rows().get().unit_count == 5


def test_an_import_that_was_interrupted_is_run_again(batch):
    interrupted = import_texts(texts(5), batch, texts_a_transaction=2)
    assert next(interrupted).new_count == 2
    interrupted.close()
    assert Submission.objects.count() == 2
    assert sum(text.new_count for text in import_texts(texts(5), batch)) == 3
    assert counts(import_texts(texts(5), batch)) == []
    assert Result.objects.count() == 5


def test_an_import_gives_the_same_results_as_single_submissions(batch):
    both = [pastes.FIRST_PASTE + pastes.smartctl(), pastes.diskinfo([30.0] * 9, ident="CUT")]
    list(import_texts([Text(text=text) for text in both], batch))
    together = list(Result.objects.order_by("submission_id", "position").values(*COMPARED))
    Submission.objects.all().delete()
    for text in both:
        receive_submission(text, Sender(owner=make_moderator()))
    assert list(Result.objects.order_by("submission_id", "position").values(*COMPARED)) == together


def test_texts_that_are_not_text_too_long_or_without_output_are_skipped(batch, settings):
    hostile = [b"\x00\x01\xff\xfe\x00", "x" * (settings.PASTE_LIMIT_BYTES + 1), "hello"]
    assert counts(import_texts([*(Text(text=text) for text in hostile), *texts(1)], batch)) == [(1, 0)]
    assert Submission.objects.count() == 1


def test_a_text_without_a_run_is_stored_as_rejected_with_the_reason(batch):
    assert counts(import_texts([Text(text=pastes.smartctl())], batch)) == [(0, 0)]
    assert Submission.objects.values_list("state", "state_reason").get() == (
        State.REJECTED,
        "It contains no run.",
    )


@pytest.mark.parametrize(
    ("notice", "reason"), [(TOO_SLOW, "It takes too long to read."), (NOT_READ, "It couldn’t be read.")]
)
def test_a_text_that_cannot_be_read_is_reported_and_skipped(batch, monkeypatch, notice, reason):
    """That a child process really ends such a text is tested in tests/faults."""
    parse = bulk.parse_text

    def fragile(text, **named):
        if "SERIAL000001" in text:
            raise ReadingError(notice)
        return parse(text, **named)

    monkeypatch.setattr(bulk, "parse_text", fragile)
    (outcome,) = import_texts(texts(3), batch)
    assert outcome.new_count == 2
    assert [(skipped.text.place, skipped.reason) for skipped in outcome.skipped] == [("text 1", reason)]
    monkeypatch.setattr(bulk, "parse_text", parse)
    assert counts(import_texts(texts(3), batch)) == [(1, 0)]


@pytest.fixture
def break_storing(monkeypatch):
    """From here on, storing fails with `fault` if the results are among those that `concerns` selects."""
    store = bulk.store_readings

    def begin(fault, concerns=lambda _: True):
        def fragile(readings, **options):
            if any(concerns(reading.submission) for reading in readings):
                raise fault
            store(readings, **options)

        monkeypatch.setattr(bulk, "store_readings", fragile)

    return begin


@pytest.mark.parametrize(
    "fault", [DataError("a value that no column holds"), AttributeError(), AssertionError()], ids=repr
)
def test_a_text_that_cannot_be_stored_is_reported_and_skipped(batch, break_storing, fault):
    digest = digest_text(texts(2)[1].text)
    break_storing(fault, lambda submission: submission.text_digest == digest)
    (outcome,) = import_texts(texts(3), batch)
    assert (outcome.new_count, [skipped.text.place for skipped in outcome.skipped]) == (2, ["text 1"])
    assert Submission.objects.count() == Result.objects.count() == 2


def test_a_failure_of_the_database_ends_the_import(batch, break_storing):
    break_storing(OperationalError("deadlock detected"))
    with pytest.raises(OperationalError):
        list(import_texts(texts(2), batch))
    assert not Submission.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_the_same_texts_store_them_once(batch):
    with threads() as start:
        imports = [start(lambda: list(import_texts(texts(40), batch))) for _ in range(2)]
        outcomes = [outcome for each in imports for outcome in each.result()]
    assert sum(outcome.new_count for outcome in outcomes) == 40
    assert Submission.objects.count() == Result.objects.count() == 40


def test_an_import_from_the_web_lists_what_it_skipped_in_the_log(batch, monkeypatch):
    (text,) = texts(1, place="https://forum.example/post-1")
    monkeypatch.setattr(bulk, "import_texts", lambda *_: [Imported(0, [bulk.Skipped(text, "why")])])
    import_kept(batch.pk, [])
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason.split(": ")[1]) == ("imported", "https://forum.example/post-1")
