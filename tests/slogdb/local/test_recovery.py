"""PostgreSQL is started again if its first recovery after a crash fails over a file that is in its way."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from slogdb.local.process import ProcessError, Program
from slogdb.local.serve import start_postgres
from slogdb.local.supervisor import Supervisor
from tests.slogdb.local.test_supervisor import program

FAILS_ONCE = """
import sys, time
from pathlib import Path
tried = Path("{folder}/tried")
if not tried.exists():
    tried.touch()
    sys.exit('FATAL: could not create file "base/44512/44810": {why}')
Path("{folder}/ready").touch()
time.sleep(600)
"""


def postgres(folder: Path, why: str) -> Program:
    code = FAILS_ONCE.format(folder=folder, why=why)
    return program(folder, "PostgreSQL", code, is_ready=(folder / "ready").exists)


def test_a_recovery_that_fails_over_a_file_in_its_way_is_repeated(tmp_path, caplog):
    stack = SimpleNamespace(postgres=lambda: postgres(tmp_path, "File exists"))
    with Supervisor(first_delay_s=0.01) as supervisor:
        start_postgres(stack, supervisor)
        assert (tmp_path / "ready").exists()
    assert "the second one repairs" in caplog.text
    assert caplog.text.count("Stopping PostgreSQL") == 1  # the first start is forgotten


def test_any_other_failure_is_one(tmp_path):
    stack = SimpleNamespace(postgres=lambda: postgres(tmp_path, "Permission denied"))
    with Supervisor(first_delay_s=0.01) as supervisor, pytest.raises(ProcessError, match="Permission denied"):
        start_postgres(stack, supervisor)
    assert not (tmp_path / "ready").exists()
