"""The process that reads texts: what is slow, crashes or is gone holds up nobody, and costs no text."""

import operator
import os
import re
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection

import psutil
import pytest
from django.conf import settings as site_settings

from parsers.paste import parse_paste
from results.core.reader import NOT_READ, TOO_SLOW, ReaderProcess, ReadingError
from tests import pastes

FOREVER = (
    re.compile("(?:x+x+)+y").search,
    ("x" * 60,),
)  # as one of C's calls, which nothing in Python interrupts
PROMPT_S = 30  # far more than any of this takes


@pytest.fixture
def reader():
    made = ReaderProcess()
    yield made
    made.stop()


def call(reader, read, *arguments, deadline_s=PROMPT_S, **named):
    return reader.call(read, arguments, named, deadline_s=deadline_s)


def notice_of(reader, read, *arguments, **named):
    with pytest.raises(ReadingError) as refused:
        call(reader, read, *arguments, **named)
    return refused.value.notice


def test_a_text_is_read_as_in_this_process(reader):
    for raw in (pastes.FIRST_PASTE, pastes.FIRST_PASTE.encode("utf-16"), "nothing", b"\0"):
        assert call(reader, parse_paste, raw, unit_key=b"key") == parse_paste(raw, unit_key=b"key")


def test_a_slow_text_is_refused_and_the_next_is_read(reader):
    read, arguments = FOREVER
    assert notice_of(reader, read, *arguments, deadline_s=0.2) == TOO_SLOW
    assert call(reader, len, "next") == 4


def test_a_text_that_ends_the_reader_is_refused_and_the_next_is_read(reader):
    for deadly in (signal.SIGKILL, signal.SIGSEGV):
        assert notice_of(reader, signal.raise_signal, deadly) == NOT_READ
        assert call(reader, len, "next") == 4


def test_an_exception_of_a_parser_is_logged_without_the_text_and_an_answer(reader, caplog):
    assert notice_of(reader, int, "no number") == NOT_READ
    assert "ValueError" in caplog.text
    assert "no number" not in caplog.text  # it is the sender's
    assert call(reader, len, "next") == 4


def test_a_reader_that_was_killed_or_ended_between_two_texts_is_replaced(reader):
    for number in (signal.SIGKILL, signal.SIGTERM):
        pid = call(reader, os.getpid)
        psutil.Process(pid).send_signal(number)
        psutil.wait_procs([psutil.Process(pid)], timeout=PROMPT_S)
        assert call(reader, os.getpid) != pid


def test_a_reader_that_stands_still_holds_up_nobody(reader):
    pid = call(reader, os.getpid, deadline_s=0.5)
    psutil.Process(pid).suspend()
    text = "x" * site_settings.PASTE_LIMIT_BYTES  # more than a socket holds
    assert notice_of(reader, len, text, deadline_s=0.5) == TOO_SLOW
    assert call(reader, os.getpid) != pid


class Counted:
    """A function that counts how often it is pickled; the reader sees operator.attrgetter("real")."""

    count = 0

    def __reduce__(self):
        self.count += 1
        return operator.attrgetter, ("real",)

    def __call__(self, _number):
        raise AssertionError("called here")


def test_a_function_is_sent_once_while_it_stays_the_same(reader):
    first, second = Counted(), Counted()
    assert [call(reader, first, number) for number in range(3)] == [0, 1, 2]
    assert first.count == 1
    assert call(reader, second, 7) == 7
    assert call(reader, first, 8) == 8
    assert first.count == 2
    reader.stop()
    assert call(reader, first, 9) == 9


def test_an_interrupted_call_leaves_no_answer_for_the_next(reader, monkeypatch):
    def interrupt(_connection, _timeout):
        raise KeyboardInterrupt

    call(reader, os.getpid)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(Connection, "poll", interrupt)
        with pytest.raises(KeyboardInterrupt):
            call(reader, str, "an answer to somebody else")
    assert call(reader, len, "next") == 4


def test_the_reader_has_neither_django_nor_secrets(reader):
    for expression, expected in (
        ("'parsers.paste' in __import__('sys').modules", True),
        ("'django' in __import__('sys').modules", False),
        ("[name for name in __import__('os').environ if 'SLOGDB' in name or 'URL' in name]", []),
    ):
        assert call(reader, eval, expression) == expected  # noqa: S307 - our own expressions


IDLE = """
import sys
from multiprocessing.connection import Connection
from results.core import reader_process
reader_process.IDLE_S = 0.05
reader_process.serve(Connection(int(sys.argv[1])))
"""


def test_a_reader_without_work_ends_and_is_replaced(reader, monkeypatch):
    popen = subprocess.Popen
    monkeypatch.setattr(
        subprocess,
        "Popen",
        lambda command, **given: popen([sys.executable, "-c", IDLE, command[-1]], **given),
    )
    pid = call(reader, os.getpid)
    while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert call(reader, os.getpid) != pid


PARENT = """
import os, sys, threading
import django
from django.conf import settings
settings.configure(BASE_DIR=sys.argv[1])
from results.core.reader import ReaderProcess
import re
reader = ReaderProcess()
print(reader.call(os.getpid, (), {}, deadline_s=1), flush=True)
reader.call(re.compile("(?:x+x+)+y").search, ("x" * 60,), {}, deadline_s=float(sys.argv[2]))
"""


def test_the_reader_ends_with_its_parent_even_if_it_is_reading():
    command = [sys.executable, "-c", PARENT, str(site_settings.BASE_DIR), "2"]
    with subprocess.Popen(command, cwd=site_settings.BASE_DIR, stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    _gone, alive = psutil.wait_procs([child], timeout=PROMPT_S)
    assert not alive
