"""The lights of a live log: each in each color, on both systems, and never green on less than its rule names."""

import math
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.base.readings import Notice
from parsers.live_log.read import read_live_log
from results.advice.lights import Color, LogDrive, check_log, rules
from results.advice.protection import PROTECTIONS
from results.used_drive.live_log.check import COMMANDS
from tests.live_logs import Machine

GREEN, AMBER, RED, UNKNOWN = Color.GREEN, Color.AMBER, Color.RED, Color.NOT_STATED
DRIVE = {
    "name": "ALDERA S1",
    "protection": PROTECTIONS["yes"],
    "latency_us": 25,
    "used_percent": 12,
    "bytes_left": 10**16,
    "has_volatile_cache": True,
    "kernel_write_cache": "write back",
}
ONE = {"logs": "/dev/nvme0n1p1 ONLINE", "disks": ("nvme0n1",)}
BSD = {
    "system": "FreeBSD",
    "logs": "mirror-1 ONLINE\n  /dev/nvd0p1 ONLINE\n  /dev/nvd1p1 ONLINE",
    "disks": ("nvd0", "nvd1"),
}
WRITE, NORMAL = "zil_itx_metaslab_slog_write", "zil_itx_metaslab_normal_write"
INDIRECT, COPY = "zil_itx_indirect_bytes", "zil_itx_needcopy_bytes"
UNSAFE, UNKNOWN_PLP, NO_PLP = (PROTECTIONS[name] for name in ("unsafe", "unknown", "no"))
IDLE = {"stats": {"zil_commit_count": 3}}
OFF = [(name, "sync", "disabled") for name in ("tank", "tank/vm")]
DEGRADED = "mirror-1 DEGRADED\n  /dev/nvme0n1p1 ONLINE\n  /dev/nvme1n1p1 UNAVAIL"
BIASED = [("tank/vm", "logbias", "throughput")]
LEFT = {"nvme0n1": 10**16, "nvme1n1": None}
MANY = tuple(f"tank/v{number}" for number in range(9000))
LAST_OFF = [(MANY[-1], "type", "volume"), (MANY[-1], "sync", "disabled")]
ALWAYS = [("tank", "sync", "always"), ("tank", "recordsize", "1M")]
CASES = [
    # light, color, the machine, its drives, and what the light says
    ("asked", GREEN, {}, {}, "2,000 commits a second"),
    ("asked", GREEN, BSD, {}, "2,000"),
    ("asked", AMBER, IDLE, {}, "0.10 commits"),
    ("asked", RED, {**IDLE, "properties": OFF}, {}, "sync=disabled"),
    ("asked", UNKNOWN, {"left_out": ("after",)}, {}, "once or not at all"),
    ("asked", UNKNOWN, {"seconds": 2}, {}, "fewer than ten seconds"),
    ("asked", UNKNOWN, {"stats": {"zil_commit_count": -5}}, {}, "ran backwards"),
    ("asked", UNKNOWN, {"version": "2.1.15", "pools": 2}, {}, "of all pools"),
    ("asked", GREEN, {"version": "2.2.7", "pools": 2}, {}, "2,000"),
    ("used", GREEN, {}, {}, "100 %"),
    ("used", GREEN, {"version": "2.1.15"}, {}, "100 %"),
    ("used", GREEN, {**BSD, "version": "2.2.7"}, {}, "100 %"),
    ("used", AMBER, {"stats": {NORMAL: 360_000_000}}, {}, "50 %"),
    ("used", RED, {"stats": {WRITE: 10**6, NORMAL: 10**9}}, {}, "0.1 %"),
    ("used", RED, {"logs": ""}, {}, "no log device"),
    ("used", RED, {**ONE, "logs": "/dev/nvme0n1p1 FAULTED"}, {}, "FAULTED"),
    ("used", AMBER, {"logs": "/dev/nvme0n1p1 ONLINE\n/dev/nvme1n1p1 REMOVED"}, {}, "100 %"),
    ("used", UNKNOWN, {"version": "2.1.15", "pools": 2}, {}, "of all pools"),
    ("used", UNKNOWN, {"left_out": ("status",)}, {}, "zpool status"),
    ("used", UNKNOWN, {"stats": {"zil_commit_count": 0, WRITE: 0}}, {}, "nothing was logged"),
    ("data", GREEN, {}, {}, "0 %"),
    ("data", AMBER, {"stats": {INDIRECT: 60_000_000}}, {}, "20 %"),
    ("data", RED, {"stats": {INDIRECT: 2_160_000_000}}, {}, "90 %"),
    ("data", UNKNOWN, {"stats": {COPY: 0}}, {}, "no data"),
    ("data", UNKNOWN, {"logs": ""}, {}, "without a SLOG"),
    ("data", UNKNOWN, {"stats": {INDIRECT: None}}, {}, ""),
    ("saturated", GREEN, {}, {}, "0.03"),
    ("saturated", GREEN, BSD, {}, "0.03"),
    ("saturated", AMBER, {"write_ms": 18_000}, {}, "0.61"),
    ("saturated", RED, {"write_ms": 29_000}, {}, "0.98"),
    ("saturated", RED, {"flush_ms": 60_000, "seconds": 30}, {}, "2.02"),
    ("saturated", RED, {"queued": 4}, {}, "20 % of the samples"),
    ("saturated", GREEN, {"queued": 3}, {}, "0.03"),
    ("saturated", UNKNOWN, {"flushes": None}, {}, "doesn’t count flushes"),
    ("saturated", UNKNOWN, {"left_out": ("queues",)}, {}, "too few samples"),
    ("saturated", UNKNOWN, {"disks": ("nvme0n1",)}, {}, "can’t tell"),
    ("saturated", UNKNOWN, {**BSD, "left_out": ("gstat",)}, {}, "counters are missing"),
    ("speed", GREEN, {}, {}, "30.0 µs; on this site, the ALDERA S1 takes 25.0 µs"),
    ("speed", GREEN, BSD, {}, "30.0 µs"),
    ("speed", AMBER, {}, {"latency_us": 12}, "12.0 µs"),
    ("speed", RED, {}, {"latency_us": 9}, "9.00 µs"),
    ("speed", UNKNOWN, {}, {"latency_us": None}, "nobody has measured"),
    ("speed", UNKNOWN, {"sectors": 30_000 * 256}, {}, "average 128 KiB"),
    ("speed", UNKNOWN, {"writes": 20, "flushes": 20}, {}, "too few writes"),
    ("speed", UNKNOWN, {"write_ms": 29_000}, {}, "wait for each other"),
    ("speed", UNKNOWN, {"left_out": ("disk",)}, {}, "smartctl output"),
    ("stalls", GREEN, {}, {}, "never"),
    ("stalls", GREEN, {"version": "2.2.7"}, {}, "never"),
    ("stalls", AMBER, {"dmu_tx": {"dmu_tx_wrlog_delay": 7}}, {}, "7 times"),
    ("stalls", AMBER, {"stats": {"zil_commit_stall_count": 2}}, {}, "2 times"),
    ("stalls", RED, {"stats": {"zil_commit_error_count": 1}}, {}, "1 commit couldn"),
    ("stalls", UNKNOWN, {"version": "2.1.2", "dmu_tx": {"dmu_tx_wrlog_delay": None}}, {}, "doesn’t count"),
    ("throttled", GREEN, BSD, {}, "No write"),
    ("throttled", AMBER, {"dmu_tx": {"dmu_tx_dirty_delay": 9}}, {}, "9 writes"),
    ("throttled", RED, {"dmu_tx": {"dmu_tx_dirty_over_max": 1}}, {}, "1 write had"),
    ("throttled", UNKNOWN, {"dmu_tx": {"dmu_tx_dirty_delay": None}}, {}, "dmu_tx"),
    ("size", GREEN, {}, {}, "6.25 %"),
    ("size", GREEN, {"free": 400 << 30}, {}, "More than it ever needs"),
    ("size", AMBER, {"used": 10 << 30, "free": 6 << 30}, {}, "62.5 %"),
    ("size", AMBER, {"stats": {WRITE: 300 * 10**9}, "used": 1 << 30, "free": 3 << 30}, {}, "could need 17.2 GB"),
    ("size", RED, {"used": 15 << 30, "free": 1 << 30}, {}, "93.8 %"),
    ("size", UNKNOWN, {"parameters": {"zfs_txg_timeout": None}}, {}, "zfs_txg_timeout"),
    ("size", UNKNOWN, {"left_out": ("queues",)}, {}, "zpool iostat"),
    ("redundant", GREEN, {}, {}, "A mirror"),
    ("redundant", AMBER, ONE, {}, "One device"),
    ("redundant", AMBER, {"logs": "/dev/nvme0n1p1 ONLINE\n/dev/nvme1n1p1 ONLINE"}, {}, "share the load"),
    ("redundant", RED, {"logs": DEGRADED}, {}, "DEGRADED"),
    ("redundant", UNKNOWN, {"logs": ""}, {}, "no log device"),
    ("redundant", UNKNOWN, {"logs": "mirror-1 ONLINE"}, {}, "doesn’t list"),
    ("redundant", UNKNOWN, {"logs": "mirror-1 ONLINE\n  /dev/nvme0n1p1 ONLINE"}, {}, "doesn’t list"),
    ("worn", GREEN, {}, {}, "12 % of its rated life is used, with 26 years"),
    ("worn", AMBER, {}, {"used_percent": 80}, "80 %"),
    ("worn", AMBER, {}, {"bytes_left": 10**14}, "3 months left"),
    ("worn", AMBER, {}, {"used_percent": 61}, "wear out together"),
    ("worn", RED, {}, {"used_percent": 104}, "104 %"),
    ("worn", RED, {}, {"is_failing": True}, "failing"),
    ("worn", UNKNOWN, {}, {"used_percent": None}, "how worn"),
    ("worn", UNKNOWN, {"left_out": ("before",)}, {}, "12 % of its rated life is used, but the counters"),
    ("worn", UNKNOWN, {}, {"bytes_left": None}, "12 % of its rated life is used, but how much the ALDERA"),
    ("safe", GREEN, {}, {}, "according to sources"),
    ("safe", GREEN, {}, {"protection": UNKNOWN_PLP, "works": True}, "reports that its capacitors work"),
    ("safe", AMBER, {}, {"protection": NO_PLP}, "not protected"),
    ("safe", AMBER, {}, {"protection": UNKNOWN_PLP, "has_volatile_cache": False}, "no volatile cache"),
    ("safe", RED, {}, {"works": False}, "protection failed"),
    ("safe", RED, {}, {"protection": UNSAFE, "works": True}, "unsafe"),
    ("safe", UNKNOWN, {}, {"protection": UNKNOWN_PLP}, "no source"),
    ("flushed", GREEN, {}, {}, "2,000 flushes"),
    ("flushed", GREEN, {**BSD, "version": "2.3.4"}, {}, "2,000 flushes"),
    ("flushed", GREEN, {"flushes": 0, "flush_ms": 0}, {}, "isn’t volatile"),
    ("flushed", AMBER, {"parameters": {"zil_nocacheflush": 1}}, {}, "zil_nocacheflush is set"),
    ("flushed", RED, {"parameters": {"zfs_nocacheflush": 1}}, {}, "zfs_nocacheflush is set"),
    ("flushed", RED, {}, {"protection": NO_PLP, "kernel_write_cache": "write through"}, "sends no flush"),
    ("flushed", UNKNOWN, {"flushes": 0}, {"protection": NO_PLP}, "no flush to nvme0n1"),
    ("flushed", UNKNOWN, {"left_out": ("parameters",)}, {}, "missing"),
    ("settings", GREEN, {}, {}, "2 datasets"),
    ("settings", AMBER, {"properties": [("tank/vm", "sync", "disabled")]}, {}, "1 of 2"),
    ("settings", AMBER, {"properties": [("tank", "logbias", "throughput")]}, {}, "logbias"),
    ("settings", AMBER, {"properties": ALWAYS}, {}, "sync=always"),
    ("settings", RED, {"properties": [("tank/vm", "type", "volume"), ("tank/vm", "sync", "disabled")]}, {}, "guest"),
    ("settings", RED, {"datasets": MANY, "properties": LAST_OFF}, {}, "1 of 9,000"),
    ("settings", AMBER, {"datasets": ("my", "my vm"), "properties": [("my vm", "sync", "disabled")]}, {}, "1 of 2"),
    ("settings", UNKNOWN, {"left_out": ("properties",)}, {}, "zfs get"),
    ("version", GREEN, {"version": "2.4.3"}, {}, "none that we know of"),
    ("version", GREEN, {**BSD, "version": "2.3.8"}, {}, "2.3.8"),
    ("version", AMBER, {"version": "2.3.8"}, {}, "O_DIRECT"),
    ("version", AMBER, {"version": "2.4.1"}, {}, "removing"),
    ("version", AMBER, {"version": "2.1.15"}, {}, "priority"),
    ("version", AMBER, {**BSD, "version": "2.2.0"}, {}, "priority"),
    ("version", UNKNOWN, {"left_out": ("version",)}, {}, "zfs version"),
]  # fmt: skip


