"""smartctl's text cut anywhere, where it begins, and how long it takes to read."""

import contextlib
import dataclasses
import re
from pathlib import Path

import pytest

from parsers.base.format import Block, ParseError
from parsers.smartctl import json as smartctl_json
from parsers.smartctl import text as smartctl_text
from tests.growth import SIZE, is_linear
from tests.parsers.samples import parse

CORPUS = Path(__file__).parents[1] / "corpus"
COMPLETE_PASTES = [
    CORPUS / "smartctl_ata/accepted/example-ssd--statistics-and-write-cache.txt",
    CORPUS / "smartctl_nvme/accepted/example--dots-between-thousands.txt",
    CORPUS / "smartctl_scsi/accepted/example-sas-disk--commas-and-cache.txt",
]
# Fields whose numbers have something behind them that shows whether they are whole
SURE_WHEN_CUT = (
    "user_capacity", "logical_block_size", "physical_block_size", "rotation_rate_rpm", "percentage_used",
    "available_spare", "write_cache_enabled", "health", "transport",
)  # fmt: skip


def read_fields(text):
    readings = parse(text).readings
    fields = dataclasses.asdict(readings[0]) if readings else {}
    return {name: value for name, value in fields.items() if name not in ("first_line", "last_line", "path")}


@pytest.mark.parametrize("paste", COMPLETE_PASTES, ids=lambda paste: paste.stem)
def test_a_cut_paste_gives_the_same_fields_or_none(paste):
    text = paste.read_text()
    full = read_fields(text)
    sure = SURE_WHEN_CUT if full["transport"] == "ata" else (*SURE_WHEN_CUT, "temperature_c")
    before_last_digits = (match.end() - 1 for match in re.finditer(r"\d{2,}", text))
    for end in {*range(0, len(text), 16), *before_last_digits}:
        cut = read_fields(text[:end])
        assert [name for name in sure if cut.get(name) not in (None, full[name])] == [], text[end - 40 : end]


def test_smartctl_begins_at_its_own_lines():
    for line in (
        "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)",
        "smartctl version 5.38 [i386-portbld-freebsd7.0] Copyright (C) 2002-8 Bruce Allen",
        "smartctl pre-7.4 (build date Nov 30 2023) [i686-pc-mingw32-w10-1903(64)] (local build)",
        "=== START OF INFORMATION SECTION ===",
        "Model Number:                       EXAMPLE NV1",
        "Vendor:               EXAMPLE",
        "  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       4711",
        "/dev/sdb: Unable to detect device type",
        "zsh: command not found: smartctl",
    ):
        assert smartctl_text.starts(line), line
    others = (
        "smartctl is a tool",
        "smartctl -a /dev/sda",
        "/dev/nvd0",
        "Temperature: 20",
        "12 monkeys",
        "Device: mine",
    )
    for line in ("", *others):
        assert not smartctl_text.starts(line), line


@pytest.mark.parametrize(
    ("module", "unit", "head"),
    [
        (smartctl_text, "9 Power_On_Hours 0x0032 1 1 1 Old_age\n", ""),
        (smartctl_text, "smartctl 7.3 2022-02-28 r5338 [x]\n", ""),
        (smartctl_text, "bytes [1\n", "Product: EXAMPLE\n"),
        (smartctl_text, "[", "smartctl 7.3 ["),
        (smartctl_text, "A-", "Compliance: SPC-4\nProduct: HUSMM"),
        (smartctl_text, "1,000,", "smartctl 7.3 [x]\nUser Capacity: "),
        (smartctl_text, " a", "Compliance: SPC-4\nDevice: a"),
        (smartctl_json, "[", '{"smartctl": '),
        (smartctl_json, '\\"', '{"smartctl":"'),
        (smartctl_json, '{"smartctl":{}}\n', ""),
        (smartctl_json, '"x":"y",\n', '{"smartctl":{"a":"b",\n'),
        (smartctl_json, '"', '{"smartctl": {'),
    ],
)
def test_parsing_is_linear(module, unit, head):
    def block(size):
        lines = tuple((head + unit * (size // len(unit))).split("\n"))
        return Block(lines, tuple(range(1, len(lines) + 1)))

    def read(given):
        with contextlib.suppress(ParseError):
            module.read(given)

    assert is_linear(read, block(SIZE // 4), block(SIZE))
