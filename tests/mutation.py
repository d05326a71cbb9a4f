"""How many small faults in a part of the site its tests notice; not part of the suite.

    .venv/bin/python -m tests.mutation ranking

Draws mutants by a seed (other operators, numbers and conditions, in Python and in SQL), runs the part's tests with
each in a copy of the checkout, and prints those that survive, each with its number: after a change of the tests,
`--only 3 14` tries these again. One that a timeout ends counts as noticed.
"""

import argparse
import ast
import copy
import difflib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import pytest

from slogdb.local.stack import throwaway_stack

ROOT = Path(__file__).resolve().parents[1]
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
SQL_SWAPS = (
    (" AND ", " OR "), (" < ", " <= "), (" > ", " >= "), (" = ", " <> "), (" IS NULL", " IS NOT NULL"),
    (" - ", " + "), (" * ", " / "), ("bool_and(", "bool_or("), ("max(", "min("), (" ASC", " DESC"),
)  # fmt: skip
FIRST_TESTS = 12  # run before the others
PASSED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # all others may have run first
IS_SQL = re.compile(r"\b(SELECT|WHERE|CASE|FROM|JOIN|AND|OR|ORDER BY|GROUP BY|FILTER|coalesce|IS NOT NULL)\b")


class Part(NamedTuple):
    """What is mutated, and the tests that have to notice it; both as patterns of paths."""

    modules: Sequence[str]
    tests: Sequence[str]


PARTS = {
    "ranking": Part(
        ["results/ranking/[!s]*.py", "results/ranking/standing.py"],  # without senders and strips
        [
            "tests/results/ranking",
            "tests/results/devices/test_verdict.py",
            "tests/results/leaderboard/test_sustained.py",
            "tests/results/test_snapshots.py",
        ],
    ),
    "keep": Part(
        ["parsers/keep*.py", "parsers/*/keep*.py"],
        # Not those of growth, damages and pairing, which take long and are about what is read of the kept lines
        [
            "tests/parsers/test_[!dgpsw]*.py",
            "tests/parsers/test_dating.py",
            "tests/parsers/test_paste.py",
            "tests/parsers/*/test_*.py",
        ],
    ),
    "pairing": Part(
        ["parsers/pairing.py"], ["tests/parsers/test_pairing.py", "tests/parsers/test_which_device.py"]
    ),
    "vouching": Part(
        ["results/ranking/senders.py", "results/submissions/intake/other_results.py"],
        [
            "tests/results/ranking/test_senders.py",
            "tests/results/ranking/test_plain.py",
            "tests/results/ranking/test_recommend*.py",
            "tests/results/submissions/intake/test_[jort]*.py",  # judge, other_results, receive, …, trust
            "tests/results/submissions/api/test_views.py",
            "tests/results/kinds/latency_curve/test_writers.py",
            "tests/results/kinds/file_sync/test_pages.py",
        ],
    ),
    "restore": Part(
        ["results/operations/restore.py"],
        ["tests/results/operations/test_site_role.py", "tests/results/operations/test_restore.py"],
    ),
}


class Mutant(NamedTuple):
    module: Path
    line: int  # of the module as it is
    text: str


def mutants(tree: ast.Module) -> Iterator[tuple[int, ast.Module]]:
    """Each with one change and its line: another operator or number, a reversed condition, or None returned."""
    for at, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            mutant = copy.deepcopy(tree)
            change(next(other for place, other in enumerate(ast.walk(mutant)) if place == at))
            yield getattr(node, "lineno", 0), mutant


def _changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
    """What may be changed in the node of a copy that is in its place."""
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and (swapped := SWAPS.get(type(node.op))):
        yield lambda other: setattr(other, "op", swapped())
    if isinstance(node, ast.Compare) and (compared := SWAPS.get(type(node.ops[0]))):
        yield lambda other: setattr(other, "ops", [compared(), *other.ops[1:]])
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield lambda other: setattr(other, "test", ast.UnaryOp(ast.Not(), other.test))
    if isinstance(node, ast.Return) and node.value is not None:
        yield lambda other: setattr(other, "value", ast.Constant(None))
    if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        yield lambda other: setattr(other, "value", other.value + 1)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and IS_SQL.search(node.value):
        for text in _other_sql(node.value):
            yield lambda other, text=text: setattr(other, "value", text)  # type: ignore[misc]


def _other_sql(sql: str) -> Iterator[str]:
    """The statement with one operator or function swapped."""
    for pair in SQL_SWAPS:
        for old, new in (pair, pair[::-1]):
            for found in re.finditer(rf"(?<!SELECT){re.escape(old)}", sql):
                yield f"{sql[: found.start()]}{new}{sql[found.end() :]}"


def without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body[0] = ast.Expr(ast.Constant("…"))
    return tree