def judge(text, **drive):
    log = read_live_log(text)
    if isinstance(log, Notice):
        return None
    return check_log(log, [LogDrive(disk=disk, **{**DRIVE, **drive}) for disk in log.drives])


def light(check, key):
    return next(each for each in check.lights if each.key == key)


@pytest.mark.parametrize(("key", "color", "machine", "drive", "words"), CASES)
def test_a_light_shows_what_the_counters_and_the_drives_say(key, color, machine, drive, words):
    found = light(judge(Machine(**machine).text(), **drive), key)
    assert (found.color, words in found.text) == (color, True), found
    assert bool(found.step) == (color != GREEN)


@pytest.mark.parametrize(
    ("thread", "machine", "expected"),
    [
        # A log that is never written: nothing asks for sync writes
        (12330, {"stats": {"zil_commit_count": 0, WRITE: 0, COPY: 0}}, {"asked": AMBER, "used": UNKNOWN}),
        # Sync writes that go straight to the disks: logbias=throughput
        (
            16990,
            {"version": "2.2.2", "stats": {COPY: 0, INDIRECT: 10**9}, "properties": BIASED},
            {"data": RED, "settings": AMBER, "used": GREEN},
        ),
        # A small log on a RAM disk fills up while the pool's disks are busy
        (
            11912,
            {**ONE, "used": 875 << 20, "free": 85 << 20, "dmu_tx": {"dmu_tx_dirty_delay": 4000}},
            {"size": RED, "throttled": AMBER, "saturated": GREEN},
        ),
        # The pool's transaction groups take long, whatever the log does
        (15824, {"dmu_tx": {"dmu_tx_dirty_over_max": 12}}, {"throttled": RED, "saturated": GREEN}),
        # A log device that fails, which a release without the fix can't remove
        (
            18894,
            {**ONE, "version": "2.4.1", "logs": "/dev/nvme0n1p1 FAULTED", "stats": {WRITE: 0, NORMAL: 10**9}},
            {"used": RED, "redundant": RED, "version": AMBER},
        ),
    ],
)
def test_what_people_ask_in_threads_of_openzfs_is_answered(thread, machine, expected):
    """By their numbers on https://github.com/openzfs/zfs; names and figures are made up."""
    check = judge(Machine(**machine).text())
    assert {key: check.color(key) for key in expected} == expected, thread


