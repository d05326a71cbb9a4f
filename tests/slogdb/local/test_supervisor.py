import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from slogdb.local.process import ProcessError, Program
from slogdb.local.supervisor import Supervisor, run_to_the_end

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


def test_programs_that_end_by_themselves_run_at_the_same_time(tmp_path):
    one, other = (tmp_path / name for name in ("one", "other"))
    run_to_the_end(
        [
            program(tmp_path, "one", MEET.format(one, other)),
            program(tmp_path, "other", MEET.format(other, one)),
        ]
    )
    assert one.exists()


def test_a_failure_stops_the_others(tmp_path):
    failing, napping = (tmp_path / name for name in ("failing", "napping"))
    with pytest.raises(ProcessError, match=r"failing failed \(exit code 3\)"):
        run_to_the_end(
            [
                program(tmp_path, "failing", MEET.format(failing, napping) + "raise SystemExit(3)"),
                program(tmp_path, "napping", MEET.format(napping, failing) + NAP),
            ]
        )
    alive = [one for one in psutil.Process().children() if one.status() != psutil.STATUS_ZOMBIE]
    assert not [one for one in alive if NAP in " ".join(one.cmdline())]
