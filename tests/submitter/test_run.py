"""The way from a free disk to a published result."""

import os
import signal
import subprocess
import time
from pathlib import Path

from parsers.base.readings import FioReading
from tests.parsers.samples import parse
from tests.patience import PATIENCE_S
from tests.submitter.machines import (
    CAPACITY,
    MODEL,
    SCRIPT,
    SERIAL,
    Machine,
    geom_disk,
    geoms,
    in_turn,
    lsblk_row,
)
from tests.submitter.servers import Server

SIZES = [512 << slot for slot in range(15)]


def test_it_measures_after_its_name_was_typed_and_sends_after_a_yes(machine: Machine, server: Server):
    outcome = machine.run(
        machine.disk, "--server", server.url, types=f"{machine.disk.removeprefix('/dev/')}\ny\n"
    )
    assert outcome.status == 0, outcome
    assert server.text == outcome.sent_text
    assert "Result: https://slogs.example/results/abc/\n" in outcome.out
    assert "Claim token: clm-1234 " in outcome.out
    for shown in (MODEL, "400.1 GB", SERIAL, "DESTROYED"):
        assert shown in outcome.err
    assert list(machine.temporary.iterdir()) == []


def test_what_it_sends_is_read_as_one_run_with_every_point(machine: Machine, server: Server):
    outcome = machine.run("--yes-destroy", machine.disk, "--server", server.url)
    assert outcome.status == 0
    paste = parse(server.text)
    (device,) = paste.devices
    assert (device.model_name, device.capacity, device.firmware_version) == (MODEL, CAPACITY, "1.02")
    if machine.system == "FreeBSD":
        reading = paste.readings[device.diskinfo]
        assert [point.block_size for point in reading.points] == SIZES
    else:
        reading = paste.readings[device.fio]
        assert [job.block_size for job in reading.jobs] == SIZES
        assert "method fio" in outcome.err
    assert device.smartctl is not None
    assert paste.warnings == ()


@in_turn("sector_size,first", [(512, 512), (4096, 4096)])
def test_the_ladder_begins_at_the_sector_size(
    linux_machine: Machine, server: Server, sector_size: int, first: int
):
    linux_machine.prints("lsblk", lsblk_row(LOG_SEC=str(sector_size)))
    assert linux_machine.run("--yes-destroy", "/dev/sdz", "--server", server.url).status == 0
    (reading,) = [other for other in parse(server.text).readings if isinstance(other, FioReading)]
    assert [job.block_size for job in reading.jobs] == [size for size in SIZES if size >= first]


@in_turn("typed", ["\n", "sdy\n", "yes\n", "SDZ\n", "/dev/sd\n"])
def test_anything_but_the_name_stops_it(linux_machine: Machine, server: Server, typed: str):
    outcome = linux_machine.run("/dev/sdz", "--server", server.url, types=typed)
    assert (outcome.status, linux_machine.wrote_to_a_disk, server.requests) == (4, False, [])


def test_without_a_terminal_and_a_word_it_does_nothing(machine: Machine, server: Server):
    outcome = machine.run(machine.disk, "--server", server.url)
    assert (outcome.status, machine.wrote_to_a_disk, server.requests) == (4, False, [])


def test_without_a_yes_it_sends_nothing(machine: Machine, server: Server):
    outcome = machine.run(machine.disk, "--server", server.url, types=f"{machine.disk}\nno\n")
    assert (outcome.status, server.requests) == (4, [])


def test_a_dry_run_writes_nothing_and_sends_nothing(machine: Machine, server: Server):
    outcome = machine.run("--dry-run", "--yes-destroy", machine.disk, "--server", server.url)
    assert (outcome.status, machine.wrote_to_a_disk, server.requests) == (0, False, [])
    assert (
        "diskinfo -wS" if machine.system == "FreeBSD" else "--filename=/dev/sdz --rw=randwrite"
    ) in outcome.err
    assert MODEL in outcome.sent_text
    assert SERIAL not in outcome.sent_text
    assert list(machine.temporary.iterdir()) == []


def test_a_run_that_fails_sends_nothing(linux_machine: Machine, server: Server):
    linux_machine.tool("fio", "echo 'fio: io_u error on file /dev/sdz: Input/output error'; exit 1")
    outcome = linux_machine.run("--yes-destroy", "/dev/sdz", "--server", server.url)
    assert (outcome.status, server.requests) == (3, [])
    assert "Input/output error" in outcome.err


