import os

import pytest

from bench import imports
from bench.imports import Cost, made_up_texts, table
from results.ingest.batches import read_batch, store_texts
from results.models import ImportBatch, Result, Submission


@pytest.mark.django_db
def test_what_is_made_up_is_read_and_recognised():
    store_texts(made_up_texts(60), ImportBatch.objects.create(title="Made up"))
    read_batch()
    assert Submission.objects.filter(state="published").count() == 60
    assert 1 < Result.objects.filter(has_unit=True).values("ranking_unit").distinct().count() < 60
    imports._copy_again()


def test_costs_stand_beside_that_of_copy():
    printed = table(1000, {"read": Cost(2.0, 0.5, 0.25), "COPY": Cost(0.5, 0.0, 0.1)})
    assert "| read | 500 | 0.25 | 0.50 | 0.25 |" in printed
    assert "| COPY | 2,000 | 1.00 |" in printed


@pytest.mark.django_db
def test_a_cost_is_that_of_the_processors():
    cost = imports._cost(lambda: sum(range(3_000_000)), os.getpid())
    assert cost.python_s > 0
    assert cost.postgresql_s >= 0