@pytest.mark.parametrize(
    "logs", ["mirror-1 ONLINE", "mirror-1 ONLINE\n  /dev/nvme0n1p1 ONLINE", "/dev/nvme2n1p1 ONLINE"]
)
def test_nothing_about_the_disks_is_green_if_the_log_may_have_others(logs):
    """People delete the lines with serial numbers."""
    check = judge(Machine(logs=logs).text())
    of_disks = [check.color(key) for key in ("saturated", "speed", "worn", "safe", "flushed")]
    assert of_disks == [UNKNOWN] * 5
    assert check.years is None


def test_one_of_two_drives_with_an_unknown_life_leaves_the_years_open():
    known, unknown = (LogDrive(disk=disk, **DRIVE | {"bytes_left": left}) for disk, left in LEFT.items())
    check = check_log(read_live_log(Machine().text()), [known, unknown])
    assert (check.years, check.color("worn")) == (None, UNKNOWN)


def test_each_light_is_tried_in_each_of_its_colors():
    """Of a release, nothing that is known makes the light red."""
    tried = {(key, color) for key, color, *_ in CASES}
    assert {(key, color) for key in rules() for color in Color} - tried == {("version", RED)}


@settings(max_examples=300, deadline=None)
@given(case=st.sampled_from(CASES), ends=st.tuples(st.integers(0, 40_000), st.integers(0, 40_000)))
def test_cutting_a_text_turns_no_light_green(case, ends):
    _, _, machine, drive, _ = case
    text = Machine(**machine).text()
    whole, part = judge(text, **drive), judge(text[min(ends) : max(ends)], **drive)
    if part is not None:
        green = {each.key for each in part.lights if each.color == GREEN}
        assert green <= {each.key for each in whole.lights if each.color == GREEN}


