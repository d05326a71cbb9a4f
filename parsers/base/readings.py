"""The values that the parsers return: frozen, typed, without serial numbers.

Sizes and capacities are bytes, `latency_us` microseconds, `throughput_mib_s` MiB/s, temperatures °C. A field
that the paste does not state is None: never guessed, never zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from parsers.base.device_class import DeviceClass
from parsers.base.target import Target, target_of

ROUNDED_AWAY = 0.01  # of a capacity: closer figures are taken as equal


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the submitter should know.

    A stable code, a sentence, and the line (from 1; None where it is about all of the paste).
    """

    code: str
    message: str
    line: int | None = None

    def as_left_out(self, first_line: int, last_line: int) -> "LeftOut":
        """The same about a run that it leaves out."""
        return LeftOut(self.code, self.message, first_line, last_line)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A benchmark run that can't become a result.

    A stable code, the reason in a sentence, the first and last line.
    """

    code: str
    message: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class LeftOutLines:
    """A run of lines that aren't stored, since no parser knows them.

    The numbers count from 1 in what was sent. `lines` are for the sender only; `tool` is the one that printed them,
    if its output is recognized but not read yet.
    """

    first_line: int
    last_line: int
    lines: tuple[str, ...]
    tool: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputReading:
    """The lines of a tool's output, and the day on which it was printed."""

    first_line: int
    last_line: int
    measured_on: date | None = None  # the local date, as parsers.dating chooses it


