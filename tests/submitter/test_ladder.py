"""The submitter and the page that puts commands together measure the same."""

import os
import subprocess

import pytest

from results.kinds.commands.disks import commands_for
from results.kinds.free_disk import System, if_free
from tests.submitter.machines import Machine, lsblk_row


@pytest.mark.parametrize("sector_size", [512, 4096])
def test_fio_is_asked_for_the_same_but_for_the_form_of_its_answer(linux_machine: Machine, sector_size: int):
    """The page's command goes into a file and takes JSON; the submitter's is to be read by a person."""
    machine = linux_machine.prints("lsblk", lsblk_row(LOG_SEC=str(sector_size)))
    machine.run("--yes-destroy", "/dev/sdz", "--server", "http://127.0.0.1:9")
    machine.tool("blockdev", f"echo {sector_size}")
    command = commands_for(System.LINUX, "sdz").single.measure
    environment = {"PATH": f"{machine.bin}:{os.environ['PATH']}"}
    subprocess.run([*machine.shell, "-c", command], cwd=machine.temporary, env=environment, check=True)
    script, page = (line.split() for line in machine.calls.splitlines() if line.startswith("fio "))
    formats = {"--output-format=normal", "--output-format=json"}
    assert [word for word in script if word not in formats] == [word for word in page if word not in formats]
    assert {*script, *page} > formats


def test_diskinfo_is_asked_for_the_same(freebsd_machine: Machine):
    freebsd_machine.run("--yes-destroy", "/dev/da9", "--server", "http://127.0.0.1:9")
    command = next(line for line in freebsd_machine.calls.splitlines() if line.startswith("diskinfo "))
    assert commands_for(System.FREEBSD, "da9").single.measure == if_free(
        System.FREEBSD, "da9", f"{command} | tee slog-da9.txt"
    )
