"""How a call's work grows with its input: four times the input may take about four times the work.

Work is counted twice. The calls that Python makes are exact; what C code does within one call (regular expressions,
JSON, HTML) can't be counted from Python, so for that the growth of processor time is compared, never the time itself.
"""

import cProfile
import time
from collections.abc import Callable
from typing import Any

SIZE = 64 * 1024  # of a large text: enough to tell linear work from quadratic
MAX_CALLS_GROWTH = 5
MAX_TIME_GROWTH = 8  # four is linear, sixteen quadratic
ATTEMPTS = 6
NOISE_S = 0.002


def is_linear(read: Callable[[Any], object], small: Any, large: Any) -> bool:
    """Whether reading `large`, which is four times `small`, takes at most linearly more work."""
    read(small)  # warm up, so that one-off compiling and loading isn't counted
    if _calls(read, large) > MAX_CALLS_GROWTH * _calls(read, small) + 1000:
        return False
    return is_linear_in_time(read, small, large)


def repeated(unit: str, size: int) -> str:
    """The unit, repeated to fill `size` characters."""
    return (unit * (size // len(unit) + 1))[:size]


def is_linear_in_time(read: Callable[[Any], object], small: Any, large: Any) -> bool:
    """The same by processor time alone, for texts of which there are many."""
    return any(_is_linear_in_time(read, small, large) for _ in range(ATTEMPTS))


def _is_linear_in_time(read: Callable[[Any], object], small: Any, large: Any) -> bool:
    """Noise only adds time: a quadratic reader passes only if noise slows down just the small input, by half."""
    small_s = max(min(seconds(read, small) for _ in range(2)), NOISE_S)
    return seconds(read, large) <= MAX_TIME_GROWTH * small_s


def _calls(read: Callable[[Any], object], given: Any) -> int:
    profile = cProfile.Profile()
    profile.runcall(read, given)
    return sum(entry.callcount for entry in profile.getstats())


def seconds(read: Callable[[Any], object], given: Any) -> float:
    """Processor time of a call."""
    begin = time.process_time()
    read(given)
    return time.process_time() - begin
