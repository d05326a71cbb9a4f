"""Made-up series of writes per second, of devices with made-up results: read from their texts."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from results.core.security.digests import digest_text
from results.demo.draw import DemoRun
from results.demo.ladder import PATHS, SYSTEM
from results.demo.store import store_text, unit_digest
from results.demo.text import SERIAL_MASK, smartctl_lines
from results.kinds.answers import ALL, SenderAnswers
from results.models.fields import SLOT_4K

# What senders answer for random 4 KiB writes without flushes, on a device that was filled before
ANSWERS = SenderAnswers(
    {
        ALL: {
            "series_pattern": "random",
            "series_size": "4096",
            "series_align": "4096",
            "series_depth": "32",
            "series_workers": "1",
            "series_sync": "none",
            "series_state": "preconditioned",
        }
    }
)
MINUTES, STEP_S = 20, 10
IN_FLIGHT_GAIN = 4  # times what one writer reaches


def store_series(drawn: Iterable[DemoRun], count: int) -> None:
    """Store a series for each of the first `count` devices whose class is in PATHS."""
    first_runs = {made.device: made for made in drawn if made.device.range.device_class in PATHS}
    for made in islice(first_runs.values(), count):
        unit = unit_digest(made)
        sender = digest_text(f"series of {unit}")[:32]
        store_text(
            series_text(made), sender_digest=sender, unit_digests={SERIAL_MASK: unit}, told=ANSWERS.stored
        )


def series_text(made: DemoRun) -> str:
    """A kept paste of the top of `smartctl -a` and of writes per second, a few percent around their mean."""
    described = smartctl_lines(replace(made, system=SYSTEM))
    return "\n".join([*described, "", "seconds,iops", *_rows(made), ""])


def _rows(made: DemoRun) -> Iterator[str]:
    source = random.Random(f"series of {made.device.model_name}")  # noqa: S311 - made-up data, not secrets
    mean = IN_FLIGHT_GAIN * 1e6 / (made.curve[SLOT_4K] or made.device.floor_us)
    for second in range(STEP_S, MINUTES * 60 + 1, STEP_S):
        yield f"{second},{mean * source.uniform(0.97, 1.03):.0f}"