def test_a_machine_that_can_state_nothing_has_no_green_light():
    """The commands run on this machine, with nothing to read; other systems print no more."""
    script = COMMANDS.split("\n", 1)[1].rsplit("END", 1)[0]
    path = {"PATH": "/usr/bin:/bin"}
    ran = subprocess.run(["/bin/sh"], input=script, capture_output=True, text=True, check=False, env=path)
    for text in (ran.stdout, ran.stdout.replace("=== version Linux", "=== version SunOS")):
        check = judge(text)
        assert {each.color for each in check.lights} == {UNKNOWN}
        assert check.summary == "Not enough data to judge it."


@pytest.mark.parametrize("pool", ["tank", "my tank"])
def test_the_commands_print_what_is_read(tmp_path, pool):
    """With tools that print what they would on a machine of several pools and many disks."""
    datasets = (pool, f"{pool}/vm")
    machine = Machine(system="FreeBSD", disks=("nvme0n1", "nvme1n1"), pools=2, pool=pool, datasets=datasets)
    before, after = ("\n".join(machine.snapshot(times)) for times in (0, 1))
    files = {
        "status": machine.status(),
        "queues": machine.queues(),
        "properties": "\n".join(machine.property_lines()),
        "smart": machine.disk(0, "nvme0n1"),
        "counters0": before,
        "counters1": after,
        "parameters": "\n".join(machine.parameter_lines()),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    stubs = {
        "zpool": f"case $1$2 in list*) printf 'rpool\\n{pool}\\nusb\\n';; statusrpool|statususb) ;; s*) cat status;;"
        " *) cat queues; esac",
        "zfs": "case $1 in version) echo zfs-kmod-2.4.4-1;; *) cat properties; esac",
        "lsblk": "v=${3#/dev/}; echo ${v%p1}",
        "smartctl": "cat smart",
        "nvme": "echo",
        "date": "n=$(cat n || echo 0); echo $((n + 1)) > n; echo $((1764481426 + 30 * n))",
        "sysctl": "case $1 in kstat.zfs.misc*) cat counters$(($(cat n) - 1));; vfs*) cat parameters; esac",
    }
    for name, script in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["/bin/sh"], input=COMMANDS, text=True, check=True, env=path, cwd=tmp_path)
    log = read_live_log((tmp_path / "slog-check.txt").read_text())
    assert (log.pool, log.pool_count, log.version, log.window_s) == (pool, 3, "2.4.4", 30)
    assert [vdev.type for vdev in log.logs] == ["mirror"]
    assert (log.samples, log.used_bytes, len(log.datasets)) == (20, 1 << 30, 2)
    assert (log.zil["zil_commit_count"], log.is_of_pool) == (60_000, True)
    assert set(log.drives) == {"nvme0n1", "nvme1n1"}
    assert log.parameters["zfs_txg_timeout"] == 5
    assert "/dev/sda" not in (tmp_path / "slog-check.txt").read_text().partition("=== queues")[2]


