"""Bytes per result in PostgreSQL without its text, including tables and indexes."""

import psycopg

from bench.bars import BenchmarkError, Row
from bench.site import DataSet

_BYTES = """
    SELECT
        count(*),
        pg_total_relation_size('results_result'),
        sum(pg_column_size(submission.*) + 4 - pg_column_size(submission.text)),  -- 4: its line pointer in the page
        pg_indexes_size('results_submission'),
        sum(pg_column_size(submission.text))
    FROM results_result AS result JOIN results_submission AS submission ON submission.id = result.submission_id
"""


def measure(data: DataSet) -> list[Row]:
    """Bytes of a result, after VACUUM FULL, and of its submission; each made-up submission has one result."""
    with psycopg.connect(data.environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("VACUUM FULL results_result")
        connection.execute("REINDEX TABLE results_submission")
        found = connection.execute(_BYTES).fetchone()
    if found is None or not found[0]:
        raise BenchmarkError("there are no results")
    results, *sizes = map(int, found)
    for_result, for_submission, for_indexes, for_text = (size / results for size in sizes)
    return [
        Row("text of a submission, compressed", for_text, "bytes"),
        Row("submission without its text", for_submission, "bytes"),
        Row("indexes of a submission", for_indexes, "bytes"),
        Row("latency_curve result with its indexes", for_result, "bytes"),
        Row(
            "latency_curve result and submission, without the text",
            for_result + for_submission + for_indexes,
            "bytes",
            limit=1280.0,
        ),
    ]
