"""What the commands of the page "Check my SLOG" print on a made-up machine, in its tools' forms."""

from dataclasses import dataclass, field

SMART = """\
smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)

=== START OF INFORMATION SECTION ===
Model Number:                       {model}
Serial Number:                      S64HNE0R12345{serial}
Firmware Version:                   GDC5602Q
Total NVM Capacity:                 480,103,981,056 [480 GB]

=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED

SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   {warning}
Temperature:                        35 Celsius
Available Spare:                    {spare}%
Available Spare Threshold:          10%
Percentage Used:                    {wear}%
Data Units Written:                 195,312,500 [100 TB]
Power On Hours:                     20,000
"""
STATS = {  # of 2.1; the next releases add some
    "zil_commit_count": 60_000, "zil_commit_writer_count": 30_000, "zil_itx_count": 60_000,
    "zil_itx_indirect_count": 0, "zil_itx_indirect_bytes": 0, "zil_itx_copied_count": 0, "zil_itx_copied_bytes": 0,
    "zil_itx_needcopy_count": 60_000, "zil_itx_needcopy_bytes": 240_000_000,
    "zil_itx_metaslab_normal_count": 0, "zil_itx_metaslab_normal_bytes": 0,
    "zil_itx_metaslab_slog_count": 30_000, "zil_itx_metaslab_slog_bytes": 250_000_000,
}  # fmt: skip
SINCE_2_2 = {"zil_itx_metaslab_normal_write": 0, "zil_itx_metaslab_slog_write": 360_000_000}
SINCE_2_3 = {"zil_commit_error_count": 0, "zil_commit_stall_count": 0, "zil_commit_suspend_count": 0}
DMU_TX = {
    "dmu_tx_assigned": 90_000,
    "dmu_tx_dirty_delay": 0,
    "dmu_tx_dirty_over_max": 0,
    "dmu_tx_wrlog_delay": 0,
}
QUEUES = """\
              capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait    asyncq_wait  scrub   trim  rebuild   syncq_read    syncq_write   asyncq_read  asyncq_write   scrubq_read   trimq_write  rebuildq_write
pool        alloc   free   read  write   read  write   read  write   read  write   read  write   read  write   wait   wait   wait   pend  activ   pend  activ   pend  activ   pend  activ   pend  activ   pend  activ   pend  activ
----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
"""  # noqa: E501 - as it prints it


