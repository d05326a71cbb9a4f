"""Whether the static files have to be collected again: hashing and compressing them takes seconds."""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CollectedFiles:
    """The folder that collectstatic fills, and beside it a note of what it was filled from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._note = folder.with_name(f"{folder.name}.source")

    def is_current(self) -> bool:
        return self._folder.is_dir() and self._note.is_file() and self._note.read_text() == source_digest()

    def note_source(self) -> None:
        """Say that the folder was just filled."""
        self._note.write_text(source_digest())


def collected_files() -> CollectedFiles:
    """The same folder as in Django's settings."""
    return CollectedFiles(Path(os.environ.get("SLOGDB_STATIC_ROOT") or ROOT / "var" / "static"))


def source_digest() -> str:
    """Moves with every change below static/ and with the packages, which bring files of their own."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for path in sorted((ROOT / "static").rglob("*")):
        status = path.stat()
        digest.update(f"{path.relative_to(ROOT)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
