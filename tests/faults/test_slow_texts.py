"""A text that is never read to its end: its sender gets an answer, and everybody else's request is answered, too."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest

from tests.faults.conftest import NO_LIMIT
from tests.faults.counting import paste
from tests.plugins.site import ANSWER_PATIENCE_S, Run

SLOW = "never ends: " + "x" * 60
# In the site's copy of the parsers: a slow reader, whatever the real ones do.
SLOW_READER = """

import re

_parse_paste = parse_paste


def parse_paste(raw, **named):
    if b"never ends" in (raw if isinstance(raw, bytes) else raw.encode()):
        re.search("(?:x+x+)+y", "x" * 60)
    return _parse_paste(raw, **named)
"""


@pytest.fixture(scope="module")
def slow_site(checkout: Path) -> Iterator[Run]:
    """One web process, which reads one text at a time, each for a second at most."""
    with (checkout / "parsers" / "paste.py").open("a") as module:
        module.write(SLOW_READER)
    run = Run(checkout, SLOGDB_READ_DEADLINE="1", GRANIAN_WORKERS="1", **NO_LIMIT)
    try:
        yield run.wait_until_up()
    finally:
        run.stop()


def refusal_of(request: Request, opener: OpenerDirector | None = None) -> tuple[int, str]:
    """The answer's status and body."""
    with pytest.raises(HTTPError) as refused:
        (opener or build_opener()).open(request, timeout=ANSWER_PATIENCE_S)
    with refused.value as answer:
        return answer.code, answer.read().decode()


def send_to_api(site: Run, path: str) -> tuple[int, str]:
    address = f"http://127.0.0.1:{site.port}{path}"
    return refusal_of(Request(address, SLOW.encode(), {"Content-Type": "text/plain"}))


def web_processes(site: Run) -> set[int]:
    """The web server's processes: the reader is a child of one of them."""
    return {one.pid for one in site.program("granian").children()}


def test_the_api_refuses_it_and_the_process_serves_the_next_request(slow_site):
    processes = web_processes(slow_site)
    for number, path in enumerate(("/api/v1/submissions/", "/api/v1/parse/")):
        status, problem = send_to_api(slow_site, path)
        assert (status, json.loads(problem)["code"]) == (422, "too_slow")
        assert slow_site.submit(paste(number))["results"]
    assert web_processes(slow_site) == processes


def test_the_form_keeps_the_text_and_says_why(slow_site):
    opener = build_opener(HTTPCookieProcessor())
    address = f"http://127.0.0.1:{slow_site.port}/submit/"
    with opener.open(address, timeout=ANSWER_PATIENCE_S) as answer:
        form = answer.read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)[1]
    for action in ("preview", "publish"):
        sent = urlencode({"csrfmiddlewaretoken": token, "text": SLOW, "action": action})
        status, page = refusal_of(Request(address, sent.encode()), opener)
        assert status == 422
        assert "takes too long to read" in page
        assert SLOW in page


def test_other_requests_are_answered_while_such_texts_come(slow_site):
    senders = [Thread(target=send_to_api, args=(slow_site, "/api/v1/parse/")) for _ in range(3)]
    for one in senders:
        one.start()
    assert b"Leaderboard" in slow_site.get("/leaderboard/?class=nvme")
    for one in senders:
        one.join(ANSWER_PATIENCE_S)
    assert slow_site.submit(paste(9))["results"]
