"""Ports for the servers of tests."""

import secrets
import socket

from tests.plugins.site import FIRST_PORT, free_port


def test_a_port_in_use_is_not_returned(monkeypatch):
    taken, other = free_port(), free_port()
    draws = [port - FIRST_PORT for port in (taken, other)]
    monkeypatch.setattr(secrets, "randbelow", lambda _: draws.pop(0))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", taken))
        listener.listen()
        assert free_port() == other
