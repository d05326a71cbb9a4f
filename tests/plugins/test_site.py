"""Ports for the servers of tests."""

import secrets
import socket

from tests.plugins.site import FIRST_EPHEMERAL_PORT, FIRST_PORT, free_port


def test_a_port_is_none_that_the_kernel_gives_to_connections():
    assert all(FIRST_PORT <= free_port() < FIRST_EPHEMERAL_PORT for _ in range(50))


def test_a_port_that_is_listened_on_is_not_given(monkeypatch):
    taken, other = free_port(), free_port()
    draws = [port - FIRST_PORT for port in (taken, other)]
    monkeypatch.setattr(secrets, "randbelow", lambda _: draws.pop(0))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", taken))
        listener.listen()
        assert free_port() == other
