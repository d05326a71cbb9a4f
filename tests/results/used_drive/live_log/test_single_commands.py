"""Commands that somebody ran one by one instead of our block: what each states, and which command states the rest."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.base.readings import Notice
from parsers.live_log.read import read_live_log
from results.advice.lights import LogDrive, check_log
from tests.live_logs import Machine
from tests.results.used_drive.live_log.test_lights import (
    AMBER,
    BSD,
    COPY,
    DRIVE,
    GREEN,
    INDIRECT,
    RED,
    UNKNOWN,
    WRITE,
    judge,
)

COMMAND = "root@nas:~# zpool list\n"
LISTED = """\
NAME    SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT
tank   10.9T  1.20T  9.70T        -         -     1%    11%  1.00x    ONLINE  -
"""
LIST = COMMAND + LISTED
SECOND = "usb     928G   412G   516G        -         -     7%    44%  1.00x    ONLINE  -\n"
PLAIN = """\
                              capacity     operations     bandwidth
pool                        alloc   free   read  write   read  write
--------------------------  -----  -----  -----  -----  -----  -----
tank                        1.20T  9.70T     12    900   110K  4.10M
  raidz2-0                  1.20T  9.70T     12      4   110K   100K
logs                            -      -      -      -      -      -
  nvme0n1p1                  {used}   {free}      0    896      0  4.00M
