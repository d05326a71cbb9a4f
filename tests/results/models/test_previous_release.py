"""What 1.0.0 does to the database, in its SQL: bin/check-previous runs the release itself."""

import pytest
from django.db import connection

from results.kinds.registry import KINDS
from results.models import Claim, Pool, PoolLog, Result, ResultPair, Submission
from tests.factories import (
    make_claim,
    make_device,
    make_grid,
    make_pool,
    make_product,
    make_result,
    make_submission,
    make_workload,
)

pytestmark = pytest.mark.django_db


def run(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def test_a_submission_by_1_0_0_has_what_it_knows_and_defaults_for_the_rest():
    make_submission(public_id="first", text_digest="1")
    run(
        "INSERT INTO results_submission SELECT (s).* FROM "
        "(SELECT jsonb_populate_record(NULL::results_submission, to_jsonb(sent) - 'told' - 'read_attempts' || "
        '\'{"id": 9, "public_id": "second", "text_digest": "2", "read_attempts": 0, "told": {}, '
        '"state": "waiting"}\') AS s FROM results_submission AS sent) AS sent'
    )
    assert run("SELECT state, read_attempts, leased_until FROM results_submission WHERE id = 9") == [
        ("waiting", 0, None)
    ]


def test_a_result_written_by_1_0_0_is_measured_by_its_method():
    result = make_result()
    run("UPDATE results_result SET method = 'fio' WHERE id = %s", result.pk)
    result.refresh_from_db()
    assert result.method == "fio"
    assert [*Result.objects.filter(method="fio")] == [result]


@pytest.mark.parametrize(
    ("method", "shown"), [("fio", "fio"), ("iozone", "fio_file"), ("series_csv", "fio_file")]
)
def test_1_0_0_reads_only_methods_that_it_knows(method, shown):
    if method == "fio":
        result = make_result(method=method)
    else:
        result = make_grid("grid")
        Result.objects.filter(pk=result.pk).update(method=method)
    assert run("SELECT method, measured_by FROM results_result") == [(shown, method)]
    assert Result.objects.get().method == method


def test_1_0_0_finds_no_claim_for_a_quantity_that_it_does_not_know():
    product = make_product()
    make_claim(product, 500, quantity="sequential_write_mb_s", unit="MB/s")
    make_claim(product, 7, quantity="sustained_writes", unit="IOPS")
    assert product.claims.count() == 2
    assert run("SELECT quantity FROM results_claim WHERE product_id = %s", product.pk) == [
        ("sequential_write_mb_s",)
    ]
    run("UPDATE results_claim SET product_id = %s WHERE product_id = %s", make_product().pk, product.pk)
    assert [claim.quantity for claim in product.claims.all()] == ["sustained_writes"]
    assert Claim.objects.count() == 2


def test_an_erasure_by_1_0_0_erases_the_pools_and_what_was_told():
    pool = make_pool(submission__told={"all": {"log": "device"}}, submission__text_digest="1")
    PoolLog.objects.create(pool=pool, device=make_device())
    first, second = make_workload(pool), make_workload(pool, 2)
    ResultPair.objects.create(before=first, after=second, change="cable")
    run(
        "UPDATE results_submission SET state = 'erased', text = '', text_digest = NULL, unit_digests = '{}', "
        "notices = '[]', note = '' WHERE id = %s",
        pool.submission_id,
    )
    assert Submission.objects.get().told == {}
    assert not Pool.objects.exists()
    assert not Result.objects.exists()


def test_1_0_0_deletes_a_result_with_a_payload_that_it_does_not_know():
    result = make_grid("grid")
    run("DELETE FROM results_result WHERE id = %s", result.pk)
    run("SET CONSTRAINTS ALL IMMEDIATE")


def test_every_payload_that_1_0_0_does_not_know_is_deleted_with_its_result():
    tables = {kind.table._meta.db_table for kind in KINDS.values() if kind.table}
    staying = run(
        "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'a' "
        "AND confrelid = 'results_result'::regclass AND conrelid::regclass::text = ANY(%s)",
        list(tables),
    )
    assert staying == [("results_filesync",)]  # 1.0.0 knows it


def test_1_0_0_reads_the_shown_price_as_the_newest():
    assert run("SELECT newest_as FROM results_pricesighting") == []
