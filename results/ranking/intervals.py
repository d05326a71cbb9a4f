"""Confidence intervals around a device's measured figure: arithmetic on the natural log scale, and its SQL.

docs/methodology.md explains it in words; tests/results/ranking/test_simulation.py checks the coverage, and
test_interval_sql.py checks that both forms give the same figures.
"""

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

from results.kinds.curve.metrics import CONFIDENCE

# A guess before there is data: of 15 published pairs of one model, 8 are within a factor of 2
GUESSED_SPREAD = 0.5
MIN_DEVICES = 10  # with two units or more, before a class has a spread of its own
MAX_PAIRS = 10  # of units per device: a popular one must not determine the spread of its entire class
SPREAD_STEP = 0.005
PRIOR_WEIGHT = 8  # the class's spread counts as much as this many units of the device itself
MAD_TO_DEVIATION = 1.4826  # of normally distributed values (Rousseeuw and Croux 1993)

# How much less certain a median is than a mean, by count of normally distributed values (Hojo 1931), or in the limit.
MEDIAN_LOSS = {
    1: 1.0,
    2: 1.0,
    3: 1.160,
    4: 1.092,
    5: 1.198,
    6: 1.135,
    7: 1.214,
    8: 1.160,
    9: 1.223,
    10: 1.176,
}
MAX_MEDIAN_LOSS = math.sqrt(math.pi / 2)

# Small samples make the median absolute deviation too small: factors by number of values (Croux and Rousseeuw 1992).
MAD_CORRECTION = {2: 1.196, 3: 1.495, 4: 1.363, 5: 1.206, 6: 1.200, 7: 1.140, 8: 1.129, 9: 1.107}
MAD_SHORTFALL = 0.8  # for larger n: n / (n - 0.8)


class Interval(NamedTuple):
    """The confidence interval of the true value, in the metric's own unit."""

    low: float
    high: float


def pooled_spread(difference: float) -> float:
    """The deviation between units of one device, from the median |difference| of pairs of them.

    Robust: a few gross differences don't affect a median. Rounded to steps, so that it rarely changes.
    """
    spread = MAD_TO_DEVIATION * difference / math.sqrt(2)
    return round(max(1, round(spread / SPREAD_STEP)) * SPREAD_STEP, 3)


def own_spread(deviation: float, unit_count: int) -> float:
    """The deviation between a device's units from their median absolute deviation, corrected for small samples."""
    factor = MAD_CORRECTION.get(unit_count) or unit_count / (unit_count - MAD_SHORTFALL)
    return MAD_TO_DEVIATION * deviation * factor


def blended_spread(pooled: float, device_spread: float | None, unit_count: int) -> float:
    """The class's spread for a device with one unit, shifting to the device's own with more units."""
    if device_spread is None or unit_count < 2:
        return pooled
    weighed = PRIOR_WEIGHT * pooled**2 + (unit_count - 1) * device_spread**2
    return math.sqrt(weighed / (PRIOR_WEIGHT + unit_count - 1))


def half_width(spread: float, unit_count: int) -> float:
    """Half of the interval on the log scale: t quantile x spread x loss / root of n, for a median of n units."""
    loss = MEDIAN_LOSS.get(unit_count, MAX_MEDIAN_LOSS)
    freedom = PRIOR_WEIGHT + unit_count - 1
    return t_quantile((1 + CONFIDENCE) / 2, freedom) * spread * loss / math.sqrt(unit_count)


def interval(value: float, half: float) -> Interval:
    """The interval around a value whose log lies within `half`."""
    return Interval(low=value * math.exp(-half), high=value * math.exp(half))


def prediction(low: float, value: float, high: float, unit_count: int) -> Interval:
    """What another unit will measure, with the same confidence: the interval of the median, and its own spread.

    Half of it is t x spread x root of (1 + loss² / n).
    """
    share = MEDIAN_LOSS.get(unit_count, MAX_MEDIAN_LOSS) / math.sqrt(unit_count)
    wider = math.sqrt(1 + 1 / share**2)
    return Interval(low=value * (low / value) ** wider, high=value * (high / value) ** wider)


def median_interval(value: float, deviation: float, unit_count: int, *, spread: float) -> Interval:
    """The interval of a median over units, given their median absolute deviation from it (natural log).

    `spread` is that of their class.
    """
    own = own_spread(deviation, unit_count) if unit_count > 1 else None
    return interval(value, half_width(blended_spread(spread, own, unit_count), unit_count))


def t_quantile(probability: float, freedom: int) -> float:
    """Student's t quantile by its expansion around the normal one (Abramowitz and Stegun 26.7.5).

    Accurate to three digits from eight degrees of freedom on, the fewest that occur here.
    """
    return math.fsum(term / freedom**power for power, term in enumerate(t_terms(probability)))


def t_terms(probability: float) -> tuple[float, ...]:
    """The expansion's terms, to be divided by the powers of the degrees of freedom, from the 0th on."""
    z = NormalDist().inv_cdf(probability)
    return (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
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
    loss = _choice(unit_count, MEDIAN_LOSS, beyond=f"{MAX_MEDIAN_LOSS!r}")
    terms = enumerate(t_terms((1 + CONFIDENCE) / 2))
    quantile = " + ".join(f"{term!r} / {freedom} ^ {power}" for power, term in terms)
    return f"({quantile}) * sqrt({square}) * {loss} / sqrt({n})"


def _choice(unit_count: str, factors: Mapping[int, float], *, beyond: str) -> str:
    cases = " ".join(f"WHEN {count} THEN {factor!r}" for count, factor in factors.items())
    return f"CASE {unit_count} {cases} ELSE {beyond} END"
