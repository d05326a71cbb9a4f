"""What Prometheus is told of pastes: what became of them, what read them, and what the parsers had to say."""

from collections import Counter
from collections.abc import Iterable

from prometheus_client import Counter as PrometheusCounter

from parsers.base.readings import Notice, Reading

PASTES = PrometheusCounter(
    "slogdb_pastes_total", "Pastes sent to be stored: new, known or refused.", ["outcome"]
)
READINGS = PrometheusCounter(
    "slogdb_readings_total", "Readings found in pastes, by their parser.", ["parser"]
)
NOTICES = PrometheusCounter("slogdb_notices_total", "The parsers' notices of pastes, by code.", ["code"])


class Tally:
    """Counts of pastes until they are told, many at once."""

    def __init__(self) -> None:
        self._outcomes = Counter[str]()
        self._parsers = Counter[str]()
        self._codes = Counter[str]()

    def add(self, outcome: str, kinds: Iterable[str], codes: Iterable[str]) -> None:
        """Take a paste in: new, known or refused, the kinds of its readings, the codes of what was said of it."""
        self._outcomes[outcome] += 1
        self._parsers.update(kinds)
        self._codes.update(codes)

    def tell(self) -> None:
        """Add all of it to the"""
        for metric, counts in (
            (PASTES, self._outcomes),
            (READINGS, self._parsers),
            (NOTICES, self._codes),
        ):
            for label, count in counts.items():
                metric.labels(label).inc(count)


def count_paste(outcome: str, readings: Iterable[Reading], notices: Iterable[Notice]) -> None:
    """Tell of one paste at once."""
    tally = Tally()
    tally.add(outcome, (reading.kind for reading in readings), (notice.code for notice in notices))
    tally.tell()
