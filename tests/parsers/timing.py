"""Processor time of a call, without what other programs add to it by taking the caches."""

import time
from collections.abc import Callable

# For a paste of the largest size, whatever it holds. `python -m tests.parsers.worst_cases` measures what is promised,
# half a second; here a slow machine must not fail, and what is quadratic takes minutes.
MAX_SECONDS = 2.0
ATTEMPTS = 4


def is_in_time(call: Callable[[], object]) -> bool:
    """Whether one of some attempts stays below the limit: noise only ever adds."""
    return any(_seconds(call) < MAX_SECONDS for _ in range(ATTEMPTS))


def _seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin
