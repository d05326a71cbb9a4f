"""Data sets have the servers of docker-compose.yml and the proxy of deploy/, and memory is that of processes."""

import os
import sys
from pathlib import Path
from subprocess import PIPE, Popen

from bench import pages, site
from bench.site import command_line, descendants, memory_mib


def test_postgresql_has_the_memory_of_docker_compose():
    compose = (Path(site.__file__).parents[1] / "docker-compose.yml").read_text()
    assert f"-cshared_buffers={site.POSTGRES_SETTINGS['shared_buffers']}" in compose


def test_the_proxy_uses_the_deployed_configuration_without_tls(tmp_path):
    pages.proxy_nginx(1001, 1002, tmp_path, is_ready=bool, inside=1003, plain=1004)
    text = (tmp_path / "proxy.conf").read_text()
    for word in (
        "set $web http://127.0.0.1:1002;",
        "listen 127.0.0.1:1001 default_server;",
        "proxy_cache pages;",
    ):
        assert word in text
    assert not [trace for trace in ("ssl", "web:8000", "/dev/std") if trace in text]


def test_the_memory_of_a_child_process_is_read():
    code = "held = bytearray(b'x') * (40 << 20); print('held', flush=True); input()"
    with Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE) as hog:
        assert hog.stdout.readline() == b"held\n"
        (found,) = [descendant for descendant in descendants(os.getpid()) if descendant.name == str(hog.pid)]
        assert "held = bytearray" in command_line(found)
        assert memory_mib(found, "Pss") >= memory_mib(found, "Pss_Anon") > 40
        hog.stdin.close()
