"""--test sync and --file: slogprobe on a disk, behind the same gates, and on a file."""

import sys
from pathlib import Path

import pytest

from parsers.base.target import Target
from tests import pastes
from tests.parsers.samples import parse
from tests.submitter.machines import MODEL, Machine, lsblk_below
from tests.submitter.servers import Server

# Answers the question for its version, and prints what the program would
PYTHON = "case $1 in -c) exit 0 ;; esac; test -s slogprobe.py && cat"


@pytest.fixture
def probing(machine: Machine) -> Machine:
    """A machine whose Python runs slogprobe."""
    (machine.folder / "answers" / "probe").write_text(pastes.slogprobe(machine.disk))
    return machine.tool("python3", f'{PYTHON} "{machine.folder}/answers/probe"')


def test_it_overwrites_the_disk_and_sends_what_the_program_printed(probing: Machine, server: Server):
    outcome = probing.run("--test", "sync", "--yes-destroy", probing.disk, "--server", server.url)
    assert outcome.status == 0, outcome
    assert f"python3 slogprobe.py --overwrite {probing.disk}\n" in probing.calls
    paste = parse(server.text)
    (device,) = paste.devices
    assert (device.model_name, paste.warnings) == (MODEL, ())
    assert [row.block_size for row in paste.readings[device.slogprobe].rows] == [
        4096 << at for at in range(6)
    ]
    assert "method slogprobe" in outcome.err
    assert list(probing.temporary.iterdir()) == []


def test_nothing_is_overwritten_unless_its_name_is_typed(probing: Machine, server: Server):
    for typed in ("\n", "yes\n"):
        outcome = probing.run("--test", "sync", probing.disk, "--server", server.url, types=typed)
        assert (outcome.status, probing.wrote_to_a_disk, server.requests) == (4, False, [])


def test_a_disk_in_use_is_refused(linux_machine: Machine, server: Server):
    machine = linux_machine.tool("python3", "exit 0")
    machine.prints("lsblk", (machine.folder / "answers" / "lsblk").read_text() + lsblk_below("/dev/sdz1"))
    outcome = machine.run("--test", "sync", "--yes-destroy", "/dev/sdz", "--server", server.url)
    assert (outcome.status, machine.wrote_to_a_disk) == (1, False)
    assert "it is partitioned" in outcome.err


def test_a_dry_run_only_shows_the_command(probing: Machine):
    outcome = probing.run("--test", "sync", "--dry-run", probing.disk)
    assert (outcome.status, probing.wrote_to_a_disk) == (0, False)
    assert f"  python3 slogprobe.py --overwrite {probing.disk}\n" in outcome.err


@pytest.mark.parametrize(
    "fault", ["exit 1", "case $1 in -c) exit 0 ;; esac; echo 'slogprobe: cut short'; exit 1"]
)
def test_what_fails_says_so(machine: Machine, server: Server, fault: str):
    for name in ("python3", *(f"python3.{minor}" for minor in range(8, 15))):
        machine.tool(name, fault)
    outcome = machine.run("--test", "sync", "--yes-destroy", machine.disk, "--server", server.url)
    if fault == "exit 1":  # too old, so it measures with what there is
        assert outcome.status == 0, outcome
        assert "Python 3.8 or newer is missing, so this measures as --test quick does." in outcome.err
        assert "slogprobe.py" not in machine.calls
    else:
        assert (outcome.status, server.requests) == (3, [])
        assert "slogprobe: cut short" in outcome.err
        assert "slogprobe failed; nothing was sent" in outcome.err


@pytest.fixture
def on_disk(linux_machine: Machine) -> Machine:
    """A machine with Python's real self and a folder that lies on the disk."""
    linux_machine.tool(
        "python3", f'case $1 in -c) exit 0 ;; esac; exec {sys.executable} "$@" --seconds 0.02 0.02 0.02'
    )
    linux_machine.tool(
        "lsblk",
        f'case $1 in -nrsp) echo "/dev/sdz disk" ;; *) cat "{linux_machine.folder}/answers/lsblk" ;; esac',
    )
    return linux_machine


def test_a_file_is_made_measured_and_removed(on_disk: Machine, server: Server, tmp_path: Path):
    path = tmp_path / "probe"
    outcome = on_disk.run("--file", str(path), "--yes", "--server", server.url)
    assert outcome.status == 0, outcome
    assert not path.exists()
    paste = parse(server.text)
    (device,) = paste.devices
    reading = paste.readings[device.slogprobe]
    assert (reading.target, reading.complete, device.model_name) == (Target.FILE, True, MODEL)


def test_a_file_that_is_there_stays_as_it_is(on_disk: Machine, server: Server, tmp_path: Path):
    path = tmp_path / "letters"
    path.write_text("dear aunt")
    outcome = on_disk.run("--file", str(path), "--yes", "--server", server.url)
    assert (outcome.status, server.requests, path.read_text()) == (3, [], "dear aunt")
    assert "exists: name a new file" in outcome.err


def test_a_file_on_a_disk_that_nobody_names_is_measured_and_shown(
    on_disk: Machine, server: Server, tmp_path: Path
):
    on_disk.tool("lsblk", "exit 1")
    outcome = on_disk.run("--file", str(tmp_path / "probe"), "--yes", "--server", server.url)
    assert (outcome.status, server.requests) == (0, [])
    assert outcome.out.startswith("slogprobe 1\n")
    assert "can't be published" in outcome.err


def test_a_disk_and_a_file_are_too_much(machine: Machine, tmp_path: Path):
    outcome = machine.run("--file", str(tmp_path / "probe"), machine.disk, "--dry-run")
    assert outcome.status == 2
    assert machine.run("--file", "x", "--quick", "tank", "--dry-run").status == 2
