"""Every case of corpus/pg_test_fsync and corpus/pveperf: a paste, what it states, and what forums do to it."""

import html
import json
import textwrap
from pathlib import Path

import pytest

from parsers.paste import parse_paste
from tests.parsers.fio.test_corpus import read_case

CORPUS = Path(__file__).parent / "corpus"
TOOLS = ("pg_test_fsync", "pveperf")
ACCEPTED = sorted(path for tool in TOOLS for path in (CORPUS / tool / "accepted").glob("*.txt"))
REJECTED = sorted(path for tool in TOOLS for path in (CORPUS / tool / "rejected").glob("*.txt"))


def name_of(paste):
    return f"{paste.parts[-3]}/{paste.stem}"


@pytest.mark.parametrize("paste", ACCEPTED, ids=name_of)
def test_a_run_is_read_to_the_last_field_and_names_nobody(paste):
    label = json.loads(paste.with_suffix(".json").read_text())
    secrets = label.pop("secrets", [])
    assert read_case(paste) == label
    text = parse_paste(paste.read_bytes(), unit_key=b"key").text
    assert [secret for secret in secrets if secret in text] == []


@pytest.mark.parametrize("paste", REJECTED, ids=name_of)
def test_a_text_without_a_run_gives_a_warning_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}
    (left_out,) = parse_paste(paste.read_bytes(), unit_key=b"key").left_out
    assert left_out.code == code


def each(change):
    return lambda text: "\n".join(change(number, line) for number, line in enumerate(text.splitlines(), 1))


def broken_at(width):
    return each(
        lambda _number, line: "\n".join(line[at : at + width] for at in range(0, len(line) or 1, width))
    )


def filled_to(width):
    return each(lambda _number, line: "\n".join(textwrap.wrap(line, width, break_on_hyphens=False)))


def test_mangling_the_lines_changes_no_figure(subtests):
    for paste in [paste for paste in ACCEPTED if "impossible" not in paste.stem]:
        for damaged in {
            "quoted": each(lambda _number, line: f"> {line}"),
            "numbered": each(lambda number, line: f"{number}. {line}"),
            "numbered with tabs": each(lambda number, line: f"{number:6}\t{line}"),
            "a comment": each(lambda _number, line: f"// {line}"),
            "a log": each(lambda number, line: f"Nov 12 03:10:{number:02} box7 run[71]: {line}"),
            "grep": each(lambda number, line: f"out/run.txt:{number}:{line}"),
            "chat": each(lambda number, line: f"[12:{number:02}:11] <cedar> {line}"),
            "carriage returns": each(lambda _number, line: f"{line}\r"),
            "non-breaking": lambda text: text.replace("  ", "\u00a0 "),
            "collapsed": each(lambda _number, line: " ".join(line.split())),
            "tabs": lambda text: text.replace("        ", "\t"),
            "a page": lambda text: f"<pre>{html.escape(text)}</pre>",
            "line breaks of a page": lambda text: html.escape(text).replace("\n", "<br>"),
            "a list of strings": lambda text: repr(text.splitlines()),
            "a string of JSON": lambda text: json.dumps({"output": text}),
            "cat -A": each(lambda _number, line: line.replace("\t", "^I") + "$"),
            "a quote of a forum": lambda text: f'[QUOTE="cedar, post: 7"]\n{text}[/QUOTE]',
            "pipes": each(lambda _number, line: f"| {line} |"),
            "a remark": each(lambda _number, line: f"{line}   <- hm" if "/op" in line else line),
            **{f"a terminal of {width} columns": broken_at(width) for width in (80, 64, 50, 40)},
            **{f"mail of {width} columns": filled_to(width) for width in (78, 64, 50, 40)},
        }.items():
            with subtests.test(f"{name_of(paste)} {damaged[0]}"):
                _name, damage = damaged
                text = paste.read_text()
                assert figures_of(damage(text)) == figures_of(text)


def figures_of(text):
    figures = ("cpu_bogomips", "regex_s", "hd_size_gb", "buffered_reads_mb_s", "average_seek_ms", "fsyncs_s")
    return [
        (one.seconds_per_test, one.rows)
        if one.kind == "pg_test_fsync"
        else tuple(getattr(one, name) for name in figures)
        for one in parse_paste(text, unit_key=b"key").readings
    ]
