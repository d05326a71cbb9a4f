import pytest
from django.db import IntegrityError, transaction

from results.models import Product
from slogdb.direct import ask, pipelined
from tests.factories import make_product

pytestmark = pytest.mark.django_db


def test_rows_are_asked_for_when_they_are_wanted():
    with pipelined():
        asked = [ask("SELECT %s::integer + 1", [number]) for number in (1, 2)]
        assert [rows() for rows in asked] == [[(2,)], [(3,)]]


def break_a_rule(done, *, at, and_delete):
    """The fault takes PostgreSQL a second, so that its answer does not come by chance."""
    ask("UPDATE results_product SET name = '' WHERE id = %s AND (SELECT true FROM pg_sleep(1))", [at.pk])
    ask("DELETE FROM results_product WHERE id = %s", [and_delete.pk])
    done.append(at)


def test_a_statement_in_a_pipeline_is_not_waited_for_and_nothing_is_done_after_a_fault():
    product, other, done = make_product(), make_product(), []
    with pytest.raises(IntegrityError), transaction.atomic(), pipelined():
        break_a_rule(done, at=product, and_delete=other)
    assert done == [product]
    assert set(Product.objects.all()) == {product, other}


def test_without_a_pipeline_a_statement_is_waited_for():
    done = []
    with pytest.raises(IntegrityError), transaction.atomic():
        break_a_rule(done, at=make_product(), and_delete=make_product())
    assert done == []


def test_what_is_asked_counts_as_a_query(django_assert_num_queries):
    with django_assert_num_queries(2), pipelined():
        ask("SELECT 1")
        ask("SELECT 2")