@dataclass(kw_only=True)
class Machine:
    """A busy, healthy machine; a test changes what it is about. Counters are what they grow by."""

    system: str = "Linux"
    version: str = "2.4.4"
    pool: str = "tank"
    pools: int = 1
    seconds: int = 30
    start: int = 1_000_000  # of each counter
    stats: dict = field(default_factory=dict)
    dmu_tx: dict = field(default_factory=dict)
    logs: str = "mirror-1 ONLINE\n  /dev/nvme0n1p1 ONLINE\n  /dev/nvme1n1p1 ONLINE"
    disks: tuple = ("nvme0n1", "nvme1n1")
    writes: int = 30_000  # of each disk
    write_ms: int = 600
    flushes: int | None = 30_000  # None: not counted
    flush_ms: int = 300
    sectors: int = 30_000 * 16
    queued: int = 0  # samples of 20
    used: int = 1 << 30
    free: int = 15 << 30
    parameters: dict = field(default_factory=dict)
    datasets: tuple = ("tank", "tank/vm")
    properties: tuple = ()
    drive: dict = field(default_factory=dict)
    drives: dict = field(default_factory=dict)  # by disk, instead of `drive`
    write_cache: str = "write back"
    vwc: str = "0x1"
    more: str = ""  # of each disk's section
    left_out: tuple = ()

    @property
    def branch(self):
        return tuple(map(int, self.version.split(".")))

    @property
    def counters(self):
        newer = (SINCE_2_2 if self.branch >= (2, 2) else {}) | (SINCE_2_3 if self.branch >= (2, 3) else {})
        return STATS | newer | self.stats

    def section(self, name, argument, *parts):
        head = f"=== {name} {argument}".rstrip()
        return "" if name in self.left_out else "\n".join([head, *filter(None, parts)]) + "\n"

    def text(self):
        return "".join(
            [
                self.section("pool", self.pool),
                self.section("pools", self.pools),
                self.section("version", self.system, f"zfs-{self.version}-1", f"zfs-kmod-{self.version}-1"),
                self.section("status", "", self.status()),
                self.section("parameters", "", *self.parameter_lines()),
                self.section("properties", "", *self.property_lines()),
                *(self.section("disk", disk, self.disk(at, disk)) for at, disk in enumerate(self.disks)),
                self.section("before", 1_764_481_426, *self.snapshot(0)),
                self.section("queues", "", self.queues()),
                self.section("gstat", "", self.gstat()) if self.system == "FreeBSD" else "",
                self.section("after", 1_764_481_426 + self.seconds, *self.snapshot(1)),
                self.section("end", ""),
            ]
        )

    def status(self):
        rows = [f"\t    {line.rstrip()}     0     0     0" for line in self.logs.splitlines()]
        return "\n".join(
            [
                f"  pool: {self.pool}\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM",
                f"\t{self.pool}  ONLINE  0  0  0\n\t  raidz2-0  ONLINE  0  0  0\n\t    /dev/sda1  ONLINE  0  0  0",
                *(["\tlogs", *(f"\t  {row[5:]}" for row in rows)] if rows else []),
                "\nerrors: No known data errors",
            ]
        )

    def parameter_lines(self):
        usual = {
            "zfs_nocacheflush": 0,
            "zil_nocacheflush": 0,
            "zfs_txg_timeout": 5,
            "zfs_wrlog_data_max": 8 << 30,
        }
        for name, value in (usual | self.parameters).items():
            if value is not None and self.system == "FreeBSD":
                kind, _, rest = name.partition("_")
                rest = rest.replace("txg_", "txg.")
                yield f"vfs.zfs.{'zil.' if kind == 'zil' else ''}{rest}: {value}"
            elif value is not None:
                yield f"/sys/module/zfs/parameters/{name}:{value}"

    def property_lines(self):
        yield "NAME  PROPERTY  VALUE  SOURCE"
        yield from (f"{name}  type  filesystem  -" for name in self.datasets)
        yield from (f"{name}  {key}  {value}  local" for name, key, value in self.properties)

    def disk(self, at, disk):
        stated = {
            "model": "ALDERA S1-480",
            "wear": 12 + 20 * at,
            "spare": 100,
            "warning": "0x00",
            "serial": at,
        }
        stated |= self.drive | self.drives.get(disk, {})
        node = disk.removesuffix("n1").replace("nvd", "nvme")
        queue = f"/sys/block/{disk}/queue/write_cache:{self.write_cache}\n" if self.system == "Linux" else ""
        vwc = f"/dev/{node}:\nvwc       : {self.vwc}\n" if self.vwc else ""
        smart = f"# smartctl -x /dev/{node}\n{SMART.format(**stated)}\n" if stated["model"] else ""
        return queue + smart + vwc + self.more

    def snapshot(self, times):
        dmu_tx = {
            name: self.start + times * count
            for name, count in (DMU_TX | self.dmu_tx).items()
            if count is not None
        }
        zil = {name: self.start + times * count for name, count in self.counters.items() if count is not None}
        of_dataset = [f"{self.pool}/vm", *self.datasets[2:3]][:1]
        if self.system == "FreeBSD":
            yield from (f"kstat.zfs.misc.zil.{name}: {count}" for name, count in zil.items())
            yield from (f"kstat.zfs.misc.dmu_tx.{name}: {count}" for name, count in dmu_tx.items())
            objset = f"kstat.zfs.{self.pool}.dataset.objset-0x36"
            if self.branch >= (2, 2):
                yield from (f"{objset}.{name}: {count}" for name, count in zil.items())
                yield f"{objset}.dataset_name: {of_dataset[0]}"
            return
        kstat = "{:31} {:<4} {}".format
        yield "17 1 0x01 21 5712 9573829 88123456789\nname                            type data"
        yield from (kstat(name, 4, count) for name, count in zil.items())
        yield "5 1 0x01 13 3536 9573829 88123456789\nname                            type data"
        yield from (kstat(name, 4, count) for name, count in dmu_tx.items())
        for disk in self.disks:
            done = [self.writes, 0, self.sectors, self.write_ms, 0, 900, 900, 0, 0, 0, 0]
            done += [] if self.flushes is None else [self.flushes, self.flush_ms]
            figures = [self.start] * 4 + [self.start + times * count for count in done]
            yield f"/sys/block/{disk}/stat:" + " ".join(f"{figure:8}" for figure in figures)
        if self.branch >= (2, 2):
            yield kstat("dataset_name", 7, of_dataset[0])
            yield from (kstat(name, 4, count) for name, count in zil.items())

    def queues(self):
        cells = "  -" * 8 + "  -" * 3
        rows = QUEUES
        for sample in range(20):
            pending = 3 if sample < self.queued else 0
            queue = f"0 0 {pending} 1" + " 0 0" * 5
            row = f"{self.used} {self.free} 0 900 0 4000000{cells} {queue}"
            rows += f"{self.pool}  {row}\n  raidz2-0  {row}\nlogs  {'  -' * 31}\n  mirror-1  {row}\n"
            rows += "----------  " + "  ".join(["-----"] * 31) + "\n"
        return rows

    def gstat(self):
        writes, flushes = (count / self.seconds for count in (self.writes, self.flushes))
        write_ms, flush_ms = self.write_ms / self.writes, self.flush_ms / self.flushes
        row = f"    0   {writes + flushes:.0f}      0      0    0.000   {writes:.0f}"
        kib = self.sectors / 2 / self.seconds
        row += f"   {kib:.0f}    {write_ms:.3f}   {flushes:.0f}    {flush_ms:.3f}    9.1| "
        head = "L(q)  ops/s    r/s   kBps   ms/r    w/s   kBps   ms/w    o/s   ms/o   %busy Name"
        return "\n".join(["dT: 10.001s  w: 10.000s", f" {head}", *(row + disk for disk in self.disks)])
