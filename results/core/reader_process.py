"""The program of `results.core.reader`'s child process: calls functions that it is sent, one after another.

`python -m results.core.reader_process FD`. It imports the parsers, and nothing of Django.
"""

import signal
import sys
import traceback
from contextlib import suppress
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path

import parsers.paste  # noqa: F401 - loaded before the first text comes

IDLE_S = 60.0  # without work, it ends: an idle site needs the memory elsewhere
GRACE_S = 1  # beyond the deadline, by which its parent ends it


def serve(connection: Connection) -> None:
    """Answer calls until the parent exits or there is no call for IDLE_S.

    A call is (function, or None for the last one called; arguments, keyword arguments, deadline in seconds). The
    answer is (its result, "") or (None, where it failed).
    """
    connection.send(None)  # ready
    while connection.poll(IDLE_S):
        sent, arguments, named, deadline_s = connection.recv()
        if sent is not None:
            function = sent
        signal.alarm(ceil(deadline_s) + GRACE_S)  # ends the process even if the parent is gone
        try:
            answer = function(*arguments, **named), ""
        except Exception as error:  # noqa: BLE001 - whatever a parser raises for a text is an answer, too
            answer = None, _without_message(error)
        signal.alarm(0)
        connection.send(answer)


def _without_message(error: Exception) -> str:
    """The exception's type and place; not its message, which may quote the text, since this is logged."""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__


if __name__ == "__main__":
    # Only Linux has this: where memory runs out, the reader is killed before the web server.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with suppress(EOFError, ConnectionError):
        serve(Connection(int(sys.argv[1])))
