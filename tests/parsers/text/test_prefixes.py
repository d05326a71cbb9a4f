"""What is in front of every line: of logs, chats, grep and diff, quoted strings."""

from datetime import date

import pytest

from parsers.text.clean import clean
from tests.parsers.samples import (
    DISKINFO,
    FIO_TEXT,
    SMARTCTL_ATA,
    SMARTCTL_JSON,
    SMARTCTL_SCSI,
    identified,
    only,
    parse,
    read,
)

OUTPUTS = {
    "diskinfo": identified(DISKINFO),
    "ata": identified(SMARTCTL_ATA),
    "scsi": identified(SMARTCTL_SCSI),
    "json": identified(SMARTCTL_JSON),
    "fio": identified(FIO_TEXT).partition("\n")[2],
}
PREFIXES = (
    "Jan 12 10:00:01 zqhost smartctl: ",
    "Jan 12 10:00:01 zqhost root[77]: ",
    "2024-01-12T10:00:01.123456+01:00 zqhost bash[123]: ",
    "[2024-01-12 10:00:01] ",
    "10:00:01 ",
    "Jan 12 10:00:01 ",
    "2024-01-12T10:00:01.123456789Z stdout F ",
    "smart-1  | ",
    "│ ",
    "| ",
    ": ",
    "# ",
    "// ",
    "+",
    "out.txt:",
    "out.txt:12:",
    "[10:00] <joe> ",
)


def fields(text):
    """What a paste states, without the lines that state it; read again from the masked text, it is the same."""
    hidden = {"first_line", "last_line", "serial"}
    return [
        {name: getattr(reading, name) for name in type(reading).__dataclass_fields__ if name not in hidden}
        for reading in read(text).readings
    ]


def prefixed(prefix, text):
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def test_prefixes_do_not_change_what_lines_state(subtests):
    for prefix in PREFIXES:
        for tool in OUTPUTS:
            with subtests.test(prefix=prefix, tool=tool):
                assert fields(prefixed(prefix, OUTPUTS[tool])) == fields(OUTPUTS[tool])


@pytest.mark.parametrize("tool", OUTPUTS)
def test_prefixed_lines_may_be_cut_anywhere(tool):
    lines = OUTPUTS[tool].splitlines(keepends=True)
    prefix = PREFIXES[0]
    for end in range(4, len(lines), 3):
        cut = "".join(lines[:end])
        assert fields(prefixed(prefix, cut)) == fields(cut)


@pytest.mark.parametrize("tool", ["diskinfo", "ata", "fio"])
@pytest.mark.parametrize("end", ['"', '",'])
def test_lines_may_be_strings_of_a_list(tool, end):
    text = OUTPUTS[tool].replace('"', '\\"').replace("\t", "\\t")
    strings = "".join(f'    "{line}{end}\n' for line in text.splitlines())
    assert fields(f'"stdout_lines": [\n{strings}]\n') == fields(OUTPUTS[tool])


def test_one_line_of_a_log_is_enough_to_be_read():
    for line in ("Serial number:        EXS2006600AB77", "Device Model:     EXAMPLE SATA 200"):
        log = f"Jan 12 10:00:01 zqhost kernel: da4: attached\nJan 12 10:00:02 zqhost smartctl: {line}\n"
        assert clean(log).text.splitlines()[1] == line, line
        assert "EXS2006600AB77" not in parse(log).text, line


def test_text_that_is_not_a_prefix_remains():
    for text in (
        "root@nas:~# smartctl -a /dev/nvme0 | grep 'Serial Number:'\n" * 4,
        '{"json_format_version": [1, 0]}\n' * 4,
        'He wrote "Device Model: X" twice.\nThen: Device Model: Y\n',
        "  Current Drive Temperature:     31 C\n  Drive Trip Temperature:        60 C\n" * 4,
    ):
        assert clean(text).text == text, text


def test_the_date_in_a_prompt_is_no_prefix():
    prompt = "[2024-01-12 10:00:01] root@nas:~# diskinfo -wS /dev/da4\n"
    reading = only(prompt + OUTPUTS["diskinfo"])
    assert reading.measured_on == date(2024, 1, 12)


def test_an_attachment_below_a_serial_number_is_no_serial_number():
    table = OUTPUTS["diskinfo"].replace("\tid1,", "\tnvme0\t# Attachment\n\tid1,")
    for prefix, end in (("> ", ""), ("| ", " |"), ("", "<br>")):
        text = "".join(f"{prefix}{line}{end}\n" for line in table.splitlines())
        assert parse(text).readings[0].attachment == "nvme0"


def test_the_banner_of_a_tool_that_repeats_is_no_prefix():
    outputs = "\n".join(
        "smartctl version 5.38 [i686-pc-linux-gnu] Copyright (C) 2002-8 Bruce Allen\n"
        f"Device: EXAMPLE  SAS4  Version: C0{at}\nDevice type: disk\nSMART Health Status: OK\n"
        for at in range(10, 14)
    )
    found = parse(outputs).readings
    assert [(reading.tool_version, reading.firmware_version) for reading in found] == [
        ("5.38", f"C0{at}") for at in range(10, 14)
    ]
