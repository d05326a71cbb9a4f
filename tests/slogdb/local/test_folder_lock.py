import os
import subprocess
import sys

import pytest

from slogdb.local.process import FolderLock, LockedError

HOLD_AND_DIE = """
import os, pathlib, signal, sys
from slogdb.local.process import FolderLock
with FolderLock(pathlib.Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_second_holder_learns_who_the_first_is(tmp_path):
    with FolderLock(tmp_path), pytest.raises(LockedError) as refused, FolderLock(tmp_path):
        pass
    assert refused.value.holder == str(os.getpid())


def test_a_holder_that_was_killed_holds_no_more(tmp_path):
    subprocess.run([sys.executable, "-c", HOLD_AND_DIE, str(tmp_path)])
    with FolderLock(tmp_path):
        assert (tmp_path / "lock").read_text() == str(os.getpid())