@dataclass(frozen=True, slots=True)
class LatencyPoint:
    """One point of a curve: the mean time of one synchronous write and its flush."""

    block_size: int
    latency_us: Decimal
    throughput_mib_s: Decimal | None
    line: int | None = field(default=None, compare=False)  # of the paste


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskinfoReading(OutputReading):
    """One device's output of FreeBSD's `diskinfo`, its points by ascending block size."""

    path: str | None = None
    description: str | None = None
    serial: str | None = None  # its mask ("[serial-1]"); never printed
    sector_size: int | None = None
    media_size: int | None = None
    rotation_rate_rpm: int | None = None
    trim_support: bool | None = None
    zone_mode: str | None = None
    attachment: str | None = None
    physical_path: str | None = None
    complete: bool = False
    points: tuple[LatencyPoint, ...] = ()
    kind: str = "diskinfo"

    @property
    def target(self) -> Target:
        """What was measured, by its path."""
        return target_of(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmartctlReading(OutputReading):
    """The output of `smartctl` on one device, with the names of smartctl's JSON."""

    format: str = "text"  # "text" or "json"
    path: str | None = None  # the device named in the command line or in the JSON
    slot: str | None = None  # of a disk behind the controller at `path`: "megaraid,8"
    serial: str | None = None  # its mask; never printed
    tool_version: str | None = None
    platform: str | None = None
    transport: str | None = None  # the command set that smartctl spoke: "ata", "scsi", "nvme"
    protocol: str | None = None  # "SATA", "SAS", "NVMe", "USB", "FC" as stated
    is_usb: bool | None = None  # True where a USB bridge is stated
    device_type: str | None = None  # SCSI: "disk", "enclosure", "CD/DVD"
    transport_protocol: str | None = None  # SCSI: "SAS (SPL-4)", "iSCSI", as printed
    vendor: str | None = None
    model_name: str | None = None
    model_family: str | None = None
    firmware_version: str | None = None
    user_capacity: int | None = None
    logical_block_size: int | None = None
    physical_block_size: int | None = None
    rotation_rate_rpm: int | None = None
    form_factor: str | None = None
    device_class: DeviceClass = DeviceClass.UNKNOWN
    printed_class: DeviceClass = DeviceClass.UNKNOWN  # without what a catalogue knows
    has_flash: bool | None = None  # as attributes and logs show it; False is a disk that turns
    health: str | None = None
    temperature_c: int | None = None
    power_on_hours: int | None = None
    logged_hours: int | None = None  # the highest in its self-test, error and FARM logs
    power_cycle_count: int | None = None
    host_bytes_written: int | None = None
    percentage_used: int | None = None
    wear_percent: int | None = None  # percentage_used, else derived from `wear_source`, an attribute
    wear_source: str | None = None  # "Media_Wearout_Indicator 97"
    raw_wear: str | None = None  # attributes from which nothing is derived: "Wear_Leveling_Count 95, raw 123"
    available_spare: int | None = None  # in percent
    available_spare_threshold: int | None = None
    failed_self_test: str | None = None  # the result of the newest one, as printed; None if it passed
    write_cache_enabled: bool | None = None
    protection_fault: str | None = None  # a capacitor fault that it reports, as printed
    protection_evidence: str | None = None  # a test of its capacitors that it passes, as printed
    # As parsers.smartctl.link_speeds names it: "SATA 3 Gb/s", "SAS 12 Gb/s"
    negotiated_link: str | None = None
    native_capacity: int | None = None  # in all, where smartctl or a tool next to it states it
    kind: str = "smartctl"

    @property
    def is_overprovisioned(self) -> bool:
        """Whether it shows clearly less than its capacity (HPA, AMA, small namespace)."""
        if self.native_capacity is None or self.user_capacity is None:
            return False
        return self.user_capacity < self.native_capacity * (1 - ROUNDED_AWAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class FioJob:
    """The write side of one fio job, or of a group with `group_reporting`."""

    name: str | None = None
    group: int | None = None  # rows of one group ran at the same time
    error: int | None = None  # errno that the job ended with; 0 is none
    rw: str | None = None
    block_size: int | None = None
    iodepth: int | None = None
    numjobs: int | None = None
    ioengine: str | None = None
    direct: bool | None = None
    data: str | None = None  # as parsers.fio.load names it; None where fio's default isn't changed
    percentage_random: int | None = None
    block_align: int | None = None  # bytes, of the offsets
    sync: str | None = None  # the options as stated
    fsync: int | None = None
    fdatasync: int | None = None
    sync_each_write: bool | None = None
    flush_off: bool | None = None  # True where all options are shown, and none flushes; else None
    iops: Decimal | None = None
    throughput_bytes_s: int | None = None
    write_latency_us: Decimal | None = None
    write_latency_p99_us: Decimal | None = None
    write_latency_p999_us: Decimal | None = None  # 99.9 %
    write_latency_p9999_us: Decimal | None = None  # 99.99 %
    write_latency_max_us: Decimal | None = None
    flush_latency_us: Decimal | None = None
    flush_latency_p99_us: Decimal | None = None
    flush_latency_p999_us: Decimal | None = None
    flush_latency_p9999_us: Decimal | None = None
    flush_latency_max_us: Decimal | None = None
    line: int | None = field(default=None, compare=False)  # where its result begins
    setup_line: int | None = field(default=None, compare=False)  # where its depth is stated

    @property
    def data_content(self) -> str | None:
        """What the writes contain. The default is known if options are shown that fio's text output omits."""
        stated = (self.direct, self.sync, self.fsync, self.fdatasync)
        return self.data or (None if stated == (None, None, None, None) else "random")

    @property
    def pattern(self) -> str | None:
        """The order of the writes: "sequential", "random" or "mixed"."""
        match (self.rw or "").partition(":")[0], self.percentage_random:
            case "write", _:
                return "sequential"
            case "randwrite", None | 100:
                return "random"
            case "randwrite", 0:
                return "sequential"
            case "randwrite", _:
                return "mixed"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FioReading(OutputReading):
    """One run of fio."""

    format: str = "text"  # "text", "json" or "terse"
    path: str | None = None  # --filename, below --directory, where stated
    stated_target: Target | None = None  # what was written, where the path alone does not show it
    targets: tuple[str, ...] = ()  # the paths that were written, where they are several
    hosts: int = 1  # the machines that it ran on (client and server)
    layer: str | None = None  # what the writes went through, as parsers.layers finds it
    tool_version: str | None = None
    complete: bool = False
    jobs: tuple[FioJob, ...] = ()
    missing_jobs: int | None = None  # started together with clones of them, and not in the text
    kind: str = "fio"

    @property
    def target(self) -> Target:
        """What was measured, by the path or by the options."""
        return self.stated_target or target_of(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlogprobeRow:
    """The writes of one size: how many, and how long one took with its flush."""

    block_size: int
    writes: int
    latency_us: Decimal  # the mean
    p50_us: Decimal
    p99_us: Decimal
    p999_us: Decimal  # 99.9 %
    max_us: Decimal
    line: int | None = field(default=None, compare=False)

    @property
    def tail_us(self) -> tuple[float | None, float | None]:
        """The p99 and p99.9, each None if there were too few writes for one to be above it."""
        return (
            float(self.p99_us) if self.writes >= 100 else None,
            float(self.p999_us) if self.writes >= 1000 else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlogprobeReading(OutputReading):
    """One run of slogprobe, the program of slogdb-submit; rows by ascending block size."""

    path: str | None = None  # of the disk or partition; None for a file, which it made
    layer: str | None = None  # the file system of a file
    size_bytes: int | None = None  # of what was written to
    system: str | None = None  # "Linux" or "FreeBSD"
    system_version: str | None = None
    flush: str | None = None  # "fdatasync" or "DIOCGFLUSH"
    flushes: int | None = (
        None  # that the disk completed meanwhile, those of others included; None if they aren't counted
    )
    writes: int | None = None  # including those of the warm-up
    link: str | None = None  # as the kernel names it: "8.0 GT/s PCIe x4", "SATA 6.0 Gbps"
    temperature_before_c: int | None = None
    temperature_after_c: int | None = None
    warm_up_seconds: Decimal | None = None
    complete: bool = False
    rows: tuple[SlogprobeRow, ...] = ()
    kind: str = "slogprobe"

    @property
    def target(self) -> Target:
        """What was measured: a file without a path, or what the path names."""
        return target_of(self.path) if self.path else Target.FILE

    @property
    def points(self) -> tuple[LatencyPoint, ...]:
        """The means as points of a curve."""
        return tuple(LatencyPoint(row.block_size, row.latency_us, None, row.line) for row in self.rows)


class Section(StrEnum):
    """The tests of `pg_test_fsync`, in their order."""

    ONE_WRITE = "one_write"
    TWO_WRITES = "two_writes"
    OPEN_SYNC_SIZES = "open_sync_sizes"
    DIFFERENT_DESCRIPTOR = "different_descriptor"
    NON_SYNCED = "non_synced"


@dataclass(frozen=True, slots=True, kw_only=True)
class PgTestFsyncRow:
    """One method of `pg_test_fsync`; without figures where the system does not have it ("n/a")."""

    section: Section | None = None  # None where the line that names it is missing
    method: str
    write_size: int | None = None  # bytes per write
    writes: int | None = None  # before each sync
    ops_s: Decimal | None = None
    usecs_per_op: int | None = None  # rounded by the tool; versions before 9.3 print none
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PgTestFsyncReading(OutputReading):
    """One run of PostgreSQL's `pg_test_fsync`."""

    path: str | None = None  # -f, where stated
    layer: str | None = None
    seconds_per_test: int | None = None
    direct_io: bool | None = None  # whether open_datasync and open_sync skip the page cache
    complete: bool = False
    rows: tuple[PgTestFsyncRow, ...] = ()
    kind: str = "pg_test_fsync"

    @property
    def target(self) -> Target:
        """What was written: a file, unless the path is a device's."""
        return target_of(self.path) if self.path and self.path.startswith("/") else Target.FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class PveperfReading(OutputReading):
    """One run of Proxmox VE's `pveperf`; rates are per second."""

    path: str | None = None  # the folder of the command line; "/" where it names none
    source: str | None = None  # what is mounted there, as printed: "/dev/mapper/pve-root"
    layer: str | None = None
    cpu_bogomips: Decimal | None = None
    regex_s: int | None = None
    hd_size_gb: Decimal | None = None
    buffered_reads_mb_s: Decimal | None = None  # None on ZFS, as is the seek time
    average_seek_ms: Decimal | None = None
    fsyncs_s: Decimal | None = None
    complete: bool = False
    kind: str = "pveperf"

    @property
    def target(self) -> Target:
        """It always writes a file."""
        return Target.FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class DdReading(OutputReading):
    """One run of dd: how many bytes it copied in how long.

    What the command says is None without it; of a shell loop all runs that copied as much as the first have it.
    """

    command: str | None = None  # its known operands, paths masked: "dd if=/dev/zero of=/mnt/[pool-1]/x bs=1M"
    input: str | None = None  # if=, masked
    output: str | None = None  # of=, masked; a pipe has none
    block_size: int | None = None  # bs= in bytes; None where the shell computes it
    bytes: int
    seconds: Decimal
    throughput_bytes_s: int  # as printed in bytes, else bytes / seconds: GNU's own rate is rounded
    is_synced: bool | None = None  # oflag=sync or dsync, conv=fsync or fdatasync
    is_direct: bool | None = None  # oflag=direct
    memory_bytes: int | None = None  # of the machine, which napp-it states
    complete: bool = False  # False if it was interrupted or failed
    kind: str = "dd"

    @property
    def target(self) -> Target:
        """What was written, by its path; a path that isn't known is taken for a file."""
        return target_of(self.output) if self.output else Target.FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class FioLogReading(OutputReading):
    """One direction of one of fio's logs, or a CSV of seconds and a figure: samples in the order of their times.

    `metric` is in the file's name, if the text shows it, else None: iops (1/s), bw (KiB/s), lat, clat or slat
    (nanoseconds; microseconds before fio 3.0). Of a CSV it is iops or latency_us, and `direction` is None.
    """

    metric: str | None = None
    job: int | None = None  # the number in the file's name
    direction: str | None = None  # read, write, trim
    rows: int
    first_ms: Decimal | int
    last_ms: Decimal | int
    mean: Decimal  # of the values
    times_ms: tuple[Decimal | int, ...] = ()  # these two aren't printed
    values: tuple[Decimal | int, ...] = ()
    complete: bool = False  # False if samples are cut off, impossible, or out of order
    kind: str = "fio_log"


@dataclass(frozen=True, slots=True, kw_only=True)
class IozoneRow:
    """A row of iozone: rates by operation (`write`, `rewrite`, `read`, `reread`, `random_read` ...), in the unit.

    Only what was measured is in `figures`. Sizes are KiB; in throughput mode `file_kb` is that of each process, and
    the rates are sums over the processes.
    """

    file_kb: int | None
    reclen_kb: int | None
    processes: int | None = None
    figures: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class IozoneReading(OutputReading):
    """One run of iozone.

    `mode` is auto (a table), excel (the report of -R alone), auto+excel or throughput; `unit` is kB/s, which are
    KiB/s, or ops/s. Without -o or -e the rates of writes are those of a cache. What only head or command can tell is
    None without them.
    """

    tool_version: str | None = None
    command: str | None = None  # its known options, paths masked
    mode: str
    unit: str
    is_sync: bool | None = None  # -o: each write is synchronous
    includes_flush: bool | None = None  # -e: a flush at the end is timed
    is_direct: bool | None = None  # -I
    complete: bool = False
    rows: tuple[IozoneRow, ...] = ()
    kind: str = "iozone"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZpoolVdev:
    """A top-level vdev of `zpool status`.

    `type` is the printed word without its number (mirror, raidz2, draid1), "disk" for a single device. `members`
    counts the rows one step below it, of which a replacing or a spare is one; 1 for a single device.

    `devices` are the devices at its bottom as they are kept: a node ("nvme0n1p4", "ada0p2"), a name by id with the
    serial number's mask ("nvme-INTEL_SSDPE21D280GA_[serial-1]-part1", "diskid/DISK-[serial-2]p1"), else a mask
    ("gptid/[wwn-3]", "[pool-2]" for a label). The mask of a serial number is the one that a smartctl reading of the
    same text has as its `serial`, and ParsedPaste.unit_digests has its digest; `node_of` gives a node's whole disk.
    """

    role: str  # data, log, cache, spare, special, dedup
    type: str
    members: int
    state: str | None = None
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZpoolStatusReading(OutputReading):
    """One pool's table of `zpool status`; `pool` is the mask of its name, the same in all readings of the text."""

    pool: str | None = None
    state: str | None = None  # of the line "state:", else of the pool's row
    scan: str | None = None  # "scrub" or "resilver" while it is in progress
    vdevs: tuple[ZpoolVdev, ...] = ()
    complete: bool = False
    kind: str = "zpool_status"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZpoolIostatRow:
    """A row of `zpool iostat`: of the pool ("pool", depth 0), of a vdev (1) or of a device (2).

    `role` is that of ZpoolVdev; it and `depth` are None if the text lost its blanks. `figures` has the printed
    columns: `read_ops_s`, `write_ops_s`, `read_bytes_s`, `write_bytes_s`, `alloc_bytes`, `free_bytes`, means in
    nanoseconds (`disk_wait_write_ns`), of -q `syncq_write_pending` and `syncq_write_active`. A dash is None.
    """

    role: str | None
    depth: int | None
    name: str  # as in ZpoolVdev.devices
    figures: Mapping[str, Decimal | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZpoolIostatReading(OutputReading):
    """What follows one header of `zpool iostat`: rows, or the buckets of a histogram (-w, -r).

    With an interval, plain rows are one a sample; the first one is the average since boot, unless `command` has -y.
    A bucket has its bound (`high_ns`: its upper end; `low_bytes`: its lower end) and a count a column:
    `disk_wait_write`, `sync_write_ind` (single), `sync_write_agg` (merged).
    """

    form: str  # plain, verbose, latency, queue, latency_histogram, size_histogram
    name: str | None = None  # of the pool or device that a histogram is of
    command: str | None = None
    rows: tuple[ZpoolIostatRow, ...] = ()
    buckets: tuple[Mapping[str, Decimal | None], ...] = ()
    complete: bool = False  # False if columns are cut off
    kind: str = "zpool_iostat"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZfsPropertiesReading(OutputReading):
    """The properties of one dataset or pool, as `zfs get` or `zpool get` prints them; values stay text."""

    name: str | None = None  # masked, a part at a time: "[pool-1]/[pool-2]"
    properties: Mapping[str, str]
    complete: bool = False
    kind: str = "zfs_properties"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRow:
    """An interval of iopattern or zilstat; a dash is None.

    `figures` of iopattern: `percent_random`, `percent_sequential`, `count` (of I/Os), `min_bytes`, `max_bytes` and
    `mean_bytes` of one I/O, `read_kb` and `write_kb` (KiB in the interval). Of zilstat: `bytes`, `bytes_s` and
    `bytes_max_rate` of the data, the same of the buffers that hold it (`buffer_bytes` ...), `ops`, `ops_le_4kb`,
    `ops_4_32kb`, `ops_ge_32kb`.
    """

    device: str | None = None  # with iopattern -d
    figures: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReading(OutputReading):
    """A table of a DTrace script; `kind` is "iopattern" or "zilstat"."""

    kind: str
    rows: tuple[AccessRow, ...]
    complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedProcess:
    """A process's I/O: (value at the left of the row, count), printed rows only; paths of the command are masked."""

    pid: int | None = None  # None where the histogram is of all
    command: str | None = None
    buckets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramReading(OutputReading):
    """Histograms of a DTrace script by process.

    `kind` is "seeksize" (values are distances in sectors, 0 is sequential) or "bitesize" (bytes of an I/O).
    """

    kind: str
    processes: tuple[TracedProcess, ...]
    complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BiolatencyReading(OutputReading):
    """A histogram of biolatency: (low, high, count) in `unit`, the bounds as printed.

    The upper bound is included in bcc's rows and excluded in bpftrace's, whose row of one value has it twice.
    """

    unit: str  # usecs, msecs, nsecs
    disk: str | None = None
    flags: str | None = None  # of the I/Os: "Sync-Write"
    buckets: tuple[tuple[int, int, int], ...] = ()
    complete: bool = False
    kind: str = "biolatency"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDataset:
    """A dataset, its name masked; `data_bytes` were logged in the window, of them `indirect_bytes` past the log."""

    name: str
    type: str
    sync: str
    logbias: str
    direct: str
    record_size: int
    data_bytes: int = 0
    indirect_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDisk:
    """What a disk of the log did: per second, and in microseconds on average; None without any, or not counted."""

    name: str
    writes_s: float
    write_bytes_s: float
    write_us: float | None
    flushes_s: float | None
    flush_us: float | None

    @property
    def busy(self) -> float | None:
        """Writes and flushes in progress on average: 1 if there is always one. None if flushes aren't counted."""
        if self.flushes_s is None:
            return None
        return (self.writes_s * (self.write_us or 0) + self.flushes_s * (self.flush_us or 0)) / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLogReading(OutputReading):
    """What a machine states about a pool's log; what isn't stated is None or missing.

    `zil` and `dmu_tx` are increments in `window_s`; `fault` says why there are none: "incomplete", "backwards" (the
    machine was restarted), "short". `zil` is of the pool if `is_of_pool`, else of all pools; `dmu_tx` is of all.
    `is_marked` is False if nothing shows where the output of a command ends.
    """

    system: str | None = None  # as uname names it
    version: str | None = None  # of the kernel module
    pool: str | None = None  # masked
    pool_count: int | None = None
    logs: tuple[ZpoolVdev, ...] | None = None  # devices masked; None without zpool status
    window_s: int | None = None
    fault: str | None = None
    zil: Mapping[str, int] = field(default_factory=dict)
    dmu_tx: Mapping[str, int] = field(default_factory=dict)
    is_of_pool: bool = False
    datasets: tuple[LiveDataset, ...] | None = None
    disks: tuple[LiveDisk, ...] = ()
    samples: int = 0  # of zpool iostat, a second each
    queued_samples: int = 0  # those in which writes to the log waited
    log_bytes: int | None = None  # the size of the log vdevs
    used_bytes: int | None = None  # the most in use among the samples
    parameters: Mapping[str, int] = field(default_factory=dict)
    drives: Mapping[str, str] = field(default_factory=dict)  # what describes each disk of the log, not masked
    is_marked: bool = True
    kind: str = "live_log"

    @property
    def branch(self) -> tuple[int, ...]:
        """The version in numbers; empty if it isn't stated."""
        return tuple(map(int, self.version.split("."))) if self.version else ()


FileSyncReading = PgTestFsyncReading | PveperfReading
AccessReading = TableReading | HistogramReading | BiolatencyReading
# What describes a pool or its load, and is no benchmark
PoolReading = ZpoolStatusReading | ZpoolIostatReading | ZfsPropertiesReading | AccessReading
Reading = (
    DiskinfoReading
    | SmartctlReading
    | FioReading
    | SlogprobeReading
    | FileSyncReading
    | DdReading
    | IozoneReading
    | FioLogReading
    | PoolReading
    | LiveLogReading
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushPath:
    """What is stated about caches between a write and the medium; see parsers.flush_path."""

    has_volatile_cache: bool | None = None  # NVMe's VWC, or whether ATA has a write cache at all
    write_cache_enabled: bool | None = None  # WCE
    kernel_write_cache: str | None = None  # "write back", or "write through": then it sends no flush
    has_fua: bool | None = None  # whether the kernel uses FUA


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDevice:
    """The readings of one physical unit, as indices into the paste's readings."""

    diskinfo: int | None = None
    smartctl: int | None = None  # the fullest of its descriptions
    also_smartctl: tuple[int, ...] = ()  # the others
    fio: int | None = None
    slogprobe: int | None = None
    pg_test_fsync: tuple[int, ...] = ()
    pveperf: tuple[int, ...] = ()
    unit: str | None = None  # keyed digest of the serial number
    device_class: DeviceClass = DeviceClass.UNKNOWN
    printed_class: DeviceClass = DeviceClass.UNKNOWN  # without what a catalogue knows
    model_name: str | None = None
    firmware_version: str | None = None
    capacity: int | None = None
    flush_path: FlushPath | None = None

    @property
    def node_run(self) -> int | None:
        """The run that names the device by its node alone: fio's or slogprobe's."""
        return self.fio if self.fio is not None else self.slogprobe


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPaste:
    """Everything that one paste states, and the lines of it that may be stored and shown.

    All line numbers in it are those of `text`, except those of `left_out_lines`, and those of `warnings` if the text
    is empty: then they are those of what was sent.
    """

    text: str  # the kept text
    readings: tuple[Reading, ...]
    devices: tuple[PairedDevice, ...]
    warnings: tuple[Notice, ...]
    left_out: tuple[LeftOut, ...]  # runs that no reading was made of
    unit_digests: dict[str, str]  # mask of a serial number -> keyed digest, to read the kept text again
    parser_version: str
    source_lines: tuple[
        int, ...
    ] = ()  # for each line of `text`, the number of the line sent that it came from
    left_out_lines: tuple[LeftOutLines, ...] = ()
    file_lines: tuple[int, ...] = field(default=(), compare=False)  # of what was sent: "==> x_iops.1.log <=="
    own_words: tuple[str, ...] = ()  # the sender's own words in the text: names of fio's jobs
    # Identifiers that were sent, with their masks, for what is shown beside the text; never stored or printed
    identifiers: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def sent_line(self, line: int | None) -> int | None:
        """The line of what was sent that a line of `text` came from."""
        if line is None or not 1 <= line <= len(self.source_lines):
            return line
        return self.source_lines[line - 1]
