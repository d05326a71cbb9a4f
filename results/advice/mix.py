"""The mix of a workload: how often it writes each block size. Written like `4k:5,8k:3,128k:1`."""

import re
from collections.abc import Mapping

KIB = 1024
MIX_SIZES = tuple(size * KIB for size in (4, 8, 16, 32, 64, 128))  # what the ZIL writes, in bytes
MAX_WEIGHT = 1_000_000
LONGEST = 200  # characters
_ENTRY = re.compile(r"([0-9]{1,4})k:([0-9]{1,7}(?:\.[0-9]{1,3})?)")
EXAMPLE = "4k:5,8k:3,128k:1"


class MixError(ValueError):
    """A mix that can't be read; the message says why in a sentence."""


def parse_mix(text: str) -> dict[int, float]:
    """The weights by block size in bytes, without those of 0; raises MixError."""
    if len(text) > LONGEST:
        raise MixError(f"At most {LONGEST} characters, like {EXAMPLE}.")
    weights: dict[int, float] = {}
    for entry in "".join(text.lower().split()).split(","):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise MixError(f"“{entry[:20]}” isn’t a size with its weight. Write it like {EXAMPLE}.")
        size, weight = int(found[1]) * KIB, float(found[2])
        if size not in MIX_SIZES:
            raise MixError(f"{found[1]}k isn’t a size of the log’s writes. Allowed: {_NAMES}.")
        if size in weights:
            raise MixError(f"{found[1]}k is there twice.")
        if weight > MAX_WEIGHT:
            raise MixError(f"A weight is at most {MAX_WEIGHT:,}.")
        weights[size] = weight
    if not any(weights.values()):
        raise MixError("All weights are 0: at least one size has to count.")
    return {size: weights[size] for size in MIX_SIZES if weights.get(size)}


def write_mix(weights: Mapping[int, float]) -> str:
    """The text of a mix, in the order of sizes."""
    return ",".join(f"{size_name(size)}:{weight:g}" for size, weight in weights.items())


def size_name(size: int) -> str:
    """A block size as a mix names it."""
    return f"{size // KIB}k"


_NAMES = ", ".join(map(size_name, MIX_SIZES))
