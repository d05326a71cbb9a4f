"""Logs and CSV written for the tests."""

from tests import pastes

MODEL = "MARVELL SD88SA02"


def csv(values, *, step=1.0, start=1.0, metric="iops"):
    rows = "".join(f"{start + at * step:g},{value:g}\n" for at, value in enumerate(values))
    return f"seconds,{metric}\n{rows}"


def log(values, *, metric="iops", job=1, step_ms=1000, start_ms=1000, direction=1):
    rows = "".join(
        f"{start_ms + at * step_ms}, {value}, {direction}, 0, 0\n" for at, value in enumerate(values)
    )
    return f"==> x_{metric}.{job}.log <==\n{rows}"


def minutes(*rates):
    """A sample a second, for as many minutes as there are rates."""
    return [rate for rate in rates for _ in range(60)]


def device():
    """smartctl's output of a device of 24.5 GB."""
    return pastes.smartctl()


FALLING = minutes(50_000, 50_000, 20_000, 5000, 5000, 5000, 5000, 5000)
ANSWERS = {
    "series_pattern": "random",
    "series_size": "4096",
    "series_align": "4096",
    "series_depth": "32",
    "series_workers": "2",
    "series_sync": "none",
    "series_content": "random",
}
