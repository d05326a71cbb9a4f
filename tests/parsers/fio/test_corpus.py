"""Every case of corpus/fio_text and corpus/fio_json: a paste, and what it states."""

import json
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted(CORPUS.glob("fio_[jt]*/accepted/*.txt"))
REJECTED = sorted(CORPUS.glob("fio_[jt]*/rejected/*.txt"))


def read_case(paste: Path) -> dict[str, object]:
    printed = json.loads(to_json(parse_paste(paste.read_bytes(), unit_key=b"key")))
    warnings = [{"code": warning["code"], "line": warning["line"]} for warning in printed["warnings"]]
    return {"readings": [stated(reading) for reading in printed["readings"]], "warnings": warnings}


def stated(value):
    """The fields that are not null, at every depth: the labels leave the others out."""
    if isinstance(value, dict):
        return {name: stated(item) for name, item in value.items() if item is not None}
    return [stated(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("paste", ACCEPTED, ids=lambda paste: f"{paste.parts[-3]}/{paste.stem}")
def test_a_run_is_read_to_the_last_field(paste):
    assert read_case(paste) == json.loads(paste.with_suffix(".json").read_text())


@pytest.mark.parametrize("paste", REJECTED, ids=lambda paste: f"{paste.parts[-3]}/{paste.stem}")
def test_a_text_without_a_run_gives_a_warning_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}


def test_forum_formatting_changes_no_figure(subtests):
    for paste in ACCEPTED:
        for name, decorated in zip(
            ["quoted", "numbered", "numbered-with-tabs", "indented", "non-breaking", "collapsed"],
            [
                lambda _number, line: f"> {line}",
                lambda number, line: f"{number}. {line}",
                lambda number, line: f"{number:6}\t{line}",
                lambda _number, line: f"    {line}\r",
                lambda _number, line: line.replace("  ", "\u00a0 "),
                lambda _number, line: " ".join(line.split()),
            ],
            strict=True,
        ):
            with subtests.test(f"{paste.parts[-3]}/{paste.stem} {name}"):
                lines = [
                    decorated(number, line) for number, line in enumerate(paste.read_text().splitlines(), 1)
                ]
                assert jobs_of("\n".join(lines)) == jobs_of(paste.read_text())


def jobs_of(text):
    return [reading.jobs for reading in parse_paste(text, unit_key=b"key").readings]
