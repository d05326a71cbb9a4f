"""What the memory of a site at rest is made of."""

import os
import sys
from subprocess import PIPE, Popen, run

import pytest

from bench import idle
from bench.bars import BenchmarkError

ALL = {"web": 200.0, "worker and scheduler": 150.0, "PostgreSQL": 100.0, "Valkey": 10.0, "bin/serve": 30.0}


def test_memory_is_summed_over_all_roles():
    *parts, total = idle.rows(ALL)
    assert [row.measured for row in parts] == list(ALL.values())
    assert (total.measured, total.limit, total.passes) == (490.0, 500.0, True)


def test_more_than_500_mb_misses_the_bar():
    assert not idle.rows({**ALL, "web": 211.0})[-1].passes


@pytest.mark.parametrize("role", ["web", "worker and scheduler", "PostgreSQL", "Valkey"])
def test_a_role_without_a_process_is_an_error(role):
    with pytest.raises(BenchmarkError, match=role):
        idle.rows({**ALL, role: 0.0})


def test_a_process_is_counted_by_its_role(monkeypatch):
    monkeypatch.setattr(idle, "ROLES", {"hog": "held = bytearray"})
    code = "held = bytearray(b'x') * (40 << 20); print('held', flush=True); input()"
    with Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE) as hog:
        assert hog.stdout.readline() == b"held\n"
        found = idle.pss_by_role(os.getpid())
        hog.stdin.close()
    assert found["hog"] > 40
    assert found["bin/serve"] > 0


@pytest.mark.parametrize("name", idle.TELEMETRY_PACKAGES)
def test_telemetry_packages_appear_uninstalled(tmp_path, name):
    idle.hide_telemetry(tmp_path / "hidden")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "hidden")}
    done = run([sys.executable, "-c", f"import {name}"], env=environment, capture_output=True, text=True)
    assert f"ModuleNotFoundError: {name} is hidden" in done.stderr
