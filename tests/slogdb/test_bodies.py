"""What waits for a body, without a web server around it."""

from io import BytesIO

import pytest

from slogdb.bodies import BUSY, CUT_OFF, FAULT, WholeBodies
from slogdb.slow_senders import SlowSenders


def handled(body: bytes, length: str, *, most: int = 9) -> dict:
    """The environment as the application behind gets it, its input read."""
    seen = {}

    def application(environ, start_response):
        seen.update(environ, read=environ["wsgi.input"].read())
        return []

    bodies = WholeBodies(application, SlowSenders(patience_s=60, most=most, most_of_one=9), most_bytes=100)
    environ = {"REMOTE_ADDR": "192.0.2.7", "CONTENT_LENGTH": length, "wsgi.input": BytesIO(body)}
    assert bodies(environ, lambda *_: None) == []
    return seen


@pytest.mark.parametrize(
    ("length", "most", "fault", "read"),
    [("4", 9, None, b"text"), ("5", 9, CUT_OFF, b"text"), ("4", 0, BUSY, b""), ("", 9, None, b"text")],
)
def test_a_body_is_there_whole_or_said_not_to_be(length, most, fault, read):
    seen = handled(b"text", length, most=most)
    assert (seen.get(FAULT), seen["read"]) == (fault, read)


@pytest.mark.parametrize("length", ["101", "-1", "five"])
def test_what_will_be_refused_by_its_length_is_not_read(length):
    assert handled(b"text", length)["read"] == b"text"
