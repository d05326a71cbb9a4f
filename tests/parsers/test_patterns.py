"""Every pattern of the parsers takes time that grows with the run behind what it looks for, not with its square.

The patterns, and what is in front of their repeats, are found in the code (tests/parsers/found.py), so that
nobody has to think of a new label here. tests/parsers/test_growth.py holds the same of texts as a whole.
"""

import re
import time

from tests.growth import repeated
from tests.parsers.found import before_repeats, patterns

RUNS = {
    "blanks": " ",
    "tabs": "\t",
    "digits": "7",
    "hexadecimal": "7777777777f",
    "brackets": "[(",
    "quotes": "\"'",
}
SMALL, LARGE = 300, 1200
END = "\x01"  # fits nothing, so that every way to divide the run is tried
MAX_GROWTH = 8  # four is linear, sixteen quadratic
NOISE_S = 0.000_05
WORTH_A_LOOK_S = 0.000_4  # of the large run: three times what linear patterns take
MAX_LOOKS = 3  # at a run behind several beginnings of one pattern, as long as it's found linear


def test_no_pattern_is_quadratic_in_a_run_behind_what_it_looks_for():
    found = [line for pattern, name in patterns().items() for line in offenses(pattern, name)]
    assert found == []


def test_the_check_finds_a_quadratic_pattern_and_no_linear_one():
    gap = r"(?<![\w-])curl[ \t]+(?:[^\n]{0,4}?[ \t]+)?-u[ \t]+(?P<v1>\w{1,30})"
    (tabs,) = [line for line in offenses(re.compile(gap), "some.module") if line.startswith("tabs")]
    assert "behind 'curl" in tabs
    mended = gap.replace(r"[ \t]+(?:[^\n]{0,4}?[ \t]+)?", r"[ \t]++(?:[^\n]{0,4}?(?<=[ \t]))?")
    assert offenses(re.compile(mended), "some.module") == []


def test_patterns_of_all_kinds_are_found():
    """Constants, those in tables and closures, and those that are compiled from strings."""
    sources = {pattern.pattern for pattern in patterns()}
    assert len(sources) > 200
    assert any("[^\\n]{0,160}" in source for source in sources)


def offenses(pattern, name):
    """A line for each kind of run in which the pattern is quadratic: what it is behind, and how it grows."""
    runs, looks = dict(RUNS), dict.fromkeys(RUNS, 0)
    lines = []
    for beginning in before_repeats(pattern):
        for kind, unit in list(runs.items()):
            large = beginning + repeated(unit, LARGE) + END
            large_s = seconds(pattern, large)
            if large_s < WORTH_A_LOOK_S:
                continue
            small = beginning + repeated(unit, SMALL) + END
            growth = growth_of(pattern, small, large)
            if growth > MAX_GROWTH:  # or it was the machine
                growth = min(growth, growth_of(pattern, small, large))
            looks[kind] += 1
            if growth > MAX_GROWTH:
                lines.append(
                    f"{kind} behind {beginning!r}: {growth:.0f} times, {name}, {pattern.pattern[:90]!r}"
                )
            if growth > MAX_GROWTH or looks[kind] == MAX_LOOKS:
                del runs[kind]
    return lines


def growth_of(pattern, small, large):
    large_s = min(seconds(pattern, large) for _ in "12")
    return large_s / max(NOISE_S, *(seconds(pattern, small) for _ in "12"))


def seconds(pattern, text):
    begin = time.process_time()
    pattern.fullmatch(text)
    return time.process_time() - begin
