"""Public pages from both caches: nginx's compared with a static file, the page cache with an empty Django view."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from bench.bars import Row
from bench.site import EMPTY, SITE, DataSet, answers, fetch, free_port, running
from bench.wrk import CONNECTIONS, Load, Target, measure_in_turns
from slogdb.local.process import Program

PAGE = "/leaderboard/"
CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx" / "nginx.conf"
WITHOUT_TLS = r"^\s*ssl_.*\n| ssl http2|^\s*listen \[::\].*\n"  # nor IPv6
UNLIMITED_KEEPALIVE = "keepalive_requests 1000000;"  # wrk opens its connections only once


def measure(data: DataSet, *, rounds: int, seconds: int) -> list[Row]:
    """Rates of the leaderboard with 50 rows and a chart, uncompressed, at 16 connections."""
    with ExitStack() as ending:
        site, empty = (ending.enter_context(data.serve(application)) for application in (SITE, EMPTY))
        body = fetch(f"http://127.0.0.1:{site}{PAGE}")
        (data.folder / "page.html").write_bytes(body)
        static, proxy = free_port(), free_port()
        ending.enter_context(running(static_nginx(static, data.folder, is_ready=answers(static))))
        ports = {"inside": free_port(), "plain": free_port()}
        ending.enter_context(running(proxy_nginx(proxy, site, data.folder, is_ready=answers(proxy), **ports)))
        targets = {
            "static file": Target(f"http://127.0.0.1:{static}/page.html"),
            "nginx": Target(f"http://127.0.0.1:{proxy}{PAGE}"),
            "page cache": Target(f"http://127.0.0.1:{site}{PAGE}"),
            "empty view": Target(f"http://127.0.0.1:{empty}/"),
        }
        for target in targets.values():
            fetch(target.url)
        loads = measure_in_turns(targets, connections=CONNECTIONS, rounds=rounds, seconds=seconds)
    return rows(loads, size=len(body))


def rows(loads: Mapping[str, Load], *, size: int) -> list[Row]:
    """Both caches relative to their floors, and the floors."""
    return [
        Row(f"nginx, static file of {size:,} bytes", loads["static file"].rate, "requests/s"),
        Row("empty Django view", loads["empty view"].rate, "requests/s"),
        Row(
            "page through nginx's cache, of nginx's static file",
            loads["nginx"].rate / loads["static file"].rate,
            limit=0.7,
            is_minimum=True,
        ),
        Row(
            "page from the page cache, of empty Django views",
            loads["page cache"].rate / loads["empty view"].rate,
            limit=3.0,
            is_minimum=True,
        ),
        Row("page from the page cache, p99 at 16 connections", loads["page cache"].p99_ms, "ms", limit=50.0),
    ]


def static_nginx(port: int, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    """An nginx that serves the files of `folder`, without an access log."""
    text = (
        f"daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events { worker_connections 256; }\n"
        f"http {{ access_log off; sendfile on; {UNLIMITED_KEEPALIVE} open_file_cache max=10;\n"
        f"  server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    return _nginx("nginx", text, folder, is_ready=is_ready)


def proxy_nginx(
    port: int, site: int, folder: Path, *, is_ready: Callable[[], bool], inside: int, plain: int
) -> Program:
    """The proxy of deploy/, including its access log, but without TLS and IPv6, like the static file."""
    places = {
        "/tmp/": f"{folder}/proxy/",  # noqa: S108 - the container's own
        "/dev/stdout": f"{folder}/proxy/access.log",
        "/dev/stderr": f"{folder}/proxy/error.log",
        "web:8000": f"127.0.0.1:{site}",
        "127.0.0.1:8081": f"127.0.0.1:{inside}",
        "listen 8080": f"listen 127.0.0.1:{plain}",
        "listen 8443": f"listen 127.0.0.1:{port}",
        "keepalive_timeout 30s;": f"keepalive_timeout 30s; {UNLIMITED_KEEPALIVE}",
        "limit_req zone=requests burst=200 nodelay;": "",
    }
    (folder / "proxy").mkdir()
    text = re.sub(WITHOUT_TLS, "", CONFIGURATION.read_text(encoding="utf-8"), flags=re.MULTILINE)
    user = "user root;\n" if os.geteuid() == 0 else ""
    return _nginx("proxy", f"daemon off;\n{user}{placed(text, places)}", folder, is_ready=is_ready)


def placed(text: str, places: Mapping[str, str]) -> str:
    """The configuration with this machine's paths and ports; ValueError if it lacks one to replace."""
    missing = [theirs for theirs in places if theirs not in text]
    if missing:
        raise ValueError(f"the proxy's configuration does not name {', '.join(missing)}")
    pattern = re.compile("|".join(re.escape(theirs) for theirs in sorted(places, key=len, reverse=True)))
    return pattern.sub(lambda found: places[found[0]], text)


def _nginx(name: str, text: str, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    configuration = folder / f"{name}.conf"
    configuration.write_text(text, encoding="utf-8")
    return Program(
        name=name,
        command=["nginx", "-p", str(folder), "-c", str(configuration)],
        log=folder / f"{name}-start.log",
        environment={"PATH": "/usr/sbin:/usr/bin:/bin"},
        is_ready=is_ready,
    )
