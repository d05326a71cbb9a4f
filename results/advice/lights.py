"""The lights of the page "Check my SLOG": what a live log's counters and its drives say, by rules with thresholds.

What a light means, and its source, is in results/data/log_lights.csv. A light is green only if everything its rule
needs is stated: a shorter text can't turn one green.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Annotated

from parsers.base.readings import LiveDataset, LiveDisk, LiveLogReading
from parsers.base.target import node_of, without_layers
from results.advice.felt import SIZES, client_iops, logged_us
from results.advice.lifetime import DAYS_A_YEAR, LONG_YEARS
from results.advice.log_commands import command_for
from results.advice.log_size import MAX_GROUPS, SPACE_FACTOR
from results.advice.openzfs import facts
from results.advice.protection import PROTECTIONS, Protection, Safety
from results.advice.questions import Source, read_source
from results.core.formats import format_block_size, format_capacity, format_count, format_number, join_words
from results.core.lines import DATA, FileLine, read_lines

# The thresholds are ours, unless the rule's source names them: a change of one is a new version.
LIGHTS_VERSION = 1
ASKED_S = 1  # commits a second
USED_GREEN, USED_RED = 0.95, 0.05
INDIRECT_AMBER, INDIRECT_RED = 0.01, 0.5
BUSY_AMBER, BUSY_RED = 0.5, 0.8
QUEUED_RED = 0.2  # of the samples
FEWEST_SAMPLES = 10
SLOW_AMBER, SLOW_RED = 1.5, 3.0  # times the model's figure
FEWEST_WRITES_S = 3  # of a disk, for a mean time
MAX_MEAN_WRITE = 16 * 1024  # bytes, to be compared with the figure of 8 KiB
FULL_AMBER, FULL_RED = 0.5, 0.8
LARGE = 4  # times what is needed: the rest can stay unused
WORN_AMBER, WORN_RED = 80, 100  # percent
YEARS_AMBER = 1
TWINS_FROM, TWINS_WITHIN = 60, 5  # percent of wear
BIG_RECORD = 1024 * 1024
_YEAR_S = DAYS_A_YEAR * 86_400
_STATS_SINCE = (2, 3)  # zil_commit_stall_count and zil_commit_error_count
LOG_FAULTS = {
    "incomplete": "the counters appear only once or not at all",
    "backwards": "the counters ran backwards: did the machine restart in between?",
    "short": "the counters were read fewer than ten seconds apart",
}
_NO_SMART = "a disk’s smartctl output is missing or unreadable"
OF_ALL_POOLS = "the counters are totals of all pools, and there may be several"


class Color(StrEnum):
    """The colors of a light."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    NOT_STATED = "not_stated"


@dataclass(frozen=True, slots=True)
class Rule(FileLine):
    """What a light asks and how it is decided; `states` is where that is read from."""

    key: str
    question: str
    rule: str
    states: str
    sources: Annotated[tuple[Source, ...], read_source]


@cache
def rules() -> dict[str, Rule]:
    """The rules by key, in the order of the lights, with their thresholds."""
    percent = {name: f"{value:.0%}".replace("%", " %") for name, value in _SHARES.items()}
    words = {
        **percent,
        "slow_amber": SLOW_AMBER,
        "slow_red": f"{SLOW_RED:g}",
        "mean_write": format_block_size(MAX_MEAN_WRITE),
        "worn_amber": f"{WORN_AMBER} %",
        "years_amber": "a year left",
        "twins_from": f"{TWINS_FROM} %",
        "twins_within": f"{TWINS_WITHIN} %",
        "big_record": format_block_size(BIG_RECORD),
        "bulk": facts()["slog_bulk"].releases,
        "removal": facts()["removal_fix"].releases,
    }
    lines = read_lines(DATA / "log_lights.csv", Rule)
    return {line.key: replace(line, rule=line.rule.format(**words)) for _, line in lines}


