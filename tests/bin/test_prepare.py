"""What bin/serve and bin/test do before Python takes over, with stand-ins for Python, pip and uv."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("basename", "cat", "chmod", "cmp", "cp", "dirname", "mkdir", "rm", "sh")
# Notes how it is called; is too old where OLD is 1; has no pip for others where PIP is 1, and no site where PORT is
# taken; makes a .venv whose Python is another of its kind.
PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) exit $OLD ;;
  --version) echo "Python 3.x" ;;
  "-m venv --without-pip .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *"--python .venv/bin/python --version") exit $PIP ;;
  *" install "*|"-m ensurepip"|"-m slogdb.local.serve"*) echo "$(basename "$(dirname "$0")") $*" >> calls ;;
  "-m pip --version") exit 1 ;;
esac
case "$*" in
  *--check*) [ "$PORT" != taken ] || { echo "bin/serve: taken" >&2; exit 1; } ;;
esac
"""
OPTIONS = "--quiet --disable-pip-version-check --require-hashes -r requirements.txt"
INSTALL = f"-m pip --python .venv/bin/python install {OPTIONS}"
UV = """#!/bin/sh
case "$*" in
  *venv*) mkdir -p .venv/bin && cp "$(dirname "$0")/python3" .venv/bin/python ;;
esac
echo "uv $*" >> calls
"""


class Checkout:
    """The two commands and what they install, on a machine that has little else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tools = folder / "tools"
        self._tools.mkdir()
        for name in TOOLS:
            (self._tools / name).symlink_to(str(shutil.which(name)))
        shutil.copytree(ROOT / "bin", folder / "bin")
        (folder / "requirements.txt").write_text("django==5.2\n")
        self.add_tool("python3", PYTHON)

    def add_tool(self, name: str, script: str) -> None:
        tool = self._tools / name
        tool.write_text(script)
        tool.chmod(0o755)

    def serve(
        self, *arguments: str, is_old: bool = False, user: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.folder / "bin" / "serve"), *arguments],
            env={"PATH": str(self._tools), "OLD": "1" if is_old else "0", "PIP": "0", **environment},
            user=user,
            capture_output=True,
            text=True,
        )

    def calls(self) -> list[str]:
        """What was called since the last time of asking, and which Python it was: of tools/ or of .venv/bin/."""
        path = self.folder / "calls"
        if not path.exists():
            return []
        lines = path.read_text().splitlines()
        path.unlink()
        return lines


@pytest.fixture
def checkout() -> Iterator[Checkout]:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Checkout(Path(folder))


def test_packages_are_installed_again_only_when_the_pins_have_changed(checkout):
    check = "tools -m slogdb.local.serve --check"
    checkout.serve("--demo")
    assert checkout.calls() == [f"{check} --demo", f"tools {INSTALL}", "bin -m slogdb.local.serve --demo"]
    checkout.serve()
    assert checkout.calls() == ["bin -m slogdb.local.serve"]
    (checkout.folder / "requirements.txt").write_text("django==5.2.1\n")
    checkout.serve()
    assert checkout.calls() == [check, f"tools {INSTALL}", "bin -m slogdb.local.serve"]


def test_a_python_whose_pip_can_t_install_for_another_gives_the_venv_its_own(checkout):
    checkout.serve(PIP="1")
    own = INSTALL.replace(" --python .venv/bin/python", "")
    assert checkout.calls()[1:-1] == ["bin -m ensurepip", f"bin {own}"]


def test_help_and_a_taken_port_are_answered_before_anything_is_installed(checkout):
    checkout.serve("--demo", "--help")
    assert checkout.calls() == ["tools -m slogdb.local.serve --demo --help"]
    done = checkout.serve(PORT="taken")
    assert (done.returncode, done.stderr) == (1, "bin/serve: taken\n")
    assert checkout.calls() == ["tools -m slogdb.local.serve --check"]
    assert not (checkout.folder / ".venv").exists()


def test_uv_makes_and_fills_the_venv_where_it_is_installed(checkout):
    checkout.add_tool("uv", UV)
    checkout.serve()
    python = checkout.folder / "tools" / "python3"
    assert [call for call in checkout.calls() if call != "uv --version"] == [
        "tools -m slogdb.local.serve --check",
        f"uv venv --quiet --python {python} .venv",
        "uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.txt",
        "bin -m slogdb.local.serve",
    ]


def test_a_python_that_is_too_old_is_refused(checkout):
    done = checkout.serve(is_old=True)
    assert done.returncode == 1
    assert done.stderr.endswith("needs Python 3.11 or newer (python3 is: Python 3.x)\n")
    assert not (checkout.folder / ".venv").exists()


@pytest.mark.parametrize("locked", [".", "var"])
def test_a_checkout_that_may_not_be_written_to_is_refused(checkout, locked):
    (checkout.folder / "var").mkdir()
    (checkout.folder / locked).chmod(0o555)
    done = checkout.serve(user="nobody" if os.geteuid() == 0 else None)
    assert done.returncode == 1
    assert done.stderr.endswith(f"no write access to {checkout.folder}: it keeps .venv and var there\n")