--------------------------  -----  -----  -----  -----  -----  -----
"""
OFF = [("tank/vm", "sync", "disabled")]


def twice(**machine):
    """The counters, with the time before each."""
    made = Machine(**machine)
    parts = ("\n".join([str(1_764_481_426 + at * made.seconds), *made.snapshot(at)]) for at in (0, 1))
    return "\n".join(parts) + "\n"


def status(**machine):
    return Machine(**machine).status() + "\n"


def once(**machine):
    return "\n".join(Machine(**machine).snapshot(0)) + "\n"


def smart(**machine):
    return "root@nas:~# smartctl -x /dev/nvme0n1\n" + Machine(**machine).disk(0, "nvme0n1") + "\n"


def properties(**machine):
    return "\n".join(Machine(**machine).property_lines()) + "\n"


def parameters(**machine):
    return "\n".join(Machine(**machine).parameter_lines()) + "\n"


def busy(name, count):
    """Rows of gstat for saturated disks or partitions that aren't the log's."""
    row = Machine(**BSD).gstat().splitlines()[-1].replace("0.020", "25.000").replace("0.010", "30.000")
    return "".join(f"{row.rpartition(' ')[0]} {name}{at}\n" for at in range(count))


ONE = {"logs": "/dev/nvme0n1p1 ONLINE"}
CASES = [
    # What was pasted, what the drives are, and all lights that are stated
    (status(), {}, {"redundant": GREEN}),
    (status(**ONE), {}, {"redundant": AMBER}),
    (status(logs=""), {}, {"used": RED}),
    (status(logs="/dev/nvme0n1p1 FAULTED"), {}, {"used": RED, "redundant": RED}),
    (status(logs="mirror-1 ONLINE"), {}, {}),
    (status(pool="rpool", logs="") + status(), {}, {"redundant": GREEN}),
    (status(pool="rpool", logs="") + status(logs=""), {}, {"used": RED}),
    (once(), {}, {}),
    (once(system="FreeBSD"), {}, {}),
    (once() + once(), {}, {}),
    (twice(), {}, {"throttled": GREEN}),
    (twice(system="FreeBSD"), {}, {"throttled": GREEN}),
    (twice(dmu_tx={"dmu_tx_dirty_delay": 9}), {}, {"throttled": AMBER}),
    (twice(dmu_tx={"dmu_tx_wrlog_delay": 9}), {}, {"throttled": GREEN, "stalls": AMBER}),
    (twice(seconds=2), {}, {}),
    (twice(stats={"zil_commit_count": -5}), {}, {}),
    (twice() + LIST, {}, {"asked": GREEN, "throttled": GREEN, "stalls": GREEN}),
    (LIST + twice(stats={"zil_commit_count": 3}), {}, {"asked": AMBER, "throttled": GREEN, "stalls": GREEN}),
    (twice() + LIST + SECOND, {}, {"throttled": GREEN}),
    # `zpool list tank` prints one of several
    (twice() + LISTED, {}, {"throttled": GREEN}),
    (twice() + COMMAND.replace("list", "list tank") + LISTED, {}, {"throttled": GREEN}),
    (twice() + "zpool list -v\n" + LISTED, {}, {"asked": GREEN, "throttled": GREEN, "stalls": GREEN}),
    (twice(version="2.2.7") + LIST, {}, {"asked": GREEN, "throttled": GREEN}),
    (
        status() + twice() + LIST,
        {},
        dict.fromkeys(("asked", "used", "data", "stalls", "throttled", "redundant"), GREEN),
    ),
    (
        status() + twice(stats={COPY: 0, INDIRECT: 10**9}) + LIST,
        {},
        dict.fromkeys(("asked", "used", "stalls", "throttled", "redundant"), GREEN) | {"data": RED},
    ),
    (
        status() + twice(stats={WRITE: 0}) + status(pool="usb", logs="") + LISTED,
        {},
        {"throttled": GREEN, "redundant": GREEN},
    ),
    (status(pool="other") + twice(version="2.1.15") + LISTED, {}, {"throttled": GREEN, "redundant": GREEN}),
    (Machine().queues(), {}, {}),
    (Machine(queued=9).queues(), {}, {"saturated": RED}),
    (PLAIN.format(used="1.10G", free="14.4G"), {}, {}),
    (status(**ONE) + PLAIN.format(used="15.2G", free=" 300M"), {}, {"redundant": AMBER, "size": RED}),
    (status(**ONE) + PLAIN.format(used="1.10G", free="14.4G"), {}, {"redundant": AMBER}),
    (properties(), {}, {}),
    (properties(properties=OFF), {}, {"settings": AMBER}),
    (properties(properties=[("tank/vm", "type", "volume"), *OFF]), {}, {"settings": RED}),
    (parameters(), {}, {}),
    (parameters(parameters={"zfs_nocacheflush": 1}), {}, {"flushed": RED}),
    (parameters(system="FreeBSD", parameters={"zil_nocacheflush": 1}), {}, {"flushed": RED}),
    ("Linux\nzfs-2.4.3-1\nzfs-kmod-2.4.3-1\n", {}, {"version": GREEN}),
    ("FreeBSD\nzfs-kmod-v2.1.15\n", {}, {"version": AMBER}),
    ("zfs-2.4.3-1\nzfs-kmod-2.4.3-1\n", {}, {}),
    (Machine(**BSD).gstat() + "\n", {}, {}),
    (status(**BSD) + busy("da", 9) + Machine(**BSD).gstat() + busy("nvd0p", 1) + "\n", {}, {"redundant": GREEN}),
    (smart(), {}, {}),
    (smart(), {"used_percent": 104}, {"worn": RED}),
    (smart(), {"is_failing": True}, {"worn": RED}),
    (smart(), {"works": False}, {"safe": RED}),
    (status(**ONE) + smart(), {}, {"redundant": AMBER}),
    (status(**ONE) + smart(), {"used_percent": 85}, {"redundant": AMBER, "worn": AMBER}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "drive", "stated"), CASES)
def test_the_output_of_a_command_states_its_lights(text, drive, stated):
    check = judge(text, **drive)
    found = {light.key: light.color for light in check.lights if light.color != UNKNOWN}
    assert found == stated, {light.key: light.text for light in check.lights}


def test_times_are_those_of_the_disks_of_the_log():
    log = Machine(**BSD)
    check = judge(status(**BSD) + log.gstat() + "\n" + busy("da", 9) + busy("nvd0p", 2))
    assert (check.write_us, check.flush_us) == (20, 10)
    assert judge(log.gstat() + "\n").write_us is None


def test_drives_are_those_of_the_log_where_its_disks_are_named():
    def on(disk):
        return re.sub("nvme0(n1)?", disk, smart())

    others = "".join(on(f"sd{letter}") for letter in "abcdefghi")
    for text, disks in (
        (status() + others + on("nvme0n1"), ["nvme0n1"]),
        (status(**BSD) + others + on("nvme0"), ["nvme0"]),  # as smartctl calls nvd0
        (on("sda"), ["sda"]),
    ):
        assert list(read_live_log(text).drives) == disks


def test_a_light_that_is_not_stated_has_the_command_that_states_it():
    check = judge(status())
    commands = {light.key: light.command for light in check.lights if light.color == UNKNOWN}
    assert {key for key, command in commands.items() if not command} == {"speed", "flushed"}
    assert "cat /proc/spl/kstat/zfs/zil" in commands["asked"]
    assert commands["size"] == "zpool iostat -v tank"
    for_bsd = judge("FreeBSD\nzfs-kmod-v2.1.15\n")
    assert next(light.command for light in for_bsd.lights if light.key == "asked").startswith(
        "date +%s; sysctl kstat.zfs.misc.zil"
    )


def test_all_commands_together_state_what_they_can():
    """Never the state of all drives: nothing shows where the output of smartctl ends."""
    text = (
        status()
        + Machine().queues()
        + twice()
        + "Linux\nzfs-kmod-2.4.3-1\n"
        + LIST
        + parameters()
        + properties()
    )
    check = judge(text + smart())
    colors = {light.key: light.color for light in check.lights}
    green = {
        "asked",
        "used",
        "data",
        "saturated",
        "stalls",
        "throttled",
        "size",
        "redundant",
        "flushed",
        "version",
    }
    assert {key for key, color in colors.items() if color == GREEN} == green
    assert set(colors.values()) == {GREEN, UNKNOWN}
    assert (check.commits_s, check.log_bytes_s, check.share) == (2000, 12_000_000, 1)


@settings(max_examples=300, deadline=None)
@given(case=st.sampled_from(CASES), ends=st.tuples(st.integers(0, 8000), st.integers(0, 8000)))
def test_cutting_it_turns_no_light_green(case, ends):
    text, drive, stated = case
    part = read_live_log(text[min(ends) : max(ends)])
    if isinstance(part, Notice):
        return
    check = check_log(part, [LogDrive(disk=disk, **{**DRIVE, **drive}) for disk in part.drives])
    green = {light.key for light in check.lights if light.color == GREEN}
    assert green <= {key for key, color in stated.items() if color == GREEN}


@pytest.mark.parametrize(
    "text",
    [
        *(status(logs=logs).partition("errors:")[0] for logs in ("", Machine().logs)),
        *(LIST, smart().partition("\n")[2], "tank  ONLINE\n", "1764481426\n1764481456\n"),
    ],
)
def test_what_states_nothing_is_refused(text):
    reading = read_live_log(text)
    assert isinstance(reading, Notice) or {light.color for light in check_log(reading, ()).lights} == {
        UNKNOWN
    }
