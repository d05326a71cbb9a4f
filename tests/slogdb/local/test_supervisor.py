import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from slogdb.local.process import LOG_LIMIT_BYTES, ProcessError, Program
from slogdb.local.supervisor import Supervisor, running

NAP = "import time; time.sleep(600)"
# Makes the first file and waits for the second, which another program makes: a minute, or it fails.
MEET = """
import time
from pathlib import Path
Path("{}").touch()
deadline = time.monotonic() + 60
while not Path("{}").exists():
    assert time.monotonic() < deadline, "the other never ran"
    time.sleep(0.01)
"""


def program(folder: Path, name: str, code: str, **how) -> Program:
    command = [sys.executable, "-c", code]
    return Program(name=name, command=command, log=folder / "log", environment=os.environ, **how)


def watch_until(
    supervisor: Supervisor, condition: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Watch until `condition` holds, and break it off as a signal would."""
    deadline = time.monotonic() + 240
    wait = time.sleep

    def wait_or_break_off(seconds: float) -> None:
        if condition():
            raise KeyboardInterrupt
        assert time.monotonic() < deadline
        wait(seconds / 10)

    monkeypatch.setattr(time, "sleep", wait_or_break_off)
    with pytest.raises(KeyboardInterrupt):
        supervisor.watch()


def test_each_further_end_puts_the_next_start_off_for_twice_as_long(tmp_path, monkeypatch, caplog):
    caplog.set_level("INFO")
    with Supervisor(first_delay_s=0.01) as supervisor:
        supervisor.start(program(tmp_path, "failing", "raise SystemExit(7)"))
        watch_until(supervisor, lambda: len(caplog.messages) == 3, monkeypatch)
    starts = [message.split("; ")[0] for message in caplog.messages]
    assert starts == [
        f"failing ended (exit code 7), starting it again in {delay} s" for delay in ("0.01", "0.02", "0.04")
    ]


def test_a_start_that_fails_is_tried_again(tmp_path, monkeypatch, caplog):
    """As when PostgreSQL's data can't be prepared yet."""
    caplog.set_level("INFO")
    states = iter([None, "still in use", None])

    def prepare() -> None:
        if (fault := next(states)) is not None:
            raise ProcessError(fault)

    with Supervisor(first_delay_s=0.01) as supervisor:
        supervisor.start(program(tmp_path, "server", "raise SystemExit(1)", prepare=prepare))
        watch_until(supervisor, lambda: len(caplog.messages) == 3, monkeypatch)
    assert "still in use" in caplog.messages[1]
    assert "exit code 1" in caplog.messages[2]


def test_what_was_started_last_is_stopped_first(tmp_path, caplog):
    caplog.set_level("INFO")
    with Supervisor() as supervisor:
        for name in ("database", "web"):
            supervisor.start(program(tmp_path, name, NAP))
    assert caplog.messages == ["Stopping web", "Stopping database"]


def test_a_program_that_ends_by_itself_is_stopped_with_what_it_runs_for(tmp_path):
    with running(program(tmp_path, "napping", NAP)) as process:
        assert process.is_running()
    assert process.ending() == "SIGTERM"


def test_programs_that_are_launched_run_at_the_same_time(tmp_path):
    first, second = (tmp_path / name for name in ("first", "second"))
    with Supervisor() as supervisor:
        processes = [
            supervisor.launch(program(tmp_path, name, MEET.format(*paths)))
            for name, paths in {"first": (first, second), "second": (second, first)}.items()
        ]
        for process in processes:
            process.wait_until_done()


def test_logs_of_running_programs_are_put_aside(tmp_path, monkeypatch):
    chatty = f"import time\nwhile True: print('x' * {LOG_LIMIT_BYTES // 10}, flush=True); time.sleep(0.01)"
    with Supervisor() as supervisor:
        supervisor.start(program(tmp_path, "chatty", chatty))
        watch_until(supervisor, (tmp_path / "log.1").exists, monkeypatch)
        monkeypatch.undo()  # the program has to be waited for
