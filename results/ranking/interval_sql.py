"""The arithmetic of results.ranking.intervals as expressions of SQL, so that rows get their intervals where they are.

tests/results/ranking/test_interval_sql.py holds both to the same figures.
"""

from collections.abc import Mapping

from results.ranking.intervals import (
    CONFIDENCE,
    LARGEST_MEDIAN_LOSS,
    MAD_CORRECTION,
    MAD_SHORTFALL,
    MAD_TO_DEVIATION,
    MEDIAN_LOSS,
    PRIOR_WEIGHT,
    t_terms,
)


def half_width_sql(unit_count: str, deviation: str, *, spread: str) -> str:
    """Half of the interval on the log scale; the arguments are names of columns, `deviation` null for one unit."""
    n = f"{unit_count}::double precision"
    freedom = f"({PRIOR_WEIGHT - 1} + {n})"
    beyond = f"{unit_count} / ({unit_count} - {MAD_SHORTFALL}::double precision)"
    correction = _choice(unit_count, MAD_CORRECTION, beyond=beyond)
    own_square = f"({MAD_TO_DEVIATION!r} * {deviation} * {correction}) ^ 2"
    blended = f"({PRIOR_WEIGHT} * {spread} ^ 2 + ({n} - 1) * {own_square}) / {freedom}"
    square = f"CASE WHEN {deviation} IS NULL OR {unit_count} < 2 THEN {spread} ^ 2 ELSE {blended} END"
    loss = _choice(unit_count, MEDIAN_LOSS, beyond=f"{LARGEST_MEDIAN_LOSS!r}")
    return f"{_t_quantile(freedom)} * sqrt({square}) * {loss} / sqrt({n})"


def _choice(unit_count: str, factors: Mapping[int, float], *, beyond: str) -> str:
    cases = " ".join(f"WHEN {count} THEN {factor!r}" for count, factor in factors.items())
    return f"CASE {unit_count} {cases} ELSE {beyond} END"


def _t_quantile(freedom: str) -> str:
    terms = enumerate(t_terms((1 + CONFIDENCE) / 2))
    return f"({' + '.join(f'{term!r} / {freedom} ^ {power}' for power, term in terms)})"
