"""What a machine can hold us to of the house's rules, over every file of the checkout that is ours."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = {"__pycache__", "migrations", "node_modules", "staticfiles", "var", "vendor"}
LONGEST_FILE = 300
LONGEST_FUNCTION = 50
MOST_POSITIONAL = 3
CODE_FOLDERS = {"parsers", "results", "slogdb"}
GOLDEN_ENDINGS = {"accepted": ".json", "rejected": ".error"}
EMPTY_NAMES = {"common", "helper", "helpers", "misc", "services", "util", "utils"}
PLACES_OF_ONE_MACHINE = re.compile(r"/(?:root|work|home/[a-z]+)/|(?:127\.0\.0\.1|localhost)[:\d]*/simple")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)[^)]*\)")


def our_files() -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS and (name == ".ci" or name[0] != ".")]
        yield from (Path(folder, name) for name in names)


FILES = sorted(our_files())
SUBMITTER = ROOT / "results" / "web" / "slogdb-submit"
PYTHON = [path for path in FILES if path.suffix == ".py"]
CODE = [
    path
    for path in FILES
    if path.suffix in {".py", ".js", ".css", ".html", ".sh"} or "bin" in path.parts or path == SUBMITTER
]
LONGER = {SUBMITTER: 800}  # a machine that has only a shell fetches one file


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_no_file_is_longer_than_a_reader_can_hold():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    too_long = {path: length for path, length in lengths.items() if length > LONGER.get(path, LONGEST_FILE)}
    assert {short(path): length for path, length in too_long.items()} == {}


def test_no_function_is_longer_than_a_screen():
    lengths = {
        f"{short(path)}:{function.name}": (function.end_lineno or 0) - function.lineno + 1
        for path in PYTHON
        for function in functions(path)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_what_a_function_takes_beyond_three_is_named():
    """Tests ask for fixtures by name anyway."""
    counts = {
        f"{short(path)}:{function.name}": len(function.args.posonlyargs)
        + len(function.args.args)
        - (bool(function.args.args) and function.args.args[0].arg in {"self", "cls"})
        for path in PYTHON
        if "tests" not in path.parts
        for function in functions(path)
    }
    assert {name: count for name, count in counts.items() if count > MOST_POSITIONAL} == {}


def test_a_name_says_what_is_in_the_file():
    parts = {part.removesuffix(".py") for path in PYTHON for part in path.relative_to(ROOT).parts}
    assert parts & EMPTY_NAMES == set()


def test_every_folder_of_tests_is_a_package():
    """One without __init__.py would be skipped in silence."""
    folders = {path.parent for path in PYTHON if "tests" in path.parts}
    assert [short(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_folder_of_code_has_its_folder_of_tests():
    folders = {path.parent for path in PYTHON if path.relative_to(ROOT).parts[0] in CODE_FOLDERS}
    plain = [folder.relative_to(ROOT) for folder in folders if any(folder.glob("[!_]*.py"))]
    untested = [folder.as_posix() for folder in plain if not any((ROOT / "tests" / folder).glob("test_*.py"))]
    assert untested == []


def test_every_corpus_case_has_its_golden_and_every_golden_its_case():
    cases = {path for path in FILES if "corpus" in path.parts and path.suffix in {".txt", ".json", ".error"}}
    pairs = [(path, path.with_suffix(GOLDEN_ENDINGS[path.parent.name])) for path in cases]
    pairs += [(path, path.with_suffix(".txt")) for path in cases]
    alone = {f"{short(path)} lacks {partner.name}" for path, partner in pairs if partner not in cases}
    assert alone == set()


def test_no_file_names_a_place_of_one_machine():
    text = {short(path): path.read_bytes().decode("utf-8", "replace") for path in FILES}
    assert [name for name, content in text.items() if PLACES_OF_ONE_MACHINE.search(content)] == []


def test_links_between_documents_lead_somewhere():
    broken = [
        f"{short(path)}: {target}"
        for path in FILES
        if path.suffix == ".md"
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists()
    ]
    assert broken == []
