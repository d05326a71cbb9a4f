"""Every case of the tools for pools and access patterns: a paste, what it states, and what forums do to it."""

import html
import json
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from tests.growth import is_linear
from tests.parsers.fio.test_corpus import read_case
from tests.parsers.test_file_sync_corpus import each, name_of

CORPUS = Path(__file__).parent / "corpus"
TOOLS = ("dd", "zpool", "iozone", "fio_log", "dtrace", "biolatency")
ACCEPTED = sorted(path for tool in TOOLS for path in (CORPUS / tool / "accepted").glob("*.txt"))
REJECTED = sorted(path for tool in TOOLS for path in (CORPUS / tool / "rejected").glob("*.txt"))
SIZE = 100_000  # characters
PLACES = ("first_line", "last_line")


@pytest.mark.parametrize("paste", ACCEPTED, ids=name_of)
def test_output_is_read_to_the_last_field_and_names_nobody(paste):
    label = json.loads(paste.with_suffix(".json").read_text())
    secrets = label.pop("secrets", [])
    assert read_case(paste) == label
    printed = to_json(parse_paste(paste.read_bytes(), unit_key=b"key"))
    assert [secret for secret in secrets if secret in printed] == []


@pytest.mark.parametrize("paste", REJECTED, ids=name_of)
def test_a_text_without_output_gives_a_warning_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}


@pytest.mark.parametrize("paste", ACCEPTED, ids=name_of)
@pytest.mark.parametrize(
    "damage",
    {
        "quoted": each(lambda _number, line: f"> {line}"),
        "carriage returns": each(lambda _number, line: f"{line}\r"),
        "indented": each(lambda _number, line: f"    {line}"),
        "trailing blanks": each(lambda _number, line: f"{line}   "),
        "non-breaking": lambda text: text.replace("  ", "\u00a0 "),
        "a page": lambda text: f"<pre>{html.escape(text)}</pre>",
        "line breaks of a page": lambda text: html.escape(text).replace("\n", "<br>"),
        "a quote of a forum": lambda text: f'[QUOTE="cedar, post: 7"]\n{text}[/QUOTE]',
        "a fence": lambda text: f"This is it:\n```\n{text}```\nThanks",
    }.items(),
    ids=lambda damage: damage[0],
)
def test_mangling_the_lines_changes_no_figure(paste, damage):
    text = paste.read_text()
    assert figures_of(damage[1](text)) == figures_of(text)


def figures_of(text):
    readings = json.loads(to_json(parse_paste(text, unit_key=b"key")))["readings"]
    return [{name: value for name, value in one.items() if name not in PLACES} for one in readings]


@pytest.mark.parametrize("paste", ACCEPTED, ids=name_of)
def test_keeping_and_reading_many_outputs_takes_linear_time(paste):
    text = paste.read_text()

    def repeated(size):
        return text * (size // len(text) + 1)

    assert is_linear(lambda given: parse_paste(given, unit_key=b"key"), repeated(SIZE // 4), repeated(SIZE))
