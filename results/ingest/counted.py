"""What Prometheus is told of pastes: what became of them, what read them, and what the parsers had to say."""

from collections import Counter
from collections.abc import Iterable

from parsers.base.readings import Notice, Reading
from slogdb import metrics


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
        """Add all of it to the metrics."""
        for metric, counts in (
            (metrics.PASTES, self._outcomes),
            (metrics.READINGS, self._parsers),
            (metrics.NOTICES, self._codes),
        ):
            for label, count in counts.items():
                metric.labels(label).inc(count)


def count_paste(outcome: str, readings: Iterable[Reading], notices: Iterable[Notice]) -> None:
    """Tell of one paste at once."""
    tally = Tally()
    tally.add(outcome, (reading.kind for reading in readings), (notice.code for notice in notices))
    tally.tell()
