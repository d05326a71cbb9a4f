"""Texts of pages that tests compare with stored files; `--update-snapshots` writes them."""

from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "snapshots"
Compare = Callable[[str, Mapping[str, str]], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-snapshots", action="store_true", help="store what the snapshot tests find")


@pytest.fixture
def compare_snapshots(request: pytest.FixtureRequest) -> Compare:
    """Fail with the difference between texts by name and the files of a group, unless they are to be written."""
    return write if request.config.getoption("--update-snapshots") else compare


def compare(group: str, found: Mapping[str, str], folder: Path = FOLDER) -> None:
    stored = {path.stem: path.read_text(encoding="utf-8") for path in (folder / group).glob("*.txt")}
    differences = [
        line
        for name in sorted(stored.keys() | found)
        for line in unified_diff(
            stored.get(name, "").splitlines(),
            found.get(name, "").splitlines(),
            f"{group}/{name}.txt" if name in stored else "missing: no such snapshot",
            "this run" if name in found else "unused: nothing is called so",
            lineterm="",
        )
    ]
    if differences or stored.keys() != found.keys():
        changed = "\n".join(differences) or f"missing or unused: {sorted(stored.keys() ^ found.keys())}"
        pytest.fail(f"{changed}\n\nIf all of this is meant: --update-snapshots", pytrace=False)


def write(group: str, found: Mapping[str, str], folder: Path = FOLDER) -> None:
    of_group = folder / group
    of_group.mkdir(parents=True, exist_ok=True)
    for path in of_group.glob("*.txt"):
        path.unlink()
    for name, text in found.items():
        (of_group / f"{name}.txt").write_text(text, encoding="utf-8")
