"""nginx on a port of its own: with a static file as the floor, and as the project's proxy before the site."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from slogdb.serving.process import Program

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx" / "nginx.conf"
WITHOUT_TLS = r"^\s*ssl_.*\n| ssl http2"
EVERY_REQUEST_KEPT = "keepalive_requests 1000000;"  # wrk opens its connections once


def static_file(port: int, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    """Files of `folder`, with nothing written down about who fetches them."""
    text = (
        f"daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events { worker_connections 256; }\n"
        f"http {{ access_log off; sendfile on; {EVERY_REQUEST_KEPT} open_file_cache max=10;\n"
        f"  server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    return _program("nginx", text, folder, is_ready=is_ready)


def proxy(
    port: int, site: int, folder: Path, *, is_ready: Callable[[], bool], inside: int, plain: int
) -> Program:
    """The proxy of deploy/, access log and all, but without TLS, as the static file beside it is."""
    places = {
        "/tmp/": f"{folder}/proxy/",  # noqa: S108 - the container's own
        "/dev/stdout": f"{folder}/proxy/access.log",
        "/dev/stderr": f"{folder}/proxy/error.log",
        "web:8000": f"127.0.0.1:{site}",
        "127.0.0.1:8081": f"127.0.0.1:{inside}",
        "listen 8080": f"listen 127.0.0.1:{plain}",
        "listen 8443": f"listen 127.0.0.1:{port}",
        "keepalive_timeout 30s;": f"keepalive_timeout 30s; {EVERY_REQUEST_KEPT}",
    }
    (folder / "proxy").mkdir()
    text = re.sub(WITHOUT_TLS, "", CONFIGURATION.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return _program("proxy", f"daemon off;\nuser root;\n{placed(text, places)}", folder, is_ready=is_ready)


def placed(text: str, places: Mapping[str, str]) -> str:
    """The configuration with this machine's places and ports; ValueError when it names one of them nowhere."""
    missing = [theirs for theirs in places if theirs not in text]
    if missing:
        raise ValueError(f"the proxy's configuration does not name {', '.join(missing)}")
    pattern = re.compile("|".join(re.escape(theirs) for theirs in sorted(places, key=len, reverse=True)))
    return pattern.sub(lambda found: places[found[0]], text)


def _program(name: str, text: str, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    configuration = folder / f"{name}.conf"
    configuration.write_text(text, encoding="utf-8")
    return Program(
        name=name,
        command=["nginx", "-p", str(folder), "-c", str(configuration)],
        log=folder / f"{name}-start.log",
        environment={"PATH": "/usr/sbin:/usr/bin:/bin"},
        is_ready=is_ready,
    )
