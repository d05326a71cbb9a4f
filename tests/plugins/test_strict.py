import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPS = {
    "a test": "import pytest\n@pytest.mark.skip(reason='not today')\ndef test_it(): pass\n",
    "a module": "import pytest\npytest.importorskip('no_such_module')\n",
}
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert False\n"


def run_pytest(folder: Path, test: str, *, ci: str) -> int:
    (folder / "test_trial.py").write_text(test)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.plugins.strict",
        "--rootdir",
        str(folder),
    ]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, str(folder)], cwd=folder, env=environment, capture_output=True
    ).returncode


@pytest.mark.parametrize("skipped", SKIPS)
def test_in_ci_a_skip_is_a_failure(tmp_path, skipped):
    failures = {pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}  # the latter while collecting
    assert run_pytest(tmp_path, SKIPS[skipped], ci="true") in failures


def test_in_ci_a_failure_that_is_expected_is_one_too(tmp_path):
    assert run_pytest(tmp_path, EXPECTED_FAILURE, ci="true") == pytest.ExitCode.TESTS_FAILED
    assert run_pytest(tmp_path, EXPECTED_FAILURE, ci="") == pytest.ExitCode.OK
