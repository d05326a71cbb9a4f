"""Programs that run beside this one, and the lock that lets one process at a time into a folder.

A program has a process group of its own, writes to a log, and ends when this process ends.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from pwd import struct_passwd
from types import TracebackType
from typing import Any, BinaryIO

LOG_LIMIT_BYTES = 10 * 1024 * 1024
LOG_TAIL_LINES = 8
POLL_S = 0.05
PR_SET_PDEATHSIG = 1  # linux/prctl.h


class ProcessError(Exception):
    """A program did not start, or did not become ready; the message says which, and the end of its log."""


def _nothing() -> None:
    """Stand in where a program needs no preparation."""


def _at_once() -> bool:
    """Stand in where a program is ready as soon as it runs."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """How one program is run, how it is known to be ready, and the signal that ends it in good order."""

    name: str
    command: list[str]
    log: Path
    environment: Mapping[str, str]
    owner: struct_passwd | None = None  # whom it runs as; None: whoever we are
    stop_signal: signal.Signals = signal.SIGTERM
    prepare: Callable[[], None] = _nothing
    is_ready: Callable[[], bool] = _at_once
    ready_within_s: float = 60.0


class Process:
    """One run of a program."""

    def __init__(self, program: Program) -> None:
        """Prepare and start it; it may not be ready yet."""
        self.program = program
        program.prepare()
        with _open_log(program.log) as log:
            self._popen = subprocess.Popen(  # noqa: S603 - the commands are this project's own
                program.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=program.environment,
                process_group=0,  # a Ctrl-C in the terminal is for us to pass on, in order
                **run_as(program.owner),
                preexec_fn=_end_with_parent(program.stop_signal),
            )
        self.started_at = time.monotonic()

    @property
    def pid(self) -> int:
        return self._popen.pid

    def is_running(self) -> bool:
        return self._popen.poll() is None

    def ending(self) -> str:
        """How it ended: "exit code 3" or "SIGKILL"."""
        code = self._popen.poll() or 0
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def wait_until_ready(self) -> None:
        """Raise ProcessError when it ends before it is ready, or takes too long."""
        deadline = time.monotonic() + self.program.ready_within_s
        while not self.program.is_ready():
            if not self.is_running():
                raise ProcessError(f"{self.program.name} did not start ({self.ending()}){self._log_tail()}")
            if time.monotonic() > deadline:
                seconds = round(self.program.ready_within_s)
                raise ProcessError(f"{self.program.name} was not ready in {seconds} s{self._log_tail()}")
            time.sleep(POLL_S)

    def wait_until_done(self) -> None:
        """Raise ProcessError when it ends with anything but exit code 0."""
        if self._popen.wait():
            raise ProcessError(f"{self.program.name} failed ({self.ending()}){self._log_tail()}")

    def stop(self, *, within_s: float = 15.0) -> None:
        """End it in good order, and after `within_s` seconds by force; what it left in its group goes too."""
        if self.is_running():
            self._popen.send_signal(self.program.stop_signal)
            try:
                self._popen.wait(within_s)
            except subprocess.TimeoutExpired:
                self._popen.kill()
        self.clear()

    def clear(self) -> None:
        """Take away what a program that has ended left running in its process group."""
        with suppress(ProcessLookupError, PermissionError):  # none left (macOS says the second of zombies)
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()

    def _log_tail(self) -> str:
        lines = self.program.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL_LINES:]
        return "".join(f"\n  {line}" for line in [f"the end of {self.program.log}:", *lines])


def run_as(owner: struct_passwd | None) -> dict[str, Any]:
    """What subprocess is told so that a program runs as `owner` and with no more rights than theirs."""
    if owner is None:
        return {}
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


def _open_log(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.replace(path.with_name(f"{path.name}.1"))
    return path.open("ab")


def _end_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """What a child runs first so that Linux ends it when we are killed without a chance to do so."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, stop_signal)


LOCK_NAME = "lock"


class LockedError(Exception):
    """Another process works in the folder."""

    def __init__(self, directory: Path, holder: str) -> None:
        super().__init__(f"{directory} is in use by process {holder or 'unknown'}")
        self.holder = holder


class FolderLock:
    """Held from `with` to its end; raises LockedError when another process has it."""

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