def test_linux_does_not_erase_a_disk_that_it_could_not_name(linux_machine: Machine, server: Server):
    linux_machine.prints("smartctl", "smartctl 7.4\n/dev/sdz: Unable to detect device type\n")
    outcome = linux_machine.run("--yes-destroy", "/dev/sdz", "--server", server.url)
    assert (outcome.status, linux_machine.wrote_to_a_disk) == (3, False)
    assert "Unable to detect" in outcome.err


def test_freebsd_goes_without_smartctl(freebsd_machine: Machine, server: Server):
    freebsd_machine.prints("smartctl", "smartctl 7.4\nUnable to detect device type\n")
    outcome = freebsd_machine.run("--yes-destroy", "/dev/da9", "--server", server.url)
    assert outcome.status == 0
    assert "smartctl can't read" in outcome.err
    assert "Unable" not in server.text


@in_turn("serial,is_described", [(SERIAL, True), ("ANOTHER1", False)], "freebsd_machine")
def test_an_nvme_disk_of_freebsd_is_described_by_its_controller(
    freebsd_machine: Machine, server: Server, serial: str, is_described: bool
):
    """smartctl knows some by the controller only; another disk's serial number there is not its."""
    machine = with_disk(freebsd_machine, "nvd3")
    answers = machine.folder / "answers"
    (answers / "controller").write_text(f"Model Number:    {MODEL}\nSerial Number:   {serial}\n")
    machine.tool(
        "smartctl",
        f'case $2 in /dev/nvme3) cat "{answers}/controller" ;; *) echo "no device"; exit 1 ;; esac',
    )
    assert machine.run("--yes-destroy", "/dev/nvd3", "--server", server.url).status == 0
    assert ("# smartctl -x /dev/nvme3" in server.text) is is_described
    assert "ANOTHER1" not in server.text


def test_what_linux_says_about_the_caches_of_an_nvme_disk_is_sent(linux_machine: Machine):
    linux_machine.prints("lsblk", lsblk_row(NAME="/dev/nvme0n1")).kinds({"/dev/nvme0n1": "b"})
    assert "vwc" not in linux_machine.run("--dry-run", "/dev/nvme0n1").sent_text  # without nvme-cli
    feature = "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001"
    linux_machine.tool(
        "nvme", f"case $1 in id-ctrl) echo 'sn : {SERIAL}'; echo 'vwc : 0x1' ;; *) echo '{feature}' ;; esac"
    )
    outcome = linux_machine.run("--dry-run", "/dev/nvme0n1")
    assert outcome.status == 0
    assert f"vwc : 0x1\n{feature}\n" in outcome.sent_text
    assert not linux_machine.wrote_to_a_disk


def test_what_freebsd_says_about_the_cache_of_an_ata_disk_is_sent(freebsd_machine: Machine):
    machine = with_disk(freebsd_machine, "ada3")
    machine.prints("camcontrol", f"serial number {SERIAL}\nwrite cache                    yes\tno\n")
    outcome = machine.run("--dry-run", "/dev/ada3")
    assert "write cache                    yes\tno\n" in outcome.sent_text
    assert not machine.wrote_to_a_disk


def with_disk(machine: Machine, name: str) -> Machine:
    """A machine of FreeBSD whose only disk is called so."""
    geoms(machine, f"0 DISK {name} 1 512\n", disks=name)
    return machine.kinds({f"/dev/{name}": "c"}).prints(f"geom-{name}", geom_disk(name))


def test_only_root_may(linux_machine: Machine):
    linux_machine.tool("id", "case $1 in -u) echo 1000 ;; *) echo jo ;; esac")
    outcome = linux_machine.run("--yes-destroy", "/dev/sdz", "--server", "http://127.0.0.1:9")
    assert (outcome.status, linux_machine.wrote_to_a_disk) == (3, False)
    assert "as root" in outcome.err


def test_no_other_system_is_measured(linux_machine: Machine):
    linux_machine.tool("uname", "echo SunOS")
    assert linux_machine.run("--yes-destroy", "/dev/sdz", "--server", "http://127.0.0.1:9").status == 3


