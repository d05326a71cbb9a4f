"""The static files, collected once for all sites that tests start: to compress everything takes ten seconds."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from slogdb.local.options import CollectedFiles

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "tests" / "static"


def put_static_files(folder: Path) -> None:
    """Fill a folder that is not there yet as collectstatic would, and say beside it what from."""
    collect()
    shutil.copytree(FOLDER, folder)
    shutil.copy(_note_of(FOLDER), _note_of(folder))


def collect() -> None:
    """Make FOLDER current, in whichever process of the tests comes first."""
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    files = CollectedFiles(FOLDER)
    with FOLDER.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if files.is_current():
            return
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "--clear", "--verbosity=0"],
            cwd=ROOT,
            env={**os.environ, "SLOGDB_STATIC_ROOT": str(FOLDER)},
            check=True,
        )
        files.note_source()


def _note_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.source")
