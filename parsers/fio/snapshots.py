"""Tells the snapshots of one run (`--status-interval`) from runs one after the other, in fio's JSON.

A snapshot has the layout of a result, and the last one is the result. No key says which a document is: its own
clock does. Source: fio's stat.c (`__show_run_stats`, `show_thread_status_json`).
"""

from collections import defaultdict
from dataclasses import dataclass

from parsers.fio.json import Object, job_rows


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run was when its document was printed: times in milliseconds, writes by job."""

    jobs: tuple[object, ...]
    printed_ms: int
    begun_ms: int
    writes: tuple[int, ...]

    def goes_on_from(self, earlier: "Progress") -> bool:
        """Say whether this is a later state of the same run: begun before that was printed, nothing undone."""
        return (
            self.jobs == earlier.jobs
            and self.begun_ms < earlier.printed_ms <= self.printed_ms
            and all(now >= then for now, then in zip(self.writes, earlier.writes, strict=True))
        )


def progress_of(value: object) -> Progress | None:
    """Return the progress that a document states, or None where it lacks a clock (before fio 3)."""
    document: Object = value if isinstance(value, dict) else {}
    rows = job_rows(document)
    printed_ms = document.get("timestamp_ms")
    runtimes_ms: defaultdict[object, int] = defaultdict(int)  # by group: one runs after the other
    writes = []
    for row in rows:
        runtime_ms, write = row.get("job_runtime"), row.get("write")
        done = write.get("total_ios") if isinstance(write, dict) else None
        if not isinstance(runtime_ms, int) or not isinstance(done, int):
            return None
        group = str(row.get("groupid"))
        runtimes_ms[group] = max(runtimes_ms[group], runtime_ms)
        writes.append(done)
    if not isinstance(printed_ms, int) or not rows:
        return None
    jobs = tuple((row.get("jobname"), row.get("job options")) for row in rows)
    return Progress(jobs, printed_ms, printed_ms - sum(runtimes_ms.values()), tuple(writes))
