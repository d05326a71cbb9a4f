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
    "PostgreSQL": "postgres",
    "Valkey": "valkey",
}
END = 1 / 6  # of the judged time, at its begin and at its end, is what growth is told by
FLAT_MIB, FLAT_SHARE = 4.0, 0.015  # of growth in the judged time
_KIB_A_MIB = 1024


class Memory:
    """Samples of what the processes below ours hold: their own pages, those that they share not counted."""

    def __init__(self, *, warm_up_s: float) -> None:
        self._warm_up_s = warm_up_s
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

    def _judged(self, role: str) -> tuple[list[float], list[float]]:
        """When it was looked at after the warm-up, in minutes, and the MiB."""
        judged = [sample for sample in self._samples[role] if sample[0] >= self._warm_up_s]
        return [seconds / 60 for seconds, _, _ in judged], [mib for _, mib, _ in judged]

    def _growth(self, role: str) -> tuple[float, float]:
        """The medians right after the warm-up and at the end."""
        _, sizes = self._judged(role)
        part = max(1, round(len(sizes) * END))
        return statistics.median(sizes[:part]), statistics.median(sizes[-part:])

    def _is_gone(self, role: str) -> bool:
        """Whether its last process ended before the soak did."""
        return self._samples[role][-1][0] < max(samples[-1][0] for samples in self._samples.values())

    def _is_flat(self, role: str) -> bool:
        if self._is_gone(role):
            return False
        warm, end = self._growth(role)
        return end - warm <= max(FLAT_MIB, FLAT_SHARE * warm)

    @property
    def is_flat(self) -> bool:
        """Whether all are there still, and none grew after the warm-up by more than what comes and goes."""
        return all(map(self._is_flat, self._samples))

    def table(self) -> str:
        """A line a role; growth in MiB a minute, by least squares."""
        lines = [
            "| memory, MiB | processes | at first | after the warm-up | at the end | a minute | |",
            "|---|---:|---:|---:|---:|---:|---|",
        ]
        for role, samples in self._samples.items():
            begin = f"| {role} | {samples[-1][2]} | {samples[0][1]:.1f} |"
            if self._is_gone(role):
                lines.append(f"{begin} | | | **ended after {samples[-1][0] / 60:.1f} minutes** |")
                continue
            warm, end = self._growth(role)
            slope = statistics.linear_regression(*self._judged(role)).slope
            verdict = "flat" if self._is_flat(role) else "**grows**"
            lines.append(f"{begin} {warm:.1f} | {end:.1f} | {slope:+.2f} | {verdict} |")
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
