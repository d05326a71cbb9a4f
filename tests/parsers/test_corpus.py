"""Every case of corpus/: a paste, what it states, and what forums, mail and terminals do to it."""

import html
import json
import textwrap
from itertools import groupby, islice
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from tests.growth import SIZE, is_linear
from tests.parsers.samples import parse

CORPUS = Path(__file__).parent / "corpus"
ACCEPTED = sorted(CORPUS.glob("*/accepted/*.txt"))
REJECTED = sorted(CORPUS.glob("*/rejected/*.txt"))
OF_POOLS = {"dd", "zpool", "iozone", "fio_log", "dtrace", "biolatency", "slogprobe"}
OF_FILES = {"pg_test_fsync", "pveperf"}
CONTEXT = {"first_line", "last_line", "path", "layer", "source"}  # lines, and what stands beside the figures


def tool_of(paste):
    return paste.parts[-3]


def name_of(paste):
    return f"{tool_of(paste)}/{paste.stem}"


def read(raw):
    return json.loads(to_json(parse(raw)))


def read_case(paste):
    """What is printed, and of the warnings their codes and lines; of smartctl's only those about a line."""
    printed = read(paste.read_bytes())
    warnings = [{"code": warning["code"], "line": warning["line"]} for warning in printed["warnings"]]
    if tool_of(paste).startswith("smartctl"):
        warnings = [warning for warning in warnings if warning["line"]]
    return stated({"readings": printed["readings"], "warnings": warnings})


def stated(value):
    """The fields that are not null, at every depth: the labels leave the others out."""
    if isinstance(value, dict):
        return {name: stated(item) for name, item in value.items() if item is not None}
    return [stated(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("paste", ACCEPTED, ids=name_of)
def test_output_is_read_to_the_last_field_and_names_nobody(paste):
    label = json.loads(paste.with_suffix(".json").read_text())
    secrets = label.pop("secrets", [])
    assert read_case(paste) == stated(label)
    printed = to_json(parse(paste.read_bytes()))
    assert [secret for secret in secrets if secret in printed] == []


@pytest.mark.parametrize("paste", REJECTED, ids=name_of)
def test_a_text_without_output_gives_a_warning_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}


def each(change):
    return lambda text: "\n".join(change(number, line) for number, line in enumerate(text.splitlines(), 1))


def broken_at(width):
    return each(
        lambda _number, line: "\n".join(line[at : at + width] for at in range(0, len(line) or 1, width))
    )


def filled_to(width):
    return each(lambda _number, line: "\n".join(textwrap.wrap(line, width, break_on_hyphens=False)))


EVERYWHERE = {
    "quoted": each(lambda _number, line: f"> {line}"),
    "numbered": each(lambda number, line: f"{number}. {line}"),
    "numbered with tabs": each(lambda number, line: f"{number:6}\t{line}"),
    "carriage returns": each(lambda _number, line: f"{line}\r"),
    "non-breaking": lambda text: text.replace("  ", "\u00a0 "),
    "a page": lambda text: f"<pre>{html.escape(text)}</pre>",
    "line breaks of a page": lambda text: html.escape(text).replace("\n", "<br>"),
    "a fence": lambda text: f"This is it:\n```\n{text}```\nThanks",
    "cat -A": each(lambda _number, line: line.replace("\t", "^I") + "$"),
}
IN_WHOLE_LINES = {
    "indented": each(lambda _number, line: f"    {line}"),
    "trailing blanks": each(lambda _number, line: f"{line}   "),
    "collapsed": each(lambda _number, line: " ".join(line.split())),
    "double-spaced": each(lambda _number, line: f"{line}\n"),
    "a quote of a forum": lambda text: f'[QUOTE="cedar, post: 7"]\n{text}[/QUOTE]',
}
OF_ROWS = {
    "a comment": each(lambda _number, line: f"// {line}"),
    "a log": each(lambda number, line: f"Nov 12 03:10:{number:02} box7 run[71]: {line}"),
    "grep": each(lambda number, line: f"out/run.txt:{number}:{line}"),
    "chat": each(lambda number, line: f"[12:{number:02}:11] <cedar> {line}"),
    "tabs": lambda text: text.replace("        ", "\t"),
    "a list of strings": lambda text: repr(text.splitlines()),
    "a string of JSON": lambda text: json.dumps({"output": text}),
    "pipes": each(lambda _number, line: f"| {line} |"),
    "a remark": each(lambda _number, line: f"{line}   <- hm" if "/op" in line else line),
    **{f"a terminal of {width} columns": broken_at(width) for width in (80, 64, 50, 40)},
    **{f"mail of {width} columns": filled_to(width) for width in (78, 64, 50, 40)},
}
AT_80_COLUMNS = {"a terminal of 80 columns": broken_at(80)}
# What has lost its lines already, or needs its columns
EXCEPTIONS = {
    *(("example-disk--wrapped-at-40-columns", name) for name in IN_WHOLE_LINES),
    *(("example-ssd--wrapped-at-80-columns", name) for name in IN_WHOLE_LINES),
    *(("example-sas-disk--labels-alone-on-their-lines", name) for name in IN_WHOLE_LINES),
    ("sample-disk--wrapped-and-cut", "double-spaced"),
    ("sample-disk--job-file", "a quote of a forum"),
    ("sample-pool--status-iostat-and-properties", "collapsed"),  # tests/parsers/zpool/test_read.py
    ("sample-log--iopattern-and-sizes", "double-spaced"),
}


def damages_of(paste):
    tool = tool_of(paste)
    wrapped = AT_80_COLUMNS if tool in {"smartctl_ata", "smartctl_nvme", "smartctl_scsi"} else {}
    of_rows = OF_ROWS if tool in OF_FILES and "impossible" not in paste.stem else {}
    found = EVERYWHERE | IN_WHOLE_LINES | wrapped | of_rows
    return {name: damage for name, damage in found.items() if (paste.stem, name) not in EXCEPTIONS}


def test_mangling_the_lines_changes_no_figure(subtests):
    """Each damage to every third case of a tool that has many.

    Of diskinfo's output tests/parsers/text/test_clean.py tries more.
    """
    for tool, pastes in groupby(ACCEPTED, tool_of):
        cases = [*pastes] if tool != "diskinfo" else []
        step = 3 if len(cases) > 3 else 1
        for at, paste in enumerate(cases):
            text = paste.read_text(errors="replace")
            figures = figures_of(text)
            for name, damage in islice(damages_of(paste).items(), at % step, None, step):
                with subtests.test(f"{name_of(paste)} {name}"):
                    assert figures_of(damage(text)) == figures


def figures_of(text):
    return [
        {name: value for name, value in reading.items() if name not in CONTEXT}
        for reading in read(text)["readings"]
    ]


@pytest.mark.parametrize("paste", [path for path in ACCEPTED if tool_of(path) in OF_POOLS], ids=name_of)
def test_keeping_and_reading_many_outputs_takes_linear_time(paste):
    text = paste.read_text()

    def repeated(size):
        return text * (size // len(text) + 1)

    assert is_linear(parse, repeated(SIZE // 4), repeated(SIZE))
