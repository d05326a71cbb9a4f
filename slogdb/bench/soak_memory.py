"""The memory of a site's processes while it is at work: what each kind holds for itself, and whether that grows."""

import os
import statistics
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

ROLES = {
    "web server": "granian",
    "worker": "celery --app slogdb worker",
    "beat": "celery --app slogdb beat",
    "PostgreSQL": "postgres",
    "Valkey": "valkey",
}
WARM_UP = (
    1 / 3
)  # of the time: caches fill, connections open, and malloc keeps the holes that it goes on filling
END = 1 / 6
FLAT_MIB, FLAT_SHARE = 8.0, 0.05  # of growth after the warm-up
LATE = 1 / 2  # from here on nothing is left to be filled
LATE_MIB, LATE_SHARE = 4.0, 0.015  # of growth since: of 400 MiB in fifteen minutes a good one a minute
_KIB_A_MIB = 1024


class Memory:
    """Samples of what the processes below ours hold: their own pages, those that they share not counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._samples: dict[str, list[tuple[float, float, int]]] = defaultdict(list)

    def sample(self) -> None:
        """Look once: by role the MiB of all its processes, and how many they are."""
        seconds, found = time.monotonic() - self._began, defaultdict[str, list[float]](list)
        for process in _family(os.getpid()):
            with suppress(FileNotFoundError, ProcessLookupError):
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                role = next((name for name, word in ROLES.items() if word in command), None)
                if role is not None:
                    found[role].append(_own_mib(process))
        for role, sizes in found.items():
            self._samples[role].append((seconds, sum(sizes), len(sizes)))

    def _part(self, role: str, first: float, last: float) -> list[float]:
        """The sizes of a part of the time."""
        end = max(seconds for samples in self._samples.values() for seconds, _, _ in samples)
        return [mib for seconds, mib, _ in self._samples[role] if first * end <= seconds <= last * end]

    def _growth(self, role: str, *, since: float) -> tuple[float, float]:
        """The medians right after that share of the time and at the end."""
        return (
            statistics.median(self._part(role, since, since + END)),
            statistics.median(self._part(role, 1 - END, 1)),
        )

    def _slope(self, role: str, *, since: float) -> float:
        """MiB a minute, by least squares over what comes after that share of the time."""
        after = self._samples[role][int(len(self._samples[role]) * since) :]
        times, sizes = [seconds / 60 for seconds, _, _ in after], [mib for _, mib, _ in after]
        return statistics.linear_regression(times, sizes).slope if len(set(times)) > 1 else 0.0

    def _is_flat(self, role: str) -> bool:
        warm, end = self._growth(role, since=WARM_UP)
        late, _ = self._growth(role, since=LATE)
        return end - warm <= max(FLAT_MIB, FLAT_SHARE * warm) and end - late <= max(
            LATE_MIB, LATE_SHARE * late
        )

    @property
    def is_flat(self) -> bool:
        """Whether nothing grew much after the warm-up, and hardly any after half of the time."""
        return all(map(self._is_flat, self._samples))

    def table(self) -> str:
        """A line a role."""
        lines = [
            "| memory, MiB | processes | at first | after the warm-up | at the end | a minute | in the last half | |",
            "|---|---:|---:|---:|---:|---:|---:|---|",
        ]
        for role, samples in self._samples.items():
            warm, end = self._growth(role, since=WARM_UP)
            verdict = "flat" if self._is_flat(role) else "**grows**"
            lines.append(
                f"| {role} | {samples[-1][2]} | {samples[0][1]:.1f} | {warm:.1f} | {end:.1f} "
                f"| {self._slope(role, since=WARM_UP):+.2f} | {self._slope(role, since=LATE):+.2f} | {verdict} |"
            )
        return "\n".join(lines) + "\n"


def _family(process: int) -> list[Path]:
    """The processes below one, as folders of /proc; see proc(5)."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    family, grown = {process}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in family} - family
        family, grown = family | more, bool(more)
    return [Path("/proc") / str(one) for one in family - {process}]


def _own_mib(process: Path) -> float:
    """What is its own: RssAnon, without files and shared memory."""
    for line in (process / "status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / _KIB_A_MIB
    return 0.0  # it has ended
