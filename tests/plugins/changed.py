"""`bin/test --changed`: the tests of what a branch changed, in folders of the same names, and all that import it."""

import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bench", "parsers", "results", "slogdb", "tests")
OF_ALL = (
    "tests/conftest.py",
    "tests/plugins/",
    "results/migrations/",
    "slogdb/settings.py",
    "requirements",
    "pyproject",
)
SHOWN = ("results/", "parsers/", "templates/", "slogdb/", "tests/snapshots/")  # what pages and the API show
WITH_PAGES = ("tests/results/test_snapshots.py", "tests/results/test_every_address.py")
ALWAYS = ("tests/test_house_rules.py", "tests/templates/test_house_rules.py")
SCRIPTS = ("tests/js", "tests/browser")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--changed", action="store_true", help="run the tests of what differs from the branch main"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the file out, or leave the decision to others."""
    if not config.getoption("--changed") or not collection_path.name.startswith("test_"):
        return None
    found = files_to_run(changed_files())
    return True if found is not None and collection_path not in found else None


@cache
def changed_files() -> tuple[str, ...]:
    """What differs from where the branch left main, and on main from the commit before the last, with new files."""
    base, head = (_git("merge-base", "HEAD", "main"), _git("rev-parse", "HEAD"))
    since = "HEAD^" if base == head else base[0]
    return (*_git("diff", "--name-only", since), *_git("ls-files", "--others", "--exclude-standard"))


def _git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@cache
def files_to_run(changed: tuple[str, ...]) -> frozenset[Path] | None:
    """The files of tests to run; None for all of them."""
    folders = [_folder_of(name) for name in changed]
    if any(name.startswith(OF_ALL) for name in changed) or "tests" in folders:
        return None
    named = {*ALWAYS, *folders, *_importing(changed)}
    if any(name.startswith(SHOWN) for name in changed):
        named.update(WITH_PAGES)
    if any(name.startswith("static/js/") for name in changed):
        named.update(SCRIPTS)
    return frozenset(path for name in named for path in _test_files(ROOT / name))


def _folder_of(name: str) -> str:
    """The tests of a file: those in the folder that is called like its own, or like the nearest one above."""
    if name.startswith("tests/snapshots/"):
        return WITH_PAGES[0]
    path = Path(name.removeprefix("tests/").removeprefix("templates/"))
    if path.parent == Path() and path.suffix == ".md":
        return "tests/docs"
    return next(
        f"tests/{folder}".removesuffix("/.")
        for folder in path.parents
        if any((ROOT / "tests" / folder).rglob("test_*.py"))
    )


def _importing(changed: Iterable[str]) -> Iterator[str]:
    """The files of tests that import one of these, or something that does."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    for name in changed:
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if name.endswith(".py") and module in graph.modules:
            for found in {module, *graph.find_downstream_modules(module)}:
                yield f"{found.replace('.', '/')}.py"


def _test_files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from path.rglob("test_*.py")
    elif path.name.startswith("test_") and path.exists():
        yield path
