"""What a test asserts of a page it waits for: how fast a machine is decides nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
OF_PAGES = sorted(path for path in FOLDER.rglob("*.py") if {"browser", "js"} & set(path.parts))
# What Playwright answers at once. `expect`, `becomes` and `changes` wait.
ANSWERS = {
    *("is_visible", "is_hidden", "is_checked", "is_enabled", "is_disabled", "is_editable", "is_focused"),
    *("inner_text", "all_inner_texts", "text_content", "all_text_contents", "inner_html", "input_value"),
    *("get_attribute", "bounding_box", "count", "title", "content"),
}
SLEEPS = {"wait_for_timeout", "sleep"}


def of_page(node: ast.AST) -> Iterator[ast.AST]:
    """What in this is read of a page; what a lambda reads is read again until it fits."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_query = "objects" in ast.unparse(node.func.value)
        if node.func.attr in ANSWERS and not is_query:
            yield node
    if isinstance(node, ast.Attribute) and node.attr == "url" and "page" in ast.unparse(node.value):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from of_page(child)


def evaluated(node: ast.AST) -> bool:
    calls = (
        one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
    )
    return any(call.func.attr in {"evaluate", "evaluate_all"} for call in calls)


def assert_lines(function: ast.AST) -> Iterator[int]:
    """Lines that assert what was read at once, there or into a name before."""
    read: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(of_page(node.value)):
            read |= {
                one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
            }
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            names = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
            if any(of_page(node.test)) or evaluated(node.test) or names & read:
                yield node.lineno


def sleep_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SLEEPS:
            yield node.lineno


def faults(text: str) -> list[int]:
    tree = ast.parse(text)
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    asserted = (line for function in functions for line in assert_lines(function))
    return sorted({*asserted, *sleep_lines(tree)})


def test_no_test_of_a_page_asserts_what_it_did_not_wait_for():
    found = {str(path.relative_to(FOLDER)): faults(path.read_text(encoding="utf-8")) for path in OF_PAGES}
    assert len(found) > 20
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "assert page.get_by_text('x').is_visible()",
        "assert not page.locator('x').is_hidden()",
        "assert page.locator('x').count() == 0",
        "assert page.url.endswith('/')",
        "assert 'x' in page.locator('x').inner_text()",
        "assert page.evaluate('scrollX') == 0",
        "text = page.locator('x').text_content(); assert text == 'x'",
        "page.wait_for_timeout(200)",
    ],
)
def test_what_is_read_at_once_is_refused(line):
    assert faults(f"def test(page):\n    {line}\n") == [2]


@pytest.mark.parametrize(
    "line",
    [
        "expect(page.get_by_text('x')).to_be_visible()",
        "becomes(lambda: page.evaluate('scrollX'), 0)",
        "assert Result.objects.count() == 1",
    ],
)
def test_what_waits_is_not(line):
    assert faults(f"def test(page):\n    {line}\n") == []