@in_turn(
    "arguments",
    [
        ["--nonsense"],
        ["--server"],
        ["--server", "ftp://x"],
        ["--server", "https://x y"],
        ["--server", 'https://x"y'],
        ["/dev/sdz"],
        ["--server", "http://127.0.0.1:9", "/dev/sdz", "/dev/sdy"],
        ["--server", "http://127.0.0.1:9", "--yes-destroy", "/dev/sdz", "/dev/sdy"],
        ["--server", "http://127.0.0.1:9", "--no-run"],
        ["--server", "http://127.0.0.1:9", "--no-run", "/nowhere"],
        ["--server", "http://127.0.0.1:9", "--preview", "/dev/sdz"],
        ["--server", "http://127.0.0.1:9", "--yes-destroy", "/dev/sdz", "--no-run", "x"],
        ["--server", "http://127.0.0.1:9", "--key-file", "/nowhere", "/dev/sdz"],
    ],
)
def test_wrong_usage_is_status_2(linux_machine: Machine, arguments: list[str]):
    outcome = linux_machine.run(*arguments)
    assert (outcome.status, linux_machine.wrote_to_a_disk) == (2, False), outcome
    assert outcome.err.startswith("slogdb-submit: ")


def test_it_tells_its_usage_and_its_version(linux_machine: Machine):
    assert "--yes-destroy /dev/X" in linux_machine.run("--help").out
    assert linux_machine.run("--version").out.startswith("slogdb-submit 1.")


@in_turn("number,status", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_test_and_takes_the_traces_along(
    linux_machine: Machine, number: signal.Signals, status: int
):
    machine = linux_machine
    machine.tool("fio", f'echo $$ >"{machine.folder}/fio.pid"; exec /bin/sleep 600')
    process = subprocess.Popen(
        [*machine.shell, str(SCRIPT), "--yes-destroy", "/dev/sdz", "--server", "http://127.0.0.1:9"],
        env={"PATH": f"{machine.bin}:{os.environ['PATH']}", "TMPDIR": str(machine.temporary)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup's children would never hear of it
    )
    pid = machine.folder / "fio.pid"
    deadline = time.monotonic() + PATIENCE_S
    while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    assert process.wait(PATIENCE_S) == status
    assert list(machine.temporary.iterdir()) == []
    assert not Path(f"/proc/{pid.read_text().strip()}").exists()


def test_tails_are_measured_by_fio_for_a_minute_a_size(linux_machine: Machine, server: Server):
    machine = linux_machine
    machine.tool("fio", 'echo "fio-3.33"')
    machine.run("--test", "tails", "--yes-destroy", machine.disk, "--server", server.url)
    (command,) = (line for line in machine.calls.splitlines() if line.startswith("fio "))
    assert "--runtime=60" in command
    assert command.endswith("--name=bs4096 --bs=4096 --name=bs131072 --bs=131072")


def test_tails_are_not_measured_where_no_flush_reaches_the_disk(freebsd_machine: Machine, server: Server):
    freebsd_machine.tool("fio", 'echo "fio-3.33"')
    outcome = freebsd_machine.run("--test", "tails", "--yes-destroy", "/dev/da9", "--server", server.url)
    assert (outcome.status, freebsd_machine.wrote_to_a_disk, server.requests) == (2, False, [])
    assert "flush of a disk doesn't reach the disk" in outcome.err


def test_an_hour_is_sent_with_its_logs(linux_machine: Machine, server: Server):
    rows = "".join(f"{1000 * at}, 500, 1, 0, 0\\n" for at in range(1, 61))
    linux_machine.tool("fio", f'echo "fio-3.33"; printf "{rows}" >hour_iops.1.log')
    linux_machine.run("--test", "hours", "--yes-destroy", linux_machine.disk, "--server", server.url)
    (command,) = (line for line in linux_machine.calls.splitlines() if line.startswith("fio "))
    assert "--runtime=3600" in command
    assert command.endswith("--name=first --name=second --startdelay=7200")
    text = server.text
    assert "==> hour_iops.1.log <==\n1000, 500, 1, 0, 0\n2000, 500" in text
    assert str(linux_machine.temporary) not in text


def test_an_unknown_test_is_refused(machine: Machine):
    outcome = machine.run("--test", "slow", machine.disk, "--server", "http://127.0.0.1:9")
    assert (outcome.status, "--test is quick, sync, tails, hour or hours, not slow" in outcome.err) == (
        2,
        True,
    )
