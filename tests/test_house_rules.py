"""Rules about the checkout's contents: test cases are complete, paths are portable, links resolve."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = {"__pycache__", "migrations", "node_modules", "staticfiles", "var", "vendor"}
GOLDEN_ENDINGS = {"accepted": ".json", "rejected": ".error"}
PLACES_OF_ONE_MACHINE = re.compile(r"/(?:root|work|home/[a-z]+)/|(?:127\.0\.0\.1|localhost)[:\d]*/simple")
UNESCAPED = re.compile(r"\|\s*safe(?:seq)?\b|autoescape\s+off")
SHAPE = re.compile(r"(?<!\?P)<(?:svg|g|path|circle|ellipse|rect|line|text|tspan|use|marker)[ />]")
CONSTANT = re.compile(r"setattr\([^)]*[\"'.][A-Z][A-Z0-9_]+[\"']")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)[^)]*\)")


def our_files() -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS and (name == ".ci" or name[0] != ".")]
        yield from (Path(folder, name) for name in names)


FILES = sorted(our_files())


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_corpus_case_has_its_golden_and_every_golden_its_case():
    cases = {path for path in FILES if "corpus" in path.parts and path.suffix in {".txt", ".json", ".error"}}
    pairs = [(path, path.with_suffix(GOLDEN_ENDINGS[path.parent.name])) for path in cases]
    pairs += [(path, path.with_suffix(".txt")) for path in cases]
    alone = {f"{short(path)} lacks {partner.name}" for path, partner in pairs if partner not in cases}
    assert alone == set()


def test_no_file_contains_machine_specific_paths():
    text = {short(path): path.read_bytes().decode("utf-8", "replace") for path in FILES}
    assert [name for name, content in text.items() if PLACES_OF_ONE_MACHINE.search(content)] == []


def test_templates_escape_what_they_show():
    """What is markup already says so where it is made (`mark_safe`, which ruff looks at)."""
    templates = {short(path): path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".html"}
    assert len(templates) > 100
    assert [name for name, text in templates.items() if UNESCAPED.search(text)] == []


def test_python_contains_no_svg_markup():
    """Charts describe their marks (results/charts/plot.py); what turns those into SVG writes any element."""
    code = {short(path): path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".py"}
    site = {name: text for name, text in code.items() if name.startswith(("results/", "slogdb/", "parsers/"))}
    assert len(site) > 400
    assert [name for name, text in site.items() if SHAPE.search(text)] == []


def test_no_test_changes_a_constant():
    """What a test varies is an argument, a setting or an attribute."""
    tests = [path for path in FILES if short(path).startswith("tests/") and path.suffix == ".py"]
    assert len(tests) > 400
    changing = {path for path in tests if CONSTANT.search(path.read_text(encoding="utf-8"))}
    assert set(map(short, changing)) == set()


def test_links_between_documents_are_valid():
    broken = [
        f"{short(path)}: {target}"
        for path in FILES
        if path.suffix == ".md"
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists()
    ]
    assert broken == []
