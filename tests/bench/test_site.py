"""Data sets are made once each, with the servers of docker-compose.yml, and processes and answers are looked at."""

import os
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from bench import site
from bench.bars import BenchmarkError
from bench.site import command_line, descendants, manage, memory_mib


def test_postgresql_has_the_memory_of_docker_compose():
    compose = (Path(site.__file__).parents[1] / "docker-compose.yml").read_text()
    assert f"-cshared_buffers={site.POSTGRES_SETTINGS['shared_buffers']}" in compose


def test_a_failed_command_is_an_error_with_its_output():
    with pytest.raises(BenchmarkError, match=r"(?s)manage.py no_such_command failed: .*Unknown command"):
        manage(os.environ, "no_such_command")


def test_the_memory_of_a_child_process_is_read():
    code = "held = bytearray(b'x') * (40 << 20); print('held', flush=True); input()"
    with Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE) as hog:
        assert hog.stdout.readline() == b"held\n"
        (found,) = [one for one in descendants(os.getpid()) if one.name == str(hog.pid)]
        assert "held = bytearray" in command_line(found)
        assert memory_mib(found, "Pss") >= memory_mib(found, "Pss_Anon") > 40
        hog.stdin.close()
    assert os.getpid() not in {int(each.name) for each in descendants(os.getpid())}
