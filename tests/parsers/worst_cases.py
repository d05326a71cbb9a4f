"""`python -m tests.parsers.worst_cases [SECONDS]`: look for the text that takes longest, for 60 seconds or so long.

Pieces that the parsers look for are repeated up to the largest paste: each alone, then two and three of them mixed,
by preference those that took longest so far. Prints the processor time of the slowest mixes, slowest first.
"""

import random
import sys
import time

from parsers.paste import parse_paste
from tests.growth import repeated
from tests.parsers.found import before_repeats, patterns
from tests.parsers.samples import ALL, identified
from tests.parsers.test_paste import MAX_SIZE, PIECES, UNKIND
from tests.parsers.test_patterns import RUNS

LONGEST_LINE = 44  # characters: shorter ones come to more lines than a paste may have
SHOWN_MIXES = 25
MOST_BEGINNINGS = 100  # of what patterns look for (tests/parsers/found.py), each with a run behind it
EXPLORED = 0.3  # share of the mixes that are drawn from all pieces


def pieces():
    """Everything that a mix is made of."""
    lines = {line for template in ALL.values() for line in identified(template).splitlines()}
    padded = {line.ljust(LONGEST_LINE) + "\n" for line in lines}
    begun = sorted({each for pattern in patterns() for each in before_repeats(pattern)})
    some = random.Random(1).sample(begun, MOST_BEGINNINGS)  # noqa: S311 - no secret
    runs = {each + repeated(unit, LONGEST_LINE) + "\n" for each in some for unit in RUNS.values()}
    return sorted({*UNKIND.values(), *PIECES, *lines, *padded, *runs} - {"", "\n", "\r", "\ud800"})


def text_of(mix):
    return ("".join(mix).encode() * (MAX_SIZE // len("".join(mix).encode()) + 1))[:MAX_SIZE]


def seconds(mix):
    """Processor time to read the mix, repeated to the largest size that is taken."""
    begin = time.process_time()
    parse_paste(text_of(mix), unit_key=b"key")
    return time.process_time() - begin


def search(limit_s, randomness):
    """Seconds by mix."""
    begin = time.monotonic()
    everything = pieces()
    found = {}
    queue = [(piece,) for piece in everything]
    while time.monotonic() - begin < limit_s:
        if not queue:
            slowest = sorted(found, key=found.get, reverse=True)[:SHOWN_MIXES]
            chosen = randomness.choice(slowest if randomness.random() > EXPLORED else everything)
            mix = (*chosen, randomness.choice(everything)) if isinstance(chosen, tuple) else (chosen,)
            queue = [mix[-3:], (randomness.choice(everything), *mix)[:3]]
        mix = queue.pop()
        if mix not in found:
            found[mix] = seconds(mix)
    return found


def main():
    limit_s = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    found = search(limit_s, random.Random(1))  # noqa: S311 - no secret
    for mix in sorted(found, key=found.get, reverse=True)[:SHOWN_MIXES]:
        sys.stdout.write(f"{found[mix]:.3f} s  {mix!r}\n")


if __name__ == "__main__":
    main()
