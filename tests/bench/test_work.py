"""What is measured is the work that it is called after: texts that are read, rows that are ranked, bytes of rows."""

from types import SimpleNamespace

import pytest
from django.db import connection

from bench import ranking, storage, submissions
from bench.bars import BenchmarkError
from bench.imports import made_up_texts
from bench.parsers import DOCUMENTS, WORST, largest_paste
from bench.submissions import NEW_MODELS, known_models, run_of, submit_many
from parsers.paste import parse_paste
from parsers.text.decode import MAX_LINES, MAX_SIZE
from results.imports.bulk import import_texts
from results.kinds.registry import find_runs
from results.models import ImportBatch, Result
from results.ranking.standing import main_rows
from tests.factories import make_device, make_product, make_result, rank_everything
from tests.submitter.servers import Server

PIECES = WORST | {path.stem: path.read_text() for path in DOCUMENTS.iterdir()}


def test_the_largest_paste_is_large_and_not_too_large():
    """The benchmark itself fails for one that is refused."""
    for name, piece in PIECES.items():
        raw = largest_paste(piece)
        assert MAX_SIZE / 2 < len(raw) <= MAX_SIZE, name
        assert raw.count(b"\n") <= MAX_LINES, name


@pytest.mark.django_db
def test_imported_texts_are_of_several_units_with_several_results():
    (imported,) = import_texts(made_up_texts(60), ImportBatch.objects.create(title="Made up"))
    assert imported.new_count == 60
    assert 1 < Result.objects.filter(has_unit=True).values("ranking_unit").distinct().count() < 60


@pytest.mark.django_db(transaction=True)
def test_outdated_rows_are_computed_again():
    make_result(20)
    rank_everything()
    current = main_rows().get().formula_version
    ranking.prepare(is_outdated=True)
    assert main_rows().get().formula_version == 0
    ranking.rank()
    assert main_rows().get().formula_version == current


@pytest.mark.django_db(transaction=True)
def test_the_bar_of_storage_covers_everything_but_the_text():
    device = make_device()
    made = [make_result(20 + number, device=device).submission for number in range(40)]
    text, without, *others, total = bytes_of_a_result()
    assert total == pytest.approx(sum([without, *others]))
    for number, submission in enumerate(made):
        submission.text = f"{number:04d}" * 100
        submission.save()
    longer, still, *_ = bytes_of_a_result()
    assert longer > text
    assert still == pytest.approx(without, abs=8)


def bytes_of_a_result():
    data = SimpleNamespace(environment={"DATABASE_URL": connection.connection.info.dsn})
    return [row.measured for row in storage.measure(data)]


def test_each_submission_is_a_ranked_run_of_another_unit():
    texts = [run_of(number, NEW_MODELS[0]) for number in range(2)]
    (first,), (second,) = (find_runs(parse_paste(text, unit_key=b"key")).runs for text in texts)
    assert first.is_ranked
    assert first.unit != second.unit


@pytest.mark.django_db
def test_known_models_are_the_most_popular_one_and_those_with_few_results():
    product = make_product()
    fewest = submissions.MIN_RESULTS
    for name, count in (
        ("too few", fewest - 1),
        ("many", fewest + 2),
        ("some", fewest + 1),
        ("few", fewest),
        ("unknown", fewest + 3),
    ):
        of = None if name == "unknown" else product
        device = make_device(model_name=name, capacity_bytes=10**11, product=of)
        for latency in range(count):
            make_result(20 + latency, device=device)
    rank_everything()
    popular, usual = known_models(connection.connection)
    assert (popular.name, popular.result_count) == ("many", fewest + 2)
    assert popular.latency_us == pytest.approx(25.5, abs=1)
    assert [model.name for model in usual] == ["some", "few"]


def test_submissions_that_are_not_stored_or_not_ranked_are_an_error(monkeypatch):
    monkeypatch.setattr(submissions, "fetch", lambda _: b"")
    with Server() as site:
        site.answer = {"results": [{"id": "a", "is_ranked": False, "not_ranked_reason": "held back"}]}
        port = int(site.url.rpartition(":")[2])
        assert len(submit_many(port, NEW_MODELS, 20)) == 18
        with pytest.raises(BenchmarkError, match="only 0 of 20"):
            submit_many(port, NEW_MODELS, 20, is_ranked=True)
        site.status = 422
        with pytest.raises(BenchmarkError, match="answered with 422"):
            submit_many(port, NEW_MODELS, 20)