def test_a_data_path_round_the_log_is_named_with_the_dataset_and_the_command():
    stats = {INDIRECT: 2_160_000_000}
    around = light(judge(Machine(stats=stats).text()), "data")
    assert (around.command, "O_DIRECT" in around.step) == ("zfs set direct=disabled tank/vm", True)
    biased = Machine(stats=stats, properties=[("tank/vm", "logbias", "throughput")])
    assert light(judge(biased.text()), "data").command == "zfs set logbias=latency tank/vm"
    assert "logbias" in light(judge(Machine(stats=stats, version="2.1.15").text()), "data").command


def test_a_check_is_summed_up_in_a_sentence():
    assert judge(Machine().text()).summary == "Used, not saturated, safe, 26 years left."
    stats = {INDIRECT: 2_160_000_000}
    odd = judge(Machine(stats=stats, queued=20, parameters={"zil_nocacheflush": 1}).text(), protection=NO_PLP)
    assert odd.summary == (
        "Used, saturated, not always safe, 26 years left; most data bypasses it and flushes aren’t sent to it."
    )


def test_names_that_somebody_chose_are_masked():
    datasets = ("tank", "tank/secret-client", "tank/vm")
    machine = Machine(datasets=datasets, properties=[("tank/secret-client", "sync", "disabled")])
    found = light(judge(machine.text()), "settings")
    assert (found.command, "secret" in repr(found)) == ("zfs inherit sync tank/[pool-1]", False)
    assert read_live_log(Machine(pool="AcmeCorp", datasets=("AcmeCorp",)).text()).pool == "[pool-1]"


