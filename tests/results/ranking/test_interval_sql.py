"""The expression against the arithmetic: for every number of units that has a factor of its own, and beyond."""

import pytest
from django.db import connection

from results.ranking.intervals import blended_spread, half_width, half_width_sql, own_spread

HALF = half_width_sql("units", "deviation", spread="0.12::double precision")
COUNTS = [*range(1, 30), 100, 5000]


def halves(deviation):
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {HALF} FROM unnest(%s::integer[]) AS units, (SELECT %s::real AS deviation) AS one",  # noqa: S608
            [COUNTS, deviation],
        )
        return [half for (half,) in cursor.fetchall()]


@pytest.mark.django_db
def test_the_sql_expression_equals_the_python_arithmetic(subtests):
    for deviation in [0.0, 0.0625, 0.5]:
        with subtests.test(deviation=deviation):
            expected = [
                half_width(
                    blended_spread(0.12, own_spread(deviation, count) if count > 1 else None, count), count
                )
                for count in COUNTS
            ]
            assert halves(deviation) == pytest.approx(expected, rel=1e-12)


@pytest.mark.django_db
def test_a_device_without_a_deviation_has_the_spread_of_its_board():
    assert halves(None) == pytest.approx([half_width(0.12, count) for count in COUNTS], rel=1e-12)
