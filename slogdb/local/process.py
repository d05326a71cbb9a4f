"""Child processes, and a lock for exclusive use of a folder.

A program has a separate process group, writes to a log, and ends when this process ends.
"""

import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from pwd import struct_passwd
from types import TracebackType
from typing import Any, BinaryIO

LOG_LIMIT_BYTES = 10 * 1024 * 1024  # of a log, and of the older one beside it
LOG_TAIL_LINES, LOG_TAIL_WIDTH = 8, 200
POLL_S = 0.05
PR_SET_PDEATHSIG = 1  # linux/prctl.h
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ProcessError(Exception):
    """A program failed, or did not become ready; the message names it and has the end of this run's log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """How to run a program, to check whether it is ready, and the signal that stops it cleanly."""

    name: str
    command: list[str]
    log: Path
    environment: Mapping[str, str]
    owner: struct_passwd | None = None  # the user that it runs as; None for the current one
    stop_signal: signal.Signals = signal.SIGTERM
    prepare: Callable[[], None] = lambda: None
    is_ready: Callable[[], bool] = lambda: True
    ready_within_s: float = 60.0


class Process:
    """One run of a program."""

    def __init__(self, program: Program) -> None:
        """Prepare and start the program; it may not be ready yet."""
        self.program = program
        program.prepare()
        with _open_log(program.log) as log:
            self._log_start = log.tell()
            self._popen = subprocess.Popen(  # noqa: S603 - this project's commands
                program.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=program.environment,
                process_group=0,  # a Ctrl-C in the terminal reaches only us; we stop programs in order
                **run_as(program.owner),
                preexec_fn=_end_with_parent(program.stop_signal),
            )
        self.started_at = time.monotonic()

    @property
    def pid(self) -> int:
        return self._popen.pid

    def is_running(self) -> bool:
        with _signals_held():
            return self._popen.poll() is None

    def ending(self) -> str:
        """How it ended: "exit code 3" or "SIGKILL"."""
        code = self._popen.poll() or 0
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def wait_until_ready(self) -> None:
        """Raise ProcessError if it ends before it is ready, or takes too long."""
        deadline = time.monotonic() + self.program.ready_within_s
        while not self.program.is_ready():
            if not self.is_running():
                raise self._failed()
            if time.monotonic() > deadline:
                seconds = round(self.program.ready_within_s)
                raise ProcessError(f"{self.program.name} was not ready in {seconds} s{self._log_tail()}")
            time.sleep(POLL_S)

    def wait_until_done(self) -> None:
        """Raise ProcessError if its exit code isn't 0."""
        if self._popen.wait():
            raise self._failed()

    def stop(self, *, within_s: float = 15.0) -> None:
        """Stop it cleanly, or kill it after `within_s` seconds; then kill the rest of its process group."""
        with _signals_held():
            if self.is_running():
                self._popen.send_signal(self.program.stop_signal)
                try:
                    self._popen.wait(within_s)
                except subprocess.TimeoutExpired:
                    self._popen.kill()
            self.clear()

    def clear(self) -> None:
        """Kill what is left of its process group after the program has ended."""
        with suppress(ProcessLookupError, PermissionError):  # none left (macOS raises the second for zombies)
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()

    def _failed(self) -> ProcessError:
        return ProcessError(f"{self.program.name} failed ({self.ending()}){self._log_tail()}")

    def _log_tail(self) -> str:
        """The end of what this run has printed."""
        with self.program.log.open("rb") as log:
            is_rotated = os.fstat(log.fileno()).st_size < self._log_start
            log.seek(0 if is_rotated else self._log_start)
            lines = log.read().decode(errors="replace").splitlines()[-LOG_TAIL_LINES:]
        return "".join(f"\n  {line[:LOG_TAIL_WIDTH]}" for line in [f"the end of {self.program.log}:", *lines])


@contextmanager
def _signals_held() -> Iterator[None]:
    """Deliver stop signals after the block: an exception that one raises within Popen.poll leaves its lock locked.

    After that, waiting for the process never ends.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_as(owner: struct_passwd | None) -> dict[str, Any]:
    """Arguments for subprocess to run a program as `owner`, with only their rights."""
    if owner is None:
        return {}
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


def _open_log(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    rotate_log(path)
    return path.open("ab")


def rotate_log(path: Path) -> None:
    """Move a log's lines to a second file if it is too long; its program keeps writing to the first.

    Like logrotate's copytruncate, as PostgreSQL and Valkey don't reopen what they print to. The log stays as it is
    while the disk is full.
    """
    if not path.exists() or path.stat().st_size <= LOG_LIMIT_BYTES:
        return
    older = path.with_name(f"{path.name}.1")
    unfinished = path.with_name(f"{path.name}.new")
    try:
        shutil.copyfile(path, unfinished)
        unfinished.replace(older)
        os.truncate(path, 0)
    except OSError:
        unfinished.unlink(missing_ok=True)


def _end_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """A function that a child runs first, so that Linux ends it if we are killed; None on other systems."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, stop_signal)


LOCK_NAME = "lock"


class LockedError(Exception):
    """Another process uses the folder."""

    def __init__(self, directory: Path, holder: str) -> None:
        super().__init__(f"{directory} is in use by process {holder or 'unknown'}")
        self.holder = holder


class FolderLock:
    """A context manager; raises LockedError if another process holds the lock."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> None:
        self._file = (self._directory / LOCK_NAME).open("a+", encoding="ascii")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.seek(0)
            holder = self._file.read().strip()
            self._file.close()
            raise LockedError(self._directory, holder) from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
