"""A disk without a free byte: pages are served, no program ends, and what was accepted is there afterwards."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError

import psutil
import pytest
import redis

from tests.collected import put_static_files
from tests.faults.counting import KEPT, PAGES, fetch, new_paste, wait_until_placed
from tests.plugins.site import PATIENCE_S, Run, settings_of

SIZE = "320m"  # of which a new site takes a quarter
NOT_ASKED_BEFORE = ("/guide/", "/products/?q=intel", "/compare/", "/submit/", "/api/v1/products/")
BLOCK = b"\0" * 65536


@pytest.fixture(scope="module")
def checkout(bare_checkout: Path) -> Iterator[Path]:
    """A copy of what is served, whose var/ is a small file system in memory."""
    var = bare_checkout / "var"
    var.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "slogdb", str(var)]
    mounted = subprocess.run(mounting, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"only root can mount a small file system: {mounted.stderr.strip()}")
    try:
        put_static_files(var / "static")
        yield bare_checkout
    finally:
        subprocess.run(["umount", "--lazy", str(var)], check=True)  # noqa: S607


def fill(disk: Path) -> Path:
    """Take all the space that is left."""
    filling = disk / "filling"
    with filling.open("ab", buffering=0) as file:
        for size in (len(BLOCK), 1):
            with suppress(OSError):
                while file.write(BLOCK[:size]) == size:
                    pass
    return filling


def is_refused(site: Run, accepted: list[str]) -> bool:
    """Whether a paste is answered with a 503 that says why; else it was accepted."""
    try:
        accepted.append(site.submit(new_paste())["id"])
    except HTTPError as refused:
        with refused as answer:
            assert answer.code == HTTPStatus.SERVICE_UNAVAILABLE
            assert answer.headers["Retry-After"]
            problem = json.load(answer)
        assert problem["code"] == "disk_full", problem
        assert "disk is full" in problem["detail"]
        return True
    return False


def is_queue_refusing(checkout: Path) -> bool:
    """Whether Valkey takes no tasks, as it can't store them."""
    with redis.Redis.from_url(settings_of(checkout)["REDIS_URL"]) as queue:
        try:
            queue.set("full", 1)
        except redis.ResponseError:
            return True
    return False


def manage(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as an operator does while the site runs, with nothing but its settings."""
    command = [sys.executable, "manage.py", *arguments]
    environment = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )


def programs(site: Run) -> set[psutil.Process]:
    """Those that bin/serve runs, and the web server's processes."""
    children = psutil.Process(site.process.pid).children()
    return {*children, *site.program("granian").children()}


def test_pages_are_served_while_the_disk_is_full_and_all_resumes_when_it_isn_t(site, checkout):
    accepted = [site.submit(new_paste())["id"]]
    site.wait_until(lambda: b'"worker": "ok"' in site.get("/healthz"))
    running = programs(site)
    disk = checkout / "var"

    def is_all_refused() -> bool:
        """PostgreSQL and Valkey may still have had, or gained, a little space."""
        fill(disk)
        return is_refused(site, accepted) and is_queue_refusing(checkout)

    site.wait_until(is_all_refused)
    for path in (*PAGES, *NOT_ASKED_BEFORE, "/healthz", "/metrics"):
        assert site.get(path), path
    site.wait_until(lambda: fill(disk) and b'"worker": "not seen"' in site.get("/healthz"))
    assert is_refused(site, accepted)
    for command in ("backup", "rank"):
        refused = manage(checkout, command)
        assert refused.returncode == 1, command
        assert "A disk is full: free some space" in refused.stderr, refused.stderr
        assert "Traceback" not in refused.stderr

    (disk / "filling").unlink()
    site.wait_until(lambda: not is_refused(site, accepted))
    site.wait_until(lambda: b'"worker": "ok", "scheduler": "ok"' in site.get("/healthz"))
    assert programs(site) == running
    assert " ended (" not in site.output
    wait_until_placed(site, checkout)
    assert fetch(checkout, KEPT, accepted) == len(accepted) > 1


def test_a_start_on_a_full_disk_is_refused_and_loses_nothing(site, checkout):
    accepted = site.submit(new_paste())["id"]
    site.stop()
    disk = checkout / "var"
    keys = (disk / "keys.env").read_text()
    fill(disk)
    refused = Run(checkout)
    assert refused.process.wait(PATIENCE_S) == 1
    assert "bin/serve: the disk is full. Free some space and start again; nothing is lost" in refused.output
    (disk / "filling").unlink()
    again = Run(checkout).wait_until_up()
    try:
        assert again.get(f"/results/{accepted}/")
        assert (disk / "keys.env").read_text() == keys
    finally:
        again.stop()
