"""fio's normal text output, of one run: what it set up, then a result a job or a group of jobs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from parsers.base.readings import Notice
from parsers.fio import lines

MOST_PARTS = 6  # lines that a set-up is broken into at most


@dataclass(slots=True)
class Row:
    """One result while its lines come in: the write side, and the flushes apart from it."""

    head: lines.RowHead | None
    rate: lines.Rate | None = None
    mean_us: dict[str, Decimal] = field(default_factory=dict)  # by "lat" and "sync"
    p99_us: dict[str, Decimal] = field(default_factory=dict)  # by "clat" and "sync"
    depth_percent: Decimal = Decimal(0)
    writes: int | None = None
    is_complete: bool = False
    line: int | None = None  # where it begins


class TextRun:
    """Collects what the lines of one run state, line by line, in their order."""

    def __init__(self) -> None:
        self.version: str | None = None
        self.setups: list[lines.Setup] = []
        self.rows: list[Row] = []
        self.disk_writes: list[int] = []
        self.is_ended = False
        self.notices: list[Notice] = []
        self.numbers: list[int] = []  # of the lines that belong to the run
        self._places: dict[tuple[str, int, int], int] = {}  # of the row of a job, for its next snapshot
        self._row_now: Row | None = None
        self._title: lines.Time | None = None
        self._is_write_side = False
        self._begun: tuple[str, int] | None = None  # a line that its end is missing from: terminals wrap
        self._setup: list[str] = []  # the lines of the set-up that may go on
        self._setup_line = 0  # where it begins
        self._line = 0  # where what is being taken begins
        self._takers: dict[str, Callable[[str], bool]] = {
            "version": self._take_version,
            "setup": self._take_setup,
            "head": self._take_head,
            "rate": self._take_rate,
            "other_side": self._take_other_side,
            "mean": self._take_mean,
            "title": self._take_title,
            "percentiles": self._take_percentiles,
            "depths": self._take_depths,
            "cpu": self._take_cpu,
            "issued": self._take_issued,
            "disk": self._take_disk,
            "end": self._take_end,
        }

    def feed(self, line: str, number: int) -> None:
        """Take the next line, stripped; a field that fits neither alone nor with the line below is a notice."""
        if self._setup and self._goes_on(line):
            return
        if self._begun is not None:
            (begun, begun_number), self._begun = self._begun, None
            self._line = begun_number
            # a terminal breaks a line anywhere, a mail program at a blank, which it drops
            if self._take(begun + line) or self._take(f"{begun} {line}"):
                return
            message = f"this line is not as fio writes it: {begun[:80]!r}"
            self.notices.append(Notice("unreadable_line", message, begun_number))
        self._line = number
        is_taken = self._take(line)
        if is_taken is not None:
            self.numbers.append(number)
        if is_taken is False:
            self._begun = (line, number)

    def _goes_on(self, line: str) -> bool:
        """Say whether the set-up above goes on with the line: it is not whole, or its depth is broken in two."""
        begun, self._setup = [*self._setup, line], []
        is_whole = self._begun is None
        if not (line.isdigit() if is_whole else lines.kind_of(line) is None and len(begun) <= MOST_PARTS):
            return False
        setup = lines.read_broken_setup(begun)
        if setup is not None:
            self.setups[len(self.setups) - is_whole :] = [replace(setup, line=self._setup_line)]
            self._begun = None
        self._setup = begun
        return True

    def _take(self, line: str) -> bool | None:
        """Say whether the line fits; None for one that states nothing of ours."""
        kind = lines.kind_of(line)
        return None if kind is None else self._takers[kind](line)

    def _take_version(self, line: str) -> bool:
        self.version = line
        return True

    def _take_setup(self, line: str) -> bool:
        setup = lines.read_setup(line)
        self._setup, self._setup_line = [line], self._line
        if setup is None:
            return False
        self.setups.append(replace(setup, line=self._line))
        return True

    def _take_head(self, line: str) -> bool:
        head = lines.read_row_head(line)
        if head is None:
            return False
        self._begin_row(head)
        self._is_write_side, self._title = False, None
        return True

    def has_row_of(self, head: lines.RowHead) -> bool:
        """Say whether the result is a later snapshot (`--status-interval`) of a job of this run."""
        return head.job() in self._places

    def _begin_row(self, head: lines.RowHead) -> None:
        row, job = Row(head, line=self._line), head.job()
        self._row_now = row
        if job in self._places:
            self.rows[self._places[job]] = row
            self.disk_writes.clear()
            self.is_ended = False
            return
        if job is not None:
            self._places[job] = len(self.rows)
        self.rows.append(row)

    def _row(self) -> Row:
        """Return the row that the lines are of; a paste may begin below the row's first line."""
        if self._row_now is None:
            self._row_now = Row(None, line=self._line)
            self.rows.append(self._row_now)
        return self._row_now

    def _take_rate(self, line: str) -> bool:
        rate = lines.read_rate(line)
        if rate is None:
            return False
        self._row().rate = rate
        self._is_write_side = True
        return True

    def _take_other_side(self, _line: str) -> bool:
        self._is_write_side, self._title = False, None
        return True

    def _take_mean(self, line: str) -> bool:
        mean = lines.read_latency(line)
        if mean is None:
            return False
        if self._is_write_side or mean.name == "sync":
            self._row().mean_us[mean.name] = mean.microseconds
        return True

    def _take_title(self, line: str) -> bool:
        self._title = lines.read_percentiles_title(line)
        return self._title is not None

    def _take_percentiles(self, line: str) -> bool:
        p99 = lines.read_p99(line)
        title = self._title
        if p99 is not None and title is not None and (self._is_write_side or title.name == "sync"):
            self._row().p99_us[title.name] = p99 * title.microseconds
        return True

    def _take_depths(self, line: str) -> bool:
        self._row().depth_percent = lines.read_depth_percent(line)
        return True

    def _take_cpu(self, _line: str) -> bool:
        self._row().is_complete = True  # fio prints every time above this line
        return True

    def _take_issued(self, line: str) -> bool:
        self._row().writes = lines.read_issued_writes(line)
        return True

    def _take_disk(self, line: str) -> bool:
        writes = lines.read_disk_writes(line)
        if writes is not None:
            self.disk_writes.append(writes)
        return True

    def _take_end(self, _line: str) -> bool:
        self.is_ended = True
        return True