def drawn(part: Part, count: int, seed: int) -> list[Mutant]:
    """Mutants of all modules of the part, at most `count`."""
    found = []
    for module in paths(part.modules):
        tree = without_docstrings(ast.parse((ROOT / module).read_text()))
        lines = {ast.unparse(mutant): line for line, mutant in mutants(tree)}
        found += [Mutant(module, lines[text], text) for text in sorted(lines.keys() - {ast.unparse(tree)})]
    return random.Random(seed).sample(found, min(count, len(found)))  # noqa: S311 - no secret


def paths(patterns: Sequence[str]) -> list[Path]:
    """The paths in the checkout that the patterns match, in order."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.name != "__init__.py"}
    return sorted(path.relative_to(ROOT) for path in found)


class Trial:
    """Copies of the checkout, each with servers of its own, in which tests run.

    Those that noticed most mutants run first, and the rest only if these notice nothing.
    """

    def __init__(self, part: Part, copies: int) -> None:
        self._tests = [path for test in paths(part.tests) for path in self._files(test)]
        self._noticed: Counter[str] = Counter()
        self._timeout_s: float | None = None
        self._copies = copies
        self._ending = ExitStack()
        self._free: SimpleQueue[tuple[Path, dict[str, str]]] = SimpleQueue()

    @staticmethod
    def _files(test: Path) -> list[str]:
        if test.suffix:
            return [str(test)]
        return sorted(str(path.relative_to(ROOT)) for path in (ROOT / test).rglob("test_*.py"))

    def __enter__(self) -> "Trial":
        folder = Path(self._ending.enter_context(tempfile.TemporaryDirectory()))
        for number in range(self._copies):
            checkout = folder / str(number)
            shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns("var", ".venv", "previous_release"))
            environment = self._ending.enter_context(throwaway_stack())
            # As pytest-xdist's workers have: they use the servers that are there.
            self._free.put((checkout, {**environment, "PYTEST_XDIST_WORKER": f"trial{number}"}))
        began = time.monotonic()
        if said := self._fails():
            raise SystemExit(f"the tests fail without a change:\n{said}")
        self._timeout_s = 60 + 3 * (time.monotonic() - began)
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def notices(self, mutant: Mutant) -> bool:
        checkout, environment = self._free.get()
        usual = (checkout / mutant.module).read_text()
        try:
            (checkout / mutant.module).write_text(mutant.text)
            return bool(self._run(checkout, environment))
        finally:
            (checkout / mutant.module).write_text(usual)
            self._free.put((checkout, environment))

    def _fails(self) -> str:
        checkout, environment = self._free.get()
        said = self._run(checkout, environment)
        self._free.put((checkout, environment))
        return said

    def _run(self, checkout: Path, environment: dict[str, str]) -> str:
        """What pytest says of the first test that fails; empty if none does."""
        first = [test for test, _count in self._noticed.most_common(FIRST_TESTS)]
        rest = [*self._tests, *(word for test in first for word in ("--deselect", test))]
        said = self._said(checkout, environment, first) if first else ""
        return said or self._said(checkout, environment, rest)

    def _said(self, checkout: Path, environment: dict[str, str], tests: Sequence[str]) -> str:
        # What shall run first does so: without the suite's own order
        without = ("no:cacheprovider", "no:randomly", "no:tests.plugins.order")
        options = ["-q", "-x", "-n0", "--tb=line", *(word for name in without for word in ("-p", name))]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=checkout,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                timeout=self._timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        if done.returncode in PASSED:
            return ""
        if failed := re.search(r"^(?:FAILED|ERROR) ([^\[\s]+::[^\[\s]+)", done.stdout, re.MULTILINE):
            self._noticed[failed[1]] += 1
        return done.stdout + done.stderr


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=int, default=2)
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER", help="of the mutants drawn")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the servers end then, too
    part = PARTS[options.part]
    numbered = dict(enumerate(drawn(part, options.count, options.seed), 1))
    tried = {number: numbered[number] for number in options.only or numbered}
    with Trial(part, options.copies) as trial, ThreadPoolExecutor(options.copies) as threads:
        noticed = 0
        results = threads.map(trial.notices, tried.values())
        for (number, mutant), is_noticed in zip(tried.items(), results, strict=True):
            noticed += is_noticed
            if not is_noticed:
                sys.stdout.write(f"{number} survives: {mutant.module}:{mutant.line}\n{difference(mutant)}")
                sys.stdout.flush()
    sys.stdout.write(f"{options.part}: {noticed} of {len(tried)} noticed, seed {options.seed}\n")


def difference(mutant: Mutant) -> str:
    """The lines that change, as Python's unparsing writes them; those of SQL apart."""
    tree = without_docstrings(ast.parse((ROOT / mutant.module).read_text()))
    before, after = (text.replace("\\n", "\n").splitlines() for text in (ast.unparse(tree), mutant.text))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return "".join(f"    {line}\n" for line in list(lines)[2:] if not line.startswith("@"))


if __name__ == "__main__":
    main()
