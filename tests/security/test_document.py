"""What docs/security.md says is shown by a test is shown by a test that there is."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_named_in_the_document_exists():
    named = set(NAMED.findall(DOCUMENT))
    assert len(named) > 40
    for path, name in sorted(named):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, (
            f"{path}: {name}"
        )


def test_every_requirement_names_its_test():
    rows = [line for line in DOCUMENT.splitlines() if re.match(r"\| \d", line)]
    assert [row for row in rows if not NAMED.search(row)] == []
