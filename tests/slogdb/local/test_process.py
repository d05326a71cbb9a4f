import errno
import os
import signal
import sys
import threading
from pathlib import Path

import psutil
import pytest

from slogdb.local.process import LOG_LIMIT_BYTES, Process, ProcessError, Program, rotate_log

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
PARENT = "import subprocess, time; print(subprocess.Popen(['sleep', '600']).pid, flush=True); time.sleep(600)"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log" / "program.log"


def python(code: str, log: Path, **how) -> Program:
    return Program(name="trial", command=[sys.executable, "-c", code], log=log, environment=os.environ, **how)


def has_printed(log: Path):
    return lambda: log.exists() and log.read_text() != ""


def test_a_program_that_ends_before_it_is_ready_is_reported_with_the_end_of_its_log(log):
    process = Process(python("print('the cause'); raise SystemExit(3)", log, is_ready=lambda: False))
    with pytest.raises(ProcessError, match=r"trial failed \(exit code 3\)[\s\S]*the cause"):
        process.wait_until_ready()


def test_a_program_that_never_gets_ready_is_reported(log):
    process = Process(python(DEAF, log, is_ready=lambda: False, ready_within_s=0.1))
    with pytest.raises(ProcessError, match="trial was not ready in 0 s"):
        process.wait_until_ready()
    process.stop(within_s=0)


def test_a_program_that_fails_is_reported(log):
    with pytest.raises(ProcessError, match=r"trial failed \(exit code 1\)"):
        Process(python("raise SystemExit(1)", log)).wait_until_done()


def test_the_end_of_the_log_is_that_of_this_run(log):
    with pytest.raises(ProcessError, match="an old cause"):
        Process(python("print('an old cause'); raise SystemExit(1)", log)).wait_until_done()
    with pytest.raises(ProcessError) as failed:
        Process(python("print('the cause'); raise SystemExit(1)", log)).wait_until_done()
    assert str(failed.value).endswith(f"the end of {log}:\n  the cause")

    log.write_text("long\n" * 100)
    process = Process(python(DEAF, log))
    log.write_text("after it was rotated\n")
    process.stop(within_s=0)
    with pytest.raises(ProcessError, match="after it was rotated"):
        process.wait_until_done()


class InterruptedLock:
    """A lock, and a Ctrl-C right after it is acquired."""

    def __init__(self):
        self._lock = threading.Lock()
        self._is_interrupted = False

    def acquire(self, blocking=True, timeout=-1):
        is_acquired = self._lock.acquire(blocking, timeout)
        if not self._is_interrupted:
            self._is_interrupted = True
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        return is_acquired

    def release(self):
        self._lock.release()

    def locked(self):
        return self._lock.locked()

    __enter__ = acquire

    def __exit__(self, *_):
        self.release()


def test_a_signal_while_a_program_is_looked_at_does_not_keep_it_from_being_stopped(log, monkeypatch):
    lock = InterruptedLock()
    with monkeypatch.context() as patch:
        patch.setattr("subprocess.threading.Lock", lambda: lock)
        process = Process(python("import time; time.sleep(600)", log))
    with pytest.raises(KeyboardInterrupt):
        process.is_running()
    assert not lock.locked()  # else stop() would wait for it forever
    process.stop()
    assert process.ending() == "SIGTERM"


def test_a_program_that_is_deaf_to_its_signal_is_ended_by_force(log):
    process = Process(python(DEAF, log, is_ready=has_printed(log)))
    process.wait_until_ready()
    process.stop(within_s=0.2)
    assert process.ending() == "SIGKILL"


def test_what_a_program_started_goes_with_it(log):
    process = Process(python(PARENT, log, is_ready=has_printed(log)))
    process.wait_until_ready()
    child = psutil.Process(int(log.read_text()))
    process.stop()
    assert psutil.wait_procs([child], timeout=240)[1] == []


def test_it_ends_by_the_signal_that_it_asks_for(log):
    """Python itself would leave the signal ignored where the tests run in the background of a shell."""
    code = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {PARENT}"
    process = Process(python(code, log, is_ready=has_printed(log), stop_signal=signal.SIGINT))
    process.wait_until_ready()
    process.stop()
    assert "KeyboardInterrupt" in log.read_text()


def test_a_log_that_has_grown_long_is_put_aside(log):
    log.parent.mkdir()
    log.write_bytes(b"x" * (LOG_LIMIT_BYTES + 1))
    Process(python("print('new')", log)).wait_until_done()
    assert log.read_text() == "new\n"
    assert log.with_name("program.log.1").stat().st_size == LOG_LIMIT_BYTES + 1


def test_a_log_is_put_aside_while_its_program_writes_and_is_never_longer_than_two_files(log):
    """PostgreSQL and Valkey go on writing to the file that they were given."""
    log.parent.mkdir()
    for written in ("first", "second"):
        with log.open("ab", buffering=0) as file:
            file.write(written.encode() * LOG_LIMIT_BYTES)
            rotate_log(log)
            file.write(b"next\n")
        assert log.read_bytes() == b"next\n"
        assert log.with_name("program.log.1").read_text().endswith(written * 2)
    rotate_log(log)
    assert log.read_bytes() == b"next\n"
    assert sorted(path.name for path in log.parent.iterdir()) == ["program.log", "program.log.1"]


def test_a_log_stays_as_it_is_if_it_can_t_be_put_aside(log, monkeypatch):
    """As on a full disk."""
    log.parent.mkdir()
    log.write_bytes(b"x" * (LOG_LIMIT_BYTES + 1))

    def fail(source: Path, target: Path) -> None:
        target.write_bytes(b"x")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", fail)
    rotate_log(log)
    assert [path.name for path in log.parent.iterdir()] == ["program.log"]
    assert log.stat().st_size == LOG_LIMIT_BYTES + 1