_SHARES = {
    "used_green": USED_GREEN,
    "used_red": USED_RED,
    "indirect_amber": INDIRECT_AMBER,
    "indirect_red": INDIRECT_RED,
    "busy_amber": BUSY_AMBER,
    "busy_red": BUSY_RED,
    "queued_red": QUEUED_RED,
    "full_amber": FULL_AMBER,
    "full_red": FULL_RED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDrive:
    """A disk of the log, as it describes itself, and what is known of its model; None if it isn't.

    `used_percent` is of its rated life, `bytes_left` what may still be written to it, `latency_us` its model's at
    8 KiB, `curve` the same by block size. `works` says whether it reports that its capacitors work.
    """

    disk: str  # as the system names it
    name: str
    protection: Protection = PROTECTIONS["unknown"]
    latency_us: float | None = None
    curve: Mapping[int, float] = field(default_factory=dict)
    used_percent: int | None = None
    bytes_left: int | None = None
    is_failing: bool = False
    works: bool | None = None
    has_volatile_cache: bool | None = None
    kernel_write_cache: str | None = None

    @property
    def safety(self) -> Safety:
        return self.protection.safety

    @property
    def is_safe(self) -> bool:
        """Its own report counts where no source settles it, as for a used drive."""
        if self.safety is Safety.UNKNOWN:
            return self.works is True
        return self.safety is Safety.SAFE and self.works is not False


@dataclass(frozen=True, slots=True)
class Light:
    """The color of a light, why, and what to do next.

    `value` is the figure that its rule names, as a number: a share, a ratio, a rate, a number of years.
    """

    key: str
    color: Color
    text: str
    value: float | None = None
    step: str = ""
    command: str = ""

    @property
    def rule(self) -> Rule:
        return rules()[self.key]


@dataclass(frozen=True, slots=True)
class Check:
    """The lights, and the figures behind several of them; None if they aren't stated.

    `write_us` and `flush_us` are the mean times of a write and a flush of the log's slowest disk; `years` those that
    the drive with the least life left lasts at this rate.
    """

    lights: Sequence[Light]
    commits_s: float | None
    log_bytes_s: float | None
    write_us: float | None
    flush_us: float | None
    share: float | None
    years: float | None
    curves: Sequence[Mapping[int, float]] = ()  # of its drives

    def log_us(self, size: int) -> float | None:
        """What a sync write of this size takes in the log.

        That is the counted time of its slowest disk plus, above 4 KiB, the extra time of its slowest model. If
        nothing was counted, it is the model's time.
        """
        by_model = [
            [us for curve in self.curves if (us := logged_us(curve, each)) is not None]
            for each in (SIZES[0], size)
        ]
        least, most = (max(known) if known and len(known) == len(self.curves) else None for known in by_model)
        if self.write_us is None:
            return most
        counted = self.write_us + (self.flush_us or 0)
        if size == SIZES[0]:
            return counted
        return None if least is None or most is None else counted + max(most - least, 0)

    def color(self, key: str) -> Color:
        return next(light.color for light in self.lights if light.key == key)

    @property
    def client_iops(self) -> float | None:
        """The sync writes a second of one NFS client, with the log's own mean times."""
        return None if self.write_us is None else client_iops(self.write_us + (self.flush_us or 0))

    @property
    def summary(self) -> str:
        """The most important findings in one sentence."""
        said = [words for key, by_color in _SAID.items() if (words := by_color.get(self.color(key)))]
        if self.years is not None:
            said.append(f"{_years(self.years)} left")
        but = [words for (key, color), words in _BUT.items() if self.color(key) == color]
        if all(light.color == Color.NOT_STATED for light in self.lights):
            return "Not enough data to judge it."
        sentence = "; ".join(filter(None, [", ".join(said), join_words(but)]))
        return f"{sentence[0].upper()}{sentence[1:]}."


_SAID = {
    "used": {Color.GREEN: "used", Color.AMBER: "only partly used", Color.RED: "not used"},
    "saturated": {Color.GREEN: "not saturated", Color.AMBER: "busy", Color.RED: "saturated"},
    "safe": {
        Color.GREEN: "safe",
        Color.AMBER: "not always safe",
        Color.RED: "not safe",
        Color.NOT_STATED: "safety unknown",
    },
}
_BUT = {
    ("asked", Color.AMBER): "hardly anything waits for it",
    ("asked", Color.RED): "sync=disabled means nothing waits for it",
    ("data", Color.AMBER): "some data bypasses it",
    ("data", Color.RED): "most data bypasses it",
    ("speed", Color.RED): "it’s slower than its model should be",
    ("stalls", Color.RED): "writes to it fail",
    ("throttled", Color.RED): "the pool can’t keep up",
    ("redundant", Color.RED): "part of it isn’t online",
    ("worn", Color.RED): "it’s worn out or failing",
    ("flushed", Color.RED): "flushes aren’t sent to it",
    ("settings", Color.RED): "a volume has sync=disabled",
}


def slowest_disk(log: LiveLogReading) -> LiveDisk | None:
    """The disk of the log that a commit waits for; None if none was counted."""
    return max(log.disks, key=lambda disk: (disk.write_us or 0) + (disk.flush_us or 0), default=None)


def years_at(log_bytes_s: float, bytes_left: int, *, parts: int) -> float:
    """The years until this many bytes were written to a drive, if its log of several parts shares the load.

    LONG_YEARS + 1 stands for anything longer.
    """
    a_year = log_bytes_s * _YEAR_S / max(parts, 1)
    longest = float(LONG_YEARS + 1)
    return min(bytes_left / a_year, longest) if a_year else longest


def check_log(log: LiveLogReading, drives: Sequence[LogDrive]) -> Check:
    """Judge a log; `drives` are those of its disks that are described."""
    facts_ = _Evidence(log, drives)
    slowest = slowest_disk(log)
    return Check(
        lights=[_light(key, facts_) for key in rules()],
        commits_s=facts_.rate("zil_commit_count"),
        log_bytes_s=facts_.slog_bytes_s,
        write_us=slowest.write_us if slowest else None,
        flush_us=slowest.flush_us if slowest else None,
        share=facts_.share,
        years=facts_.years,
        curves=[drive.curve for drive in drives],
    )


def _light(key: str, seen: "_Evidence") -> Light:
    light = _LIGHTS[key](seen)
    is_stated = light.color != Color.NOT_STATED
    return light if is_stated else replace(light, command=command_for(key, seen.log))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the lights are decided by."""

    log: LiveLogReading
    drives: Sequence[LogDrive]

    @property
    def is_counted(self) -> bool:
        return not self.log.fault and bool(self.log.window_s)

    @property
    def why_not_counted(self) -> str:
        return LOG_FAULTS.get(self.log.fault or "", OF_ALL_POOLS)

    def zil(self, name: str) -> int | None:
        """How much a counter of this pool grew."""
        return self.log.zil.get(name) if self.is_counted and self.log.is_of_pool else None

    def dmu_tx(self, name: str) -> int | None:
        return self.log.dmu_tx.get(name) if self.is_counted else None

    def rate(self, name: str) -> float | None:
        grown = self.zil(name)
        return None if grown is None or not self.log.window_s else grown / self.log.window_s

    def written(self, kind: str) -> int | None:
        """Bytes of the log that went to "slog" or "normal"; before 2.2 those of its records."""
        written = self.zil(f"zil_itx_metaslab_{kind}_write")
        return self.zil(f"zil_itx_metaslab_{kind}_bytes") if written is None else written

    @property
    def slog_bytes_s(self) -> float | None:
        written = self.written("slog")
        return None if written is None or not self.log.window_s else written / self.log.window_s

    @property
    def share(self) -> float | None:
        slog, normal = self.written("slog"), self.written("normal")
        return None if slog is None or normal is None or not slog + normal else slog / (slog + normal)

    @property
    def lists_devices(self) -> bool:
        """Whether zpool status lists the devices of each part of the log: people delete them to hide names."""
        logs = self.log.logs or ()
        return bool(logs) and all(len(vdev.devices) >= 1 + (vdev.type == "mirror") for vdev in logs)

    @property
    def has_all_disks(self) -> bool:
        return self._are_all(disk.name for disk in self.log.disks)

    @property
    def has_all_drives(self) -> bool:
        return self.log.is_marked and self._are_all(drive.disk for drive in self.drives)

    def _are_all(self, names: Iterable[str]) -> bool:
        """Whether these are all disks of the log: by name, or by number if its devices aren't named like disks."""
        found = set(names)
        devices = [device for vdev in self.log.logs or () for device in vdev.devices]
        named = {node_of(without_layers(device)) for device in devices} - {None}
        return self.lists_devices and len(found) >= len(devices) and named <= set(map(node_of, found))

    @property
    def busy(self) -> float | None:
        """Of the busiest disk; None if one of them isn't counted."""
        each = [disk.busy for disk in self.log.disks]
        known = [busy for busy in each if busy is not None]
        return max(known) if known and self.has_all_disks and len(known) == len(each) else None

    @property
    def years(self) -> float | None:
        """Those of the drive with the least life left, at the measured rate; None unless all are known."""
        left = [drive.bytes_left for drive in self.drives if drive.bytes_left is not None]
        is_known = self.has_all_drives and len(left) == len(self.drives)
        if not is_known or self.slog_bytes_s is None:
            return None
        return years_at(self.slog_bytes_s, min(left), parts=len(self.log.logs or ()))

    @property
    def pool(self) -> str:
        return self.log.pool or "POOL"


def _not_stated(key: str, why: str = "", value: float | None = None) -> Light:
    text = f"We can’t tell: {why}." if why else "We can’t tell."
    return Light(
        key, Color.NOT_STATED, text, value, "Run the commands again as root and paste the whole file."
    )


def _grade(value: float, amber: float, red: float) -> Color:
    """Green below `amber`, red above `red`."""
    return Color.GREEN if value < amber else Color.AMBER if value <= red else Color.RED


def _asked(seen: _Evidence) -> Light:
    rate = seen.rate("zil_commit_count")
    if rate is None:
        return _not_stated("asked", seen.why_not_counted)
    text = f"{format_number(rate)} commits a second."
    datasets = seen.log.datasets or ()
    if rate >= ASKED_S:
        writers = seen.zil("zil_commit_writer_count")
        if writers:
            merged = format_number((seen.zil("zil_commit_count") or 0) / writers)
            text = f"{format_number(rate)} commits a second, {merged} per log write."
        return Light("asked", Color.GREEN, text, rate)
    if datasets and all(dataset.sync == "disabled" for dataset in datasets):
        text = "Every dataset has sync=disabled: a crash loses the last few seconds of writes."
        command = f"zfs inherit -r sync {seen.pool}"
        return Light("asked", Color.RED, text, rate, "Turn sync writes back on.", command)
    step = "Check again while your clients are writing. If this doesn’t change, you don’t need a SLOG."
    return Light("asked", Color.AMBER, text, rate, step)


def _used(seen: _Evidence) -> Light:
    share, logs = seen.share, seen.log.logs
    status = f"zpool status {seen.pool}"
    if logs is not None and not logs:
        return Light(
            "used", Color.RED, "The pool has no log device.", share, "Find out if you need one.", status
        )
    offline = [vdev for vdev in logs or () if vdev.state not in ("ONLINE", "DEGRADED")]
    if offline and len(offline) == len(logs or ()):
        return Light(
            "used", Color.RED, f"The log device is {offline[0].state}.", share, "Find out why.", status
        )
    if share is None or logs is None:
        why = seen.why_not_counted if logs is not None else "zpool status is missing"
        return _not_stated("used", "nothing was logged" if seen.zil("zil_commit_count") == 0 else why, share)
    text = f"{_percent(share)} of the log’s bytes went to it."
    if offline:
        text = f"{text} But part of it is {offline[0].state}."
        return Light("used", Color.AMBER, text, share, "Find out why.", status)
    if share >= USED_GREEN:
        return Light("used", Color.GREEN, text, share)
    color = Color.RED if share < USED_RED else Color.AMBER
    step = "Check whether one of the pool’s log devices is full, removed or failed."
    return Light("used", color, text, share, step, f"zpool iostat -v {seen.pool} 5")


def _data(seen: _Evidence) -> Light:
    kinds = [seen.zil(f"zil_itx_{kind}_bytes") for kind in ("indirect", "copied", "needcopy")]
    known = [kind for kind in kinds if kind is not None]
    if not seen.log.logs:
        why = (
            "zpool status is missing"
            if seen.log.logs is None
            else "without a SLOG, data may go straight to the pool"
        )
        return _not_stated("data", why)
    if len(known) < len(kinds):
        return _not_stated("data", seen.why_not_counted)
    if not sum(known):
        return _not_stated("data", "no data was logged")
    share = known[0] / sum(known)
    color = Color.GREEN if share <= INDIRECT_AMBER else _grade(share, INDIRECT_AMBER, INDIRECT_RED)
    text = f"{_percent(share)} of the data bypassed it."
    if color == Color.GREEN:
        return Light("data", color, text, share)
    return Light("data", color, text, share, *_bypass(seen))


def _bypass(seen: _Evidence) -> tuple[str, str]:
    """Why data bypasses the log, and the command that ends it, by the dataset with most of it."""
    datasets = seen.log.datasets or ()
    most = max(datasets, key=lambda dataset: dataset.indirect_bytes, default=None)
    name = most.name if most and most.indirect_bytes else "DATASET"
    biased = next((each.name for each in datasets if each.logbias == "throughput"), "")
    if most and most.indirect_bytes and most.logbias != "throughput":
        biased = ""
    if biased:
        return (
            "logbias=throughput sends it to the pool: set it back to latency.",
            f"zfs set logbias=latency {biased}",
        )
    if seen.log.branch and seen.log.branch < (2, 3):
        return "Find the dataset with logbias=throughput.", f"zfs get -r -s local logbias {seen.pool}"
    return (
        "Most likely O_DIRECT, which VM image files with cache=none use: turn it off there.",
        f"zfs set direct=disabled {name}",
    )


def _saturated(seen: _Evidence) -> Light:
    log, busy = seen.log, seen.busy
    queued = log.queued_samples / log.samples if log.samples else None
    step = (
        "It has little left for more writers. See what keeps it busy.",
        f"zpool iostat -vlq {seen.pool} 5",
    )
    if queued is not None and queued >= QUEUED_RED:
        text = f"Writes waited for it in {_percent(queued)} of the samples."
        return Light("saturated", Color.RED, text, busy, *step)
    if busy is None:
        why = (
            "this kernel doesn’t count flushes"
            if log.disks and seen.is_counted
            else "a disk’s counters are missing"
        )
        return _not_stated("saturated", why)
    color = _grade(busy, BUSY_AMBER, BUSY_RED)
    text = f"Its busiest disk had {format_number(busy)} writes or flushes in progress on average."
    if color != Color.GREEN:
        return Light("saturated", color, text, busy, *step)
    if log.samples < FEWEST_SAMPLES:
        return _not_stated("saturated", "zpool iostat -vq has too few samples", busy)
    return Light("saturated", color, text, busy)


def _speed(seen: _Evidence) -> Light:
    disks, models = seen.log.disks, {drive.disk: drive for drive in seen.drives}
    if not seen.has_all_disks or not seen.has_all_drives:
        return _not_stated("speed", "a disk’s counters or smartctl output are missing")
    if seen.busy is None or seen.busy >= BUSY_AMBER:
        return _not_stated(
            "speed", "its writes wait for each other" if seen.busy else "flushes aren’t counted"
        )
    found: list[tuple[float, str]] = []
    for disk in disks:
        model = models.get(disk.name)
        if model is None or model.latency_us is None:
            return _not_stated("speed", f"nobody has measured the {model.name}" if model else _NO_SMART)
        if disk.writes_s < FEWEST_WRITES_S or disk.write_us is None:
            return _not_stated("speed", "there were too few writes")
        if disk.write_bytes_s / disk.writes_s > MAX_MEAN_WRITE:
            size = format_block_size(round(disk.write_bytes_s / disk.writes_s / 1024) * 1024)
            return _not_stated("speed", f"its writes average {size}, too large to compare")
        took = disk.write_us + (disk.flush_us or 0)
        typical = format_number(model.latency_us)
        words = f"{format_number(took)} µs; on this site, the {model.name} takes {typical} µs."
        found.append((took / model.latency_us, words))
    ratio, words = max(found)
    color = Color.GREEN if ratio <= SLOW_AMBER else _grade(ratio, SLOW_AMBER, SLOW_RED)
    text = f"A write and its flush took {words}"
    step = "Check its link, write cache, temperature and wear." if color != Color.GREEN else ""
    return Light("speed", color, text, ratio, step, f"smartctl -x /dev/{disks[0].name}" if step else "")


def _stalls(seen: _Evidence) -> Light:
    delays = seen.dmu_tx("dmu_tx_wrlog_delay")
    stalls, errors = seen.zil("zil_commit_stall_count"), seen.zil("zil_commit_error_count")
    status = f"zpool status -v {seen.pool}"
    if errors:
        text = f"{format_count(errors, 'commit')} couldn’t be written to the log."
        return Light("stalls", Color.RED, text, errors, "Replace the log device.", status)
    held = (delays or 0) + (stalls or 0)
    if held:
        text = f"Writers were held up {format_count(held, 'time')}."
        step = "Check its size and speed: the log filled faster than it drained, or couldn’t be written to."
        return Light("stalls", Color.AMBER, text, held, step, f"zpool iostat -v {seen.pool} 5")
    is_counted = None not in (stalls, errors) or bool(seen.log.branch and seen.log.branch < _STATS_SINCE)
    if delays is None or not is_counted:
        return _not_stated(
            "stalls", seen.why_not_counted if seen.log.fault else "this release doesn’t count stalls"
        )
    return Light("stalls", Color.GREEN, "Writers were never held up.", 0)


def _throttled(seen: _Evidence) -> Light:
    delayed, stopped = seen.dmu_tx("dmu_tx_dirty_delay"), seen.dmu_tx("dmu_tx_dirty_over_max")
    if delayed is None or stopped is None:
        return _not_stated("throttled", LOG_FAULTS.get(seen.log.fault or "", "dmu_tx is missing"))
    if not delayed and not stopped:
        return Light("throttled", Color.GREEN, "No write was delayed by the pool.", 0)
    text = f"{format_count(delayed + stopped, 'write')} had to wait for the pool’s disks."
    is_idle = seen.busy is not None and seen.busy < BUSY_AMBER
    step = (
        "The pool is the bottleneck: a faster SLOG won’t help."
        if is_idle
        else "The pool’s disks are a bottleneck, too."
    )
    color = Color.RED if stopped else Color.AMBER
    return Light("throttled", color, text, delayed + stopped, step, f"zpool iostat -vl {seen.pool} 5")


def _size(seen: _Evidence) -> Light:
    log, rate = seen.log, seen.slog_bytes_s
    timeout, limit = log.parameters.get("zfs_txg_timeout"), log.parameters.get("zfs_wrlog_data_max")
    if not log.logs:
        return _not_stated("size", "there is no log device, or zpool status is missing")
    if log.log_bytes is None or log.used_bytes is None or not log.log_bytes:
        return _not_stated("size", "zpool iostat -v is missing")
    full = log.used_bytes / log.log_bytes
    text = f"{format_capacity(log.log_bytes)}, at most {_percent(full)} of it in use."
    step = ("Use a larger partition or a larger device.", f"zpool list -v {seen.pool}")
    if full > FULL_AMBER:
        return Light("size", _grade(full, FULL_AMBER, FULL_RED), text, full, *step)
    if rate is None or timeout is None:
        return _not_stated(
            "size", seen.why_not_counted if rate is None else "zfs_txg_timeout is missing", full
        )
    need = MAX_GROUPS * timeout * rate
    need = min(need, SPACE_FACTOR * limit) if limit else need
    if log.log_bytes < need:
        return Light(
            "size",
            Color.AMBER,
            f"{text} At this rate it could need {format_capacity(int(need))}.",
            full,
            *step,
        )
    if log.log_bytes > LARGE * SPACE_FACTOR * (limit or log.log_bytes):
        text += " More than it ever needs: the rest of the device can stay unused."
    return Light("size", Color.GREEN, text, full)


def _redundant(seen: _Evidence) -> Light:
    logs = seen.log.logs
    if not logs:
        why = "zpool status is missing" if logs is None else "there is no log device"
        return _not_stated("redundant", why)
    status = f"zpool status -v {seen.pool}"
    broken = next((vdev for vdev in logs if vdev.state != "ONLINE"), None)
    if broken:
        text = f"Part of the log is {broken.state or 'in an unknown state'}."
        return Light("redundant", Color.RED, text, None, "Replace the missing or failing disk.", status)
    if not seen.lists_devices:
        return _not_stated("redundant", "zpool status doesn’t list the log’s devices")
    single = [vdev for vdev in logs if vdev.type != "mirror" or vdev.members < 2]
    if not single:
        return Light("redundant", Color.GREEN, "A mirror.")
    text = (
        "One device, not mirrored."
        if len(logs) == 1
        else "Several devices share the load, not all of them mirrored."
    )
    step = "For VMs and databases, mirror it with a second drive of a different age."
    return Light("redundant", Color.AMBER, text, None, step, "man zpool-attach")


def _worn(seen: _Evidence) -> Light:
    drives, years = seen.drives, seen.years
    failing = next((drive for drive in drives if drive.is_failing), None)
    most = max((drive.used_percent for drive in drives if drive.used_percent is not None), default=None)
    step = ("Have a replacement ready.", f"smartctl -x /dev/{drives[0].disk}" if drives else "")
    if failing:
        text = f"The {failing.name} reports that it is failing or out of spare blocks."
        return Light("worn", Color.RED, text, years, "Replace it.", f"smartctl -x /dev/{failing.disk}")
    if most is not None and most >= WORN_RED:
        return Light("worn", Color.RED, f"{most} % of its rated life is used.", years, "Replace it.", step[1])
    left = "" if years is None else f", with {_years(years)} left at this rate"
    text = "" if most is None else f"{most} % of its rated life is used{left}."
    if (most is not None and most >= WORN_AMBER) or (years is not None and years < YEARS_AMBER):
        return Light("worn", Color.AMBER, text or f"{_years(years or 0)} left at this rate.", years, *step)
    if not seen.has_all_drives or any(drive.used_percent is None for drive in drives):
        return _not_stated("worn", "a disk’s smartctl output is missing or doesn’t say how worn it is", years)
    wears = sorted(drive.used_percent or 0 for drive in drives)
    twins = [b for a, b in pairwise(wears) if a > TWINS_FROM and b - a <= TWINS_WITHIN]
    if twins:
        text += " Two of its disks will wear out together."
        return Light("worn", Color.AMBER, text, years, "Replace one of them early.", step[1])
    if years is None:
        unknown = next((drive.name for drive in drives if drive.bytes_left is None), None)
        why = f"how much the {unknown} may write isn’t known" if unknown else seen.why_not_counted
        return _not_stated("worn", f"{most} % of its rated life is used, but {why}")
    return Light("worn", Color.GREEN, text, years)


def _safe(seen: _Evidence) -> Light:
    drives = seen.drives
    broken = next((drive for drive in drives if drive.works is False), None)
    if broken:
        text = f"The {broken.name} reports that its power-loss protection failed."
        return Light("safe", Color.RED, text, None, "Replace it.", f"smartctl -x /dev/{broken.disk}")
    unsafe = next((drive for drive in drives if drive.safety is Safety.UNSAFE), None)
    if unsafe:
        text = f"{unsafe.name}: {_in_short(unsafe)}."
        return Light(
            "safe",
            Color.RED,
            text,
            None,
            "Update its firmware, or replace it.",
            f"smartctl -i /dev/{unsafe.disk}",
        )
    open_ = [drive for drive in drives if not drive.is_safe]
    partly = next((drive for drive in open_ if drive.safety is not Safety.UNKNOWN), None)
    if partly:
        step = "Don’t turn flushes off. A drive with capacitors is faster, too."
        return Light("safe", Color.AMBER, f"{partly.name}: {_in_short(partly)}.", None, step)
    cacheless = next((drive for drive in open_ if drive.has_volatile_cache is False), None)
    if cacheless:
        text = f"The {cacheless.name} says it has no volatile cache, but no source confirms it."
        return Light("safe", Color.AMBER, text, None, "Look for what its manufacturer says about power loss.")
    if open_ or not seen.has_all_drives:
        why = f"we have no source on the {open_[0].name}" if open_ else _NO_SMART
        return _not_stated("safe", why)
    by_itself = any(drive.works for drive in drives)
    text = "The drive reports that its capacitors work." if by_itself else "Protected, according to sources."
    return Light("safe", Color.GREEN, text)


def _in_short(drive: LogDrive) -> str:
    """What is known of its protection, in a clause."""
    sentence = drive.protection.sentence
    return f"{sentence[0].lower()}{sentence[1:]}"


def _flushed(seen: _Evidence) -> Light:
    log, drives = seen.log, {drive.disk: drive for drive in seen.drives}
    off = [name for name in _NO_FLUSH if log.parameters.get(name)]
    all_safe = seen.has_all_drives and all(drive.is_safe for drive in seen.drives)
    if off:
        text = f"{join_words(off)} {'is' if len(off) == 1 else 'are'} set, so flushes aren’t sent."
        color = Color.AMBER if all_safe and off == ["zil_nocacheflush"] else Color.RED
        step = "Only safe if every cache this affects is protected: turn flushes back on."
        scope, _, name = off[0].partition("_")
        freebsd = f"sysctl vfs.zfs.{'zil.' if scope == 'zil' else ''}{name}=0"
        command = freebsd if log.system == "FreeBSD" else f"echo 0 > /sys/module/zfs/parameters/{off[0]}"
        return Light("flushed", color, text, None, step, command)
    for drive in seen.drives:
        if drive.kernel_write_cache == "write through" and drive.has_volatile_cache and not drive.is_safe:
            text = f"The kernel sends no flushes to {drive.disk}, which has a volatile cache."
            command = f"echo 'write back' > /sys/block/{drive.disk}/queue/write_cache"
            return Light("flushed", Color.RED, text, None, "Tell the kernel about the cache.", command)
    if any(name not in log.parameters for name in _NO_FLUSH) or not seen.has_all_disks:
        return _not_stated(
            "flushed", "a disk’s counters are missing, or zil_nocacheflush and zfs_nocacheflush are"
        )
    for disk in log.disks:
        drive_ = drives.get(disk.name)
        needs_none = drive_ is not None and (drive_.is_safe or drive_.has_volatile_cache is False)
        if not disk.flushes_s and not (needs_none and seen.has_all_drives):
            return _not_stated("flushed", f"no flush to {disk.name} was counted")
    total = sum(disk.flushes_s or 0 for disk in log.disks)
    text = (
        f"{format_number(total)} flushes a second."
        if total
        else "None are needed: its cache is protected or isn’t volatile."
    )
    return Light("flushed", Color.GREEN, text, total)


_NO_FLUSH = ("zil_nocacheflush", "zfs_nocacheflush")


def _settings(seen: _Evidence) -> Light:
    datasets = seen.log.datasets
    if not datasets:
        return _not_stated("settings", "zfs get is missing")
    for color, is_odd, words, command in _ODD_SETTINGS:
        odd = [dataset for dataset in datasets if is_odd(dataset)]
        if odd:
            text = f"{len(odd):,} of {len(datasets):,} datasets: {words}"
            return Light(
                "settings",
                color,
                text,
                len(odd),
                f"The first one: {odd[0].name}.",
                f"{command} {odd[0].name}",
            )
    if not seen.log.is_marked:
        return _not_stated("settings", "nothing shows where the output of zfs get ends")
    return Light("settings", Color.GREEN, f"Nothing unusual in {len(datasets):,} datasets.", 0)


_ODD_SETTINGS: Sequence[tuple[Color, Callable[[LiveDataset], bool], str, str]] = (
    (
        Color.RED,
        lambda each: each.type == "volume" and each.sync == "disabled",
        "a volume with sync=disabled loses what its guest believes is safe.",
        "zfs inherit sync",
    ),
    (
        Color.AMBER,
        lambda each: each.sync == "disabled",
        "sync=disabled loses the last few seconds of writes in a crash.",
        "zfs inherit sync",
    ),
    (
        Color.AMBER,
        lambda each: each.logbias == "throughput",
        "logbias=throughput sends data past the SLOG.",
        "zfs set logbias=latency",
    ),
    (
        Color.AMBER,
        lambda each: each.sync == "always" and each.record_size >= BIG_RECORD,
        "sync=always with large records, as for media and backups, wears out the SLOG for nothing.",
        "zfs set sync=standard",
    ),
)


def _version(seen: _Evidence) -> Light:
    branch = seen.log.branch
    if not branch or not seen.log.system:
        return _not_stated("version", "zfs version is missing")
    known = facts()
    bugs = []
    if branch < _numbers(known["slog_bulk"].since):
        bugs.append("large commits lose their priority")
    if branch[:2] == _numbers(known["direct"].since)[:2] and seen.log.system == "Linux":
        bugs.append("O_DIRECT writes bypass the log, even those smaller than a block")
    fixed = [_numbers(release) for release in known["removal_fix"].since.split()]
    if branch < fixed[0] or (branch[:2] == fixed[-1][:2] and branch < fixed[-1]):
        bugs.append("removing a log device can fail")
    text = f"OpenZFS {seen.log.version}"
    if not bugs:
        return Light("version", Color.GREEN, f"{text}: none that we know of.")
    step = f"Update to {known['removal_fix'].releases.split()[-1]} or later when your system offers it."
    return Light("version", Color.AMBER, f"{text}: {join_words(bugs)}.", None, step, "zfs version")


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _percent(share: float) -> str:
    """A share in percent; one that isn't 0 or 1 isn't shown as that."""
    percent = min(max(share * 100, 0.1), 99.9) if 0 < share < 1 else share * 100
    return f"{percent:.3g} %"


def _years(years: float) -> str:
    if years > LONG_YEARS:
        return f"over {LONG_YEARS} years"
    return format_count(round(years), "year") if years >= 2 else format_count(round(years * 12), "month")


_LIGHTS: Mapping[str, Callable[[_Evidence], Light]] = {
    "asked": _asked,
    "used": _used,
    "data": _data,
    "saturated": _saturated,
    "speed": _speed,
    "stalls": _stalls,
    "throttled": _throttled,
    "size": _size,
    "redundant": _redundant,
    "worn": _worn,
    "safe": _safe,
    "flushed": _flushed,
    "settings": _settings,
    "version": _version,
}
