"""Real fio on a real disk as far as there is one, the system's real tools, and the site itself.

A loop device where this machine lets us have one; a plain file in the place of a disk where it does not, behind fakes
that put the file's name in the place of the disk's.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.core.management import call_command

from tests.submitter.machines import Machine, freebsd, linux, lsblk_row

SIZE_BYTES = 256 * 1024 * 1024
REAL = ("ls", "swapon", "findmnt", "wipefs", "blkid", "fio", "lsblk")


def real(tool: str) -> str:
    return shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or tool


def new_folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image"
    with path.open("wb") as file:
        file.truncate(SIZE_BYTES)
    return path


@pytest.fixture
def loop(image: Path) -> Iterator[str]:
    """A loop device, empty where there can be none."""
    command = [real("losetup"), "--find", "--show", str(image)]
    done = subprocess.run(command, capture_output=True, text=True) if os.geteuid() == 0 else None
    name = done.stdout.strip() if done and done.returncode == 0 else ""
    yield name
    if name:
        subprocess.run([real("losetup"), "--detach", name], check=True)


@pytest.fixture
def machine(tmp_path: Path, image: Path, loop: str) -> Machine:
    """Real tools; smartctl is made up, as neither a loop device nor a file has any."""
    machine = linux(new_folder(tmp_path, "machine"), "dash")
    if loop:
        for tool in REAL:
            (machine.bin / tool).unlink()
        machine.disk = loop
        row = lsblk_row(NAME=loop, SIZE=str(SIZE_BYTES)).strip()
        machine.tool(
            "lsblk", f'{real("lsblk")} "$@" | sed \'s#^NAME="{loop}" .*LOG#{row.partition("LOG")[0]}LOG#\''
        )
        return machine
    for tool in ("blkid", "wipefs"):
        machine.tool(tool, f'for last; do :; done; {real(tool)} $(echo "$*" | sed "s#/dev/sdz#{image}#")')
    words = f"s#/dev/sdz#{image}#; s#--direct=1#--direct=0 --size={SIZE_BYTES}#"
    return machine.tool("fio", f'exec {real("fio")} $(echo "$*" | sed "{words}")')


@pytest.fixture
def probing(machine: Machine, loop: str, image: Path) -> Machine:
    """The machine with a real Python, which is given less time."""
    words = '"$@"' if loop else f'$(echo "$*" | sed "s#/dev/sdz#{image}#")'
    program = f"{sys.executable} {words} --seconds 0.1 0.1 0.05"
    return machine.tool("python3", f"case $1 in -c) exit 0 ;; esac; exec {program}")


@pytest.mark.parametrize("tool", ["mkswap", "mkfs.ext4"])
def test_real_signatures_are_seen(machine: Machine, image: Path, tool: str):
    subprocess.run(
        [real(tool), machine.disk if "loop" in machine.disk else str(image)], check=True, capture_output=True
    )
    before = image.read_bytes()
    outcome = machine.run("--yes-destroy", machine.disk, "--server", "http://127.0.0.1:9")
    assert outcome.status == 1, outcome
    assert "it holds data" in outcome.err
    assert image.read_bytes() == before


def test_a_disk_that_something_holds_for_itself_is_seen(machine: Machine, loop: str):
    """Without a loop device the same is said by the fake: a plain file can't be held so."""
    if loop:
        held = os.open(loop, os.O_RDWR | os.O_EXCL)
    else:
        machine.tool("wipefs", "echo 'wipefs: error: /dev/sdz: Device or resource busy' >&2; exit 1")
    try:
        outcome = machine.run("--yes-destroy", machine.disk, "--server", "http://127.0.0.1:9")
    finally:
        if loop:
            os.close(held)
    assert outcome.status == 1, outcome
    assert "it is in use" in outcome.err


def test_looking_changes_nothing(machine: Machine, image: Path):
    before = image.read_bytes()
    outcome = machine.run("--dry-run", machine.disk)
    assert outcome.status == 0, outcome
    assert image.read_bytes() == before


def published(site: str, out: str) -> dict[str, object]:
    """The one result of a submission that was just made."""
    public_id = re.search(r"^Result: \S+/results/([^/\s]+)/$", out, re.MULTILINE)
    assert public_id, out
    return json.loads(fetched(f"{site}/api/v1/results/{public_id[1]}/"))


def fetched(url: str) -> bytes:
    with urlopen(url, timeout=60) as answer:  # noqa: S310 - our own address
        return answer.read()


@pytest.fixture
def site(transactional_db, live_server, settings, tmp_path: Path, monkeypatch) -> str:
    """Its address; what runs is the script that it gives out."""
    settings.SITE_URL = live_server.url
    call_command("load_catalogue", verbosity=0)
    script = tmp_path / "slogdb-submit"
    script.write_bytes(fetched(f"{live_server.url}/slogdb-submit"))
    monkeypatch.setattr(Machine, "script", script)
    return live_server.url


def test_from_the_sites_own_script_to_a_place_in_its_ranking(site: str, machine: Machine, tmp_path: Path):
    outcome = machine.run("--yes-destroy", machine.disk, "--server", site)
    assert outcome.status == 0, outcome
    result = published(site, outcome.out)
    # what stands in for the disk is a file
    assert (result["method"], result["is_complete"]) == ("fio_file", True)
    assert len([row for row in result["file_sync"]["rows"] if row["latency_us"]]) == 15

    for build in (linux, freebsd):
        made_up = build(new_folder(tmp_path, build.__name__), "busybox")
        outcome = made_up.run("--yes-destroy", made_up.disk)
        assert outcome.status == 0, outcome
        result = published(site, outcome.out)
        assert result["is_ranked"], result["not_ranked_reason"]
        rank = r"^Rank: \d+( to \d+)? of \d+ in the class \w+$"
        assert re.search(rank, outcome.out, re.MULTILINE), outcome.out
        assert result["device"].startswith("intel-ssdsc2ba400g3")


def test_slogprobe_from_the_sites_own_script(site: str, probing: Machine, image: Path):
    outcome = probing.run("--test", "sync", "--yes-destroy", probing.disk, "--server", site)
    assert outcome.status == 0, outcome
    result = published(site, outcome.out)
    # what stands in for the disk is a file
    assert (result["method"], result["is_complete"], result["is_ranked"]) == ("slogprobe_file", True, False)
    sizes = [row["block_size"] for row in result["file_sync"]["rows"] if row["latency_us"]]
    assert sizes == [4096, 8192, 16384, 32768, 65536, 131072]
    assert any(image.read_bytes())  # it was written to