def of_84_disks(text):
    rows = (f"\t    /dev/sd{chr(97 + at // 26)}{chr(97 + at % 26)}1  ONLINE  0  0  0\n" for at in range(84))
    return re.sub(r"\t    /dev/sda1.*\n", "".join(rows), text)


def test_a_fast_link_and_a_pool_of_84_disks_are_read():
    fast = judge(Machine(stats={WRITE: 10 * 10**9 * 30}).text())
    assert (fast.log_bytes_s, fast.color("used")) == (10**10, GREEN)
    assert judge(of_84_disks(Machine().text())).summary == "Used, not saturated, safe, 26 years left."


CURVE = {4096: 15.0, 8192: 20.0, 16384: 30.0, 32768: 50.0}
AT_20_KIB = 30 * (50 / 30) ** (math.log(20 / 16) / math.log(2))


@pytest.mark.parametrize(
    ("machine", "curves", "size", "log_us"),
    [
        # 20 µs for a write and 10 for its flush were counted
        ({}, [CURVE, CURVE], 4096, 30),
        ({}, [{}, {}], 4096, 30),
        ({"flushes": None}, [CURVE, CURVE], 4096, 20),
        ({}, [CURVE, CURVE], 16384, 30 + AT_20_KIB - 20),
        ({}, [CURVE, {size: 2 * us for size, us in CURVE.items()}], 16384, 30 + 2 * (AT_20_KIB - 20)),
        ({}, [CURVE, {}], 16384, None),
        ({}, [CURVE, CURVE], 65536, None),
        ({}, [], 16384, None),
        ({"left_out": ("before",)}, [CURVE, CURVE], 4096, 20),
        ({"left_out": ("before",)}, [CURVE, CURVE], 16384, AT_20_KIB),
        ({"left_out": ("before",)}, [CURVE, {}], 4096, None),
        ({"left_out": ("before",)}, [], 4096, None),
    ],
)
def test_a_write_takes_what_was_counted_and_what_its_model_takes_longer(machine, curves, size, log_us):
    drives = [LogDrive(disk=f"nvme{at}n1", **DRIVE, curve=curve) for at, curve in enumerate(curves)]
    found = check_log(read_live_log(Machine(**machine).text()), drives).log_us(size)
    assert found == (None if log_us is None else pytest.approx(log_us))
