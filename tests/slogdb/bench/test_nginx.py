"""The proxy that is measured is the one of deploy/, with other places and ports and without TLS."""

import pytest

from slogdb.bench import nginx


def never() -> bool:
    return False


def test_the_proxy_is_the_projects_own_without_tls(tmp_path):
    program = nginx.proxy(1001, 1002, tmp_path, is_ready=never, inside=1003, plain=1004)
    text = (tmp_path / "proxy.conf").read_text()
    assert "proxy.conf" in " ".join(program.command)
    assert "server 127.0.0.1:1002 max_fails" in text
    assert "listen 127.0.0.1:1001 default_server;" in text
    assert f"pid {tmp_path}/proxy/nginx.pid;" in text
    assert "proxy_cache pages;" in text
    assert not [trace for trace in ("ssl", "web:8000", "/dev/std") if trace in text]


def test_a_place_that_the_configuration_does_not_name_is_told():
    assert nginx.placed("listen 8443;", {"8443": "9"}) == "listen 9;"
    with pytest.raises(ValueError, match="does not name web:8000"):
        nginx.placed("listen 8443;", {"8443": "9", "web:8000": "here"})
