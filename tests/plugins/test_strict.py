"""In CI a skip is a failure, of a test and of a module, and so is a failure that is expected."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRIALS = {
    "test_skipped.py": "import pytest\n@pytest.mark.skip(reason='not today')\ndef test_it(): pass\n",
    "test_module.py": "import pytest\npytest.importorskip('no_such_module')\n",
    "test_expected.py": "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert False\n",
}
COMMAND = [sys.executable, "-m", "pytest", "-p", "tests.plugins.strict", "--continue-on-collection-errors"]


@pytest.mark.parametrize(
    ("ci", "status", "summary"),
    [
        ("true", pytest.ExitCode.TESTS_FAILED, "1 failed, 2 errors in "),
        ("", pytest.ExitCode.OK, "2 skipped, 1 xfailed in "),
    ],
)
def test_in_ci_what_tells_nothing_is_a_failure(tmp_path, ci, status, summary):
    for name, text in TRIALS.items():
        (tmp_path / name).write_text(text)
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [*COMMAND, "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, summary in done.stdout) == (status, True), done.stdout
