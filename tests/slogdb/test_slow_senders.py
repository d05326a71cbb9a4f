"""How many may send at once, and whose connections are ended, with real sockets."""

import socket
import time

import pytest

from slogdb import slow_senders
from slogdb.slow_senders import SlowSenders, cut_off


@pytest.fixture
def connected():
    """The server's end of a connection, and the sender's."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname(), timeout=5) as sender,
        listener.accept()[0] as server,
    ):
        server.settimeout(5)
        yield server, sender


def test_so_many_at_once_and_so_many_of_one():
    senders = SlowSenders(patience_s=60, most=3, most_of_one=2)
    with senders.sending("a") as first, senders.sending("a") as second, senders.sending("a") as third:
        assert (first, second, third) == (True, True, False)
        with senders.sending("b") as fourth, senders.sending("c") as fifth:
            assert (fourth, fifth) == (True, False)
    with senders.sending("a") as again:
        assert again


def test_who_sends_for_too_long_is_known():
    senders = SlowSenders(patience_s=0.05, most=3, most_of_one=2)
    with senders.sending("192.0.2.7"):
        assert senders.too_slow() == set()
        time.sleep(0.1)
        assert senders.too_slow() == {"192.0.2.7"}
    assert senders.too_slow() == set()


def test_a_connection_that_is_cut_off_can_still_be_answered(connected):
    server, sender = connected
    time.sleep(0.3)
    assert cut_off({"127.0.0.1"}, silent_for_s=0.2) >= 1
    assert server.recv(9) == b""
    server.sendall(b"too slow")
    assert sender.recv(9) == b"too slow"


def test_others_go_on(connected):
    server, sender = connected
    assert cut_off({"127.0.0.1"}, silent_for_s=60) == 0
    assert cut_off({"192.0.2.7"}, silent_for_s=0) == 0
    sender.sendall(b"text")
    assert server.recv(9) == b"text"


class EndError(Exception):
    """Ends a loop that has no end."""


def test_a_look_that_fails_is_not_the_last(monkeypatch, caplog):
    outcomes = [OSError("too many open files"), EndError()]

    def look(*_, **__):
        raise outcomes.pop(0)

    monkeypatch.setattr(slow_senders, "LOOKS_EVERY_S", 0)
    monkeypatch.setattr(slow_senders, "cut_off", look)
    monkeypatch.setattr(SlowSenders, "_start_watch", lambda senders: senders._somebody_sends.set())
    senders = SlowSenders(patience_s=-1, most=3, most_of_one=2)
    with senders.sending("192.0.2.7"), pytest.raises(EndError):
        senders._keep_watch()
    assert "too many open files" in caplog.text
