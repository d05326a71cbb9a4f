"""One process at a time in a folder: a lock that the kernel drops when its holder ends, however it ends."""

import fcntl
import os
from pathlib import Path
from types import TracebackType

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
