"""How a call's work grows with its input: four times the input may take about four times the work.

Work is counted twice. The calls that Python makes are exact; what C code does within one call (regular expressions,
JSON, HTML) can't be counted from Python, so for that the growth of processor time is compared, never the time itself.
"""

import cProfile
import time
from collections.abc import Callable
from typing import Any

SIZE = 16 * 1024  # of a large text: enough to tell linear work from quadratic
MAX_CALLS_GROWTH = 4.5
MAX_TIME_GROWTH = 6  # four is linear, sixteen quadratic
ATTEMPTS = 6
NOISE_S = 0.001


def is_linear(read: Callable[[Any], object], small: Any, large: Any) -> bool:
    """Whether reading `large`, which is four times `small`, takes at most linearly more work.

    Noise only adds time: a quadratic reader passes only if noise slows down just the small input, by half.
    """
    return any(_is_linear(read, small, large) for _ in range(ATTEMPTS))


def _is_linear(read: Callable[[Any], object], small: Any, large: Any) -> bool:
    """The large text is read first: what is loaded and compiled once isn't counted for the small one."""
    large_calls, large_s = _work(read, large)
    calls, small_s = map(min, zip(*(_work(read, small) for _ in range(2)), strict=True))
    few_calls = large_calls <= MAX_CALLS_GROWTH * calls + 500
    return few_calls and large_s <= MAX_TIME_GROWTH * max(small_s, NOISE_S)


def repeated(unit: str, size: int) -> str:
    """The unit, repeated to fill `size` characters."""
    return (unit * (size // len(unit) + 1))[:size]


def _work(read: Callable[[Any], object], given: Any) -> tuple[int, float]:
    """The calls, and the processor time with counting them."""
    profile = cProfile.Profile()
    taken_s = seconds(lambda given: profile.runcall(read, given), given)
    return sum(entry.callcount for entry in profile.getstats()), taken_s


def seconds(read: Callable[[Any], object], given: Any) -> float:
    """Processor time of a call."""
    begin = time.process_time()
    read(given)
    return time.process_time() - begin
