import json
import shutil
import subprocess
from decimal import Decimal

import pytest

from parsers.fio.options import read_command_line
from parsers.fio.slog import LADDER_BYTES
from parsers.paste import parse_paste
from results.kinds.commands.disks import commands_for
from results.kinds.free_disk import System, check_of
from results.kinds.registry import find_runs
from tests import pastes

SHELLS = [name for name in ("dash", "bash", "busybox", "zsh") if shutil.which(name)]


def words_of(command, *, sector_size, tmp_path):
    """The arguments that a shell passes to fio, with a fake blockdev, for a disk that is free."""
    free = {"lsblk": 'echo "${3#/dev/}"', "wipefs": ""}
    tools = free | {"blockdev": f"echo {sector_size}", "fio": 'printf "%s\\n" "$@"'}
    for name, body in tools.items():
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{body}\n")
        tool.chmod(0o755)
    shell = [SHELLS[0], "sh"] if SHELLS[0] == "busybox" else [SHELLS[0]]
    run = subprocess.run(
        [*shell, "-c", command.partition(" > ")[0]],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    return run.stdout.split()


@pytest.mark.parametrize(("sector_size", "first"), [(512, 512), (4096, 4096)])
def test_ladder_has_a_job_for_every_writable_size(tmp_path, sector_size, first):
    words = words_of(
        commands_for(System.LINUX, "sdb").single.measure, sector_size=sector_size, tmp_path=tmp_path
    )
    sizes = [int(word.removeprefix("--bs=")) for word in words if word.startswith("--bs=")]
    assert sizes == [size for size in LADDER_BYTES if size >= first]


def fio_output(words):
    """The JSON of a run with these arguments: 50 µs for a write and its flush."""
    command = read_command_line(f"fio {' '.join(words)}")
    jobs = [
        {
            "jobname": name,
            "groupid": group,
            "error": 0,
            "job options": options,
            "write": {
                "iops": 20_000.0,
                "bw_bytes": 20_000 * int((command.shared | options)["bs"]),
                "total_ios": 20_000,
                "lat_ns": {"mean": 20_000.0},
            },
        }
        for group, (name, options) in enumerate(command.jobs.items())
    ]
    shared = {name: value for name, value in command.shared.items() if name != "name"}
    return json.dumps({"fio version": "fio-3.33", "global options": shared, "jobs": jobs}, indent=1)


def test_ladder_is_read_as_one_ranked_curve(tmp_path):
    commands = commands_for(System.LINUX, "da24")  # the disk of the smartctl sample
    output = fio_output(words_of(commands.single.measure, sector_size=512, tmp_path=tmp_path))
    paste = parse_paste(f"{output}\n{pastes.smartctl()}", unit_key=b"key")
    (run,) = find_runs(paste).runs
    assert [warning.code for warning in paste.warnings] == []
    assert (run.is_complete, run.is_ranked, set(run.curve)) == (True, True, {Decimal(50)})


def test_the_command_for_several_writers_is_read_as_a_ladder(tmp_path):
    found = commands_for(System.LINUX, "da24").several_writers
    output = fio_output(words_of(found.measure, sector_size=512, tmp_path=tmp_path))
    paste = parse_paste(f"{output}\n{pastes.smartctl()}", unit_key=b"key")
    assert [warning.code for warning in paste.warnings] == []
    assert {run.writers or 1: float(run.curve[3]) for run in find_runs(paste).runs} == {
        writers: writers * 50 for writers in (1, 2, 4, 8, 16)
    }
    assert found.describe.endswith(f"tee -a {found.saved_as}")
    assert found.saved_as != commands_for(System.LINUX, "da24").single.saved_as
    assert commands_for(System.FREEBSD, "da24").several_writers is None


@pytest.mark.parametrize(
    ("disk", "controller"), [("nvd3", "nvme3"), ("nda0", "nvme0"), ("da24", "da24"), ("pmem0", "pmem0")]
)
def test_smartctl_uses_the_controller_on_freebsd(disk, controller):
    assert f"smartctl -x /dev/{controller} " in commands_for(System.FREEBSD, disk).single.describe


@pytest.mark.parametrize("system", list(System))
def test_looking_at_the_disk_writes_nothing(system):
    disk, show = {
        System.FREEBSD: ("da0", "diskinfo -v /dev/da0"),
        System.LINUX: ("sdb", "lsblk -d -o NAME,MODEL,SIZE /dev/sdb"),
    }[system]
    look, check = commands_for(system, disk).checks
    assert (look.command, check.command) == (show, f"{check_of(system, disk)} && echo {disk} is unused")
