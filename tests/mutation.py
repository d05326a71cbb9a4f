"""How many small faults in a module its tests notice; not part of the suite.

    .venv/bin/python -m tests.mutation results/ranking/ties.py tests/results/ranking/test_ties.py

Draws mutants by a seed (other operators, numbers and conditions), runs the tests with each in a copy of the checkout,
and prints the lines of those that survive. One that a timeout ends counts as noticed.
"""

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT_S = 300
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[ast.Module]:
    """Each with one change: another operator or number, a reversed condition, or None returned."""
    for at, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            mutant = copy.deepcopy(tree)
            change(next(other for place, other in enumerate(ast.walk(mutant)) if place == at))
            yield mutant


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = (ROOT / options.module).read_text()
    texts = sorted(
        {ast.unparse(mutant) for mutant in mutants(ast.parse(source))} - {ast.unparse(ast.parse(source))}
    )
    drawn = random.Random(options.seed).sample(texts, min(options.count, len(texts)))  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(".git", "var", ".venv"))
        survivors = [text for text in drawn if _survives(checkout, options.module, text, options.tests)]
    for text in survivors:
        sys.stdout.write(_difference(source, text))
    sys.stdout.write(
        f"{options.module}: {len(drawn) - len(survivors)} of {len(drawn)} noticed, seed {options.seed}\n"
    )


def _survives(checkout: Path, module: Path, text: str, tests: list[str]) -> bool:
    (checkout / module).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=checkout, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _difference(source: str, text: str) -> str:
    """The lines that only the mutant has."""
    usual = set(ast.unparse(ast.parse(source)).splitlines())
    return "".join(f"survives: {line.strip()}\n" for line in text.splitlines() if line not in usual)


if __name__ == "__main__":
    main()
