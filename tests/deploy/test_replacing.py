"""Two web servers replaced one after the other under load: nginx's shipped configuration, and no visitor notices."""

import http.client
import socket
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest

from tests import pastes
from tests.deploy.site import DOMAIN, Deployed, end, wait_until

READERS = 4
KEPT, NOT_KEPT = "/leaderboard/", "/submit/"


class Names:
    """A DNS server as Docker's: `web` has the addresses of the web servers that run at the moment."""

    def __init__(self):
        self.addresses = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                query, sender = self._socket.recvfrom(512)
            except OSError:
                return
            self._socket.sendto(self._answer(query), sender)

    def _answer(self, query):
        """RFC 1035, 4.1: the question again, and an A record without a lifetime for each address."""
        question = query[12 : query.index(b"\0", 12) + 5]
        assert question.startswith(b"\x03web\0"), question
        addresses = list(self.addresses)
        flags = b"\x81\x80" if addresses else b"\x81\x83"  # there is no such name
        record = b"\xc0\x0c\0\x01\0\x01\0\0\0\0\0\x04"
        records = b"".join(record + socket.inet_aton(address) for address in addresses)
        return query[:2] + flags + b"\0\x01" + len(addresses).to_bytes(2) + b"\0\0\0\0" + question + records

    def close(self):
        self._socket.close()


class Replaced(Deployed):
    """Web servers on a port that they share, each with an address of its own, as containers have."""

    def __init__(self, folder, names):
        super().__init__(folder)
        self.names, self.web = names, {}
        self._addresses = (f"127.0.0.{number}" for number in count(2))

    def start_web(self):
        """Another one, which is in the DNS at once, as with Docker, and ready seconds later."""
        address = next(self._addresses)
        metrics = self.folder / "tmp" / f"metrics-{address}"
        metrics.mkdir()
        self.names.addresses.append(address)
        self.web[address] = self.run(
            "web",
            ("--port=8000", f"--port={self.web_port}"),
            ("--host=0.0.0.0", f"--host={address}"),
            PROMETHEUS_MULTIPROC_DIR=str(metrics),
        )
        wait_until(lambda: self.is_ready(address), self.logs)

    def is_ready(self, address):
        with closing(http.client.HTTPConnection(address, self.web_port, timeout=10)) as connection:
            connection.request("GET", "/readyz", headers={"Host": DOMAIN})
            return connection.getresponse().status == 200

    def end_web(self, address):
        end(self.web.pop(address))
        self.names.addresses.remove(address)


@pytest.fixture(scope="module")
def replaced():
    """With two web servers, which the proxy finds although it started first."""
    names = Names()
    site = Replaced(Path(tempfile.mkdtemp(prefix="slogdb-replaced-")), names)
    try:
        site.put_static()
        site.start_queue()
        assert site.run("setup").wait(240) == 0, site.logs()
        site.start_proxy(web=f"web:{site.web_port}", names_port=names.port)
        check_that_nobody_answers(site)
        for _ in range(2):
            site.start_web()
        wait_until(lambda: site.get(NOT_KEPT).status == 200, site.logs)
        yield site
    finally:
        site.end()
        names.close()


def check_that_nobody_answers(site):
    answer = site.get(NOT_KEPT)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")


@contextmanager
def load(site):
    """Readers of cached pages, of others, and a sender; yields the count of each outcome."""
    is_over, outcomes = Event(), Counter()

    def repeat(outcome):
        number = 0
        while not is_over.is_set():
            number += 1
            try:
                outcomes[outcome(number)] += 1
            except (OSError, http.client.HTTPException) as error:
                outcomes[repr(error)] += 1

    def send(number):
        body = pastes.diskinfo(description="ATA REPLACED", ident=f"REPL{number}").encode()
        time.sleep(0.2)  # the allowance is 300 an hour
        return "sent", site.get(
            "/api/v1/submissions/", method="POST", body=body, Content_Type="text/plain"
        ).status

    def read(number):
        path = KEPT if number % 2 else NOT_KEPT
        return path, site.get(path).status

    threads = [Thread(target=repeat, args=(what,)) for what in (send, *[read] * READERS)]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def test_each_is_replaced_under_load_and_every_request_is_answered(replaced):
    with load(replaced) as outcomes:
        for old in list(replaced.web):
            replaced.end_web(old)
            replaced.start_web()
            time.sleep(2)  # longer than a name is valid
    assert set(outcomes) == {(KEPT, 200), (NOT_KEPT, 200), ("sent", 201)}, outcomes
    assert min(outcomes.values()) >= 10, outcomes


def test_without_any_of_them_cached_pages_are_shown_and_a_time_to_come_back(replaced):
    kept = replaced.get(KEPT).body
    for address in list(replaced.web):
        replaced.end_web(address)
    time.sleep(6)  # longer than the page is fresh
    answers = [replaced.get(KEPT) for _ in range(5)]
    assert {(answer.status, answer.body) for answer in answers} == {(200, kept)}
    check_that_nobody_answers(replaced)
    for _ in range(2):
        replaced.start_web()
    wait_until(lambda: replaced.get(NOT_KEPT).status == 200, replaced.logs)
