"""That the floors of the cached pages are floors, and the proxy is the project's own."""

from bench import pages
from bench.wrk import Load


def never() -> bool:
    return False


def test_both_caches_are_compared_with_their_floors():
    loads = {
        "static file": Load(20_000, 1, 2),
        "nginx": Load(15_000, 1, 2),
        "page cache": Load(12_000, 1, 60),
        "empty view": Load(3000, 1, 2),
    }
    judged = [row for row in pages.rows(loads, size=1000) if row.limit is not None]
    assert [(row.measured, row.passes) for row in judged] == [(0.75, True), (4.0, True), (60, False)]


def test_the_proxy_uses_the_deployed_configuration_without_tls(tmp_path):
    program = pages.proxy_nginx(1001, 1002, tmp_path, is_ready=never, inside=1003, plain=1004)
    text = (tmp_path / "proxy.conf").read_text()
    assert "proxy.conf" in " ".join(program.command)
    assert "set $web http://127.0.0.1:1002;" in text
    assert "listen 127.0.0.1:1001 default_server;" in text
    assert f"pid {tmp_path}/proxy/nginx.pid;" in text
    assert "proxy_cache pages;" in text
    assert not [trace for trace in ("ssl", "web:8000", "/dev/std") if trace in text]
