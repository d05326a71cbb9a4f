"""Made-up texts are read, and the rate is that of published ones."""

import pytest

from bench import imports
from bench.bars import BenchmarkError
from bench.imports import made_up_texts
from results.imports.bulk import import_texts
from results.models import ImportBatch, Result


@pytest.mark.django_db
def test_made_up_texts_are_parsed_and_classified():
    (imported,) = import_texts(made_up_texts(60), ImportBatch.objects.create(title="Made up"))
    assert imported.new_count == 60
    assert 1 < Result.objects.filter(has_unit=True).values("ranking_unit").distinct().count() < 60


def test_the_rate_until_everything_is_ranked_has_a_bar():
    storing, total = imports.rows(900, 1000, store_s=1.0, total_s=3.0)
    assert (storing.measured, total.measured) == (900, 300)
    assert (storing.limit, total.passes) == (None, True)


def test_an_import_that_publishes_too_few_texts_is_an_error():
    with pytest.raises(BenchmarkError, match="only 10 of 1,000"):
        imports.rows(10, 1000, store_s=1.0, total_s=4.0)
