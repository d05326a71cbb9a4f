"""The door of the package: refusals, what a paste lacks, arbitrary input, growth, and the command line."""

import io
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.__main__ import main, to_json
from parsers.base.device_class import DeviceClass
from parsers.paste import MAX_READINGS, parse_paste
from tests.parsers.samples import ALL, DISKINFO, SMARTCTL_ATA, codes, identified, stored

MAX_SIZE = 512 * 1024
# Pieces that the parsers look for, so that arbitrary text gets past the first tests.
PIECES = [
    *(line for template in ALL.values() for line in identified(template).splitlines(keepends=True)),
    "[serial-1]", "[host-2]", "[QUOTE=", "[/CODE]", "<br>", "&#9;", "&nbsp;", "=3D", "=\n", "\\n", "\\u0041", "```\n",
    "> ", "1. ", "- ", " |\n", "\x1b[0m", "\r", "\t", "\u00a0", "\u200b", "\ud800", '"', "{", "}", "@", "# ", "$ ",
]  # fmt: skip
pasted = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=40).map("".join)
any_time = settings(deadline=None)


@any_time
@given(raw=pasted)
def test_any_text_is_read_without_an_error_and_the_same_again(raw):
    first = parse_paste(raw, unit_key=b"key")
    json.loads(to_json(first).encode())
    again = parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests)
    assert stored(again) == stored(first) or first.text == ""


@any_time
@given(raw=st.binary(max_size=400))
def test_any_bytes_are_read_without_an_error(raw):
    json.loads(to_json(parse_paste(raw, unit_key=b"key")).encode())


@pytest.mark.parametrize("raw", ["", "My disk is fast.", b"\x00\x01", identified(SMARTCTL_ATA)])
def test_notices_without_a_line_are_sentences(raw):
    (message,) = (warning.message for warning in parse_paste(raw, unit_key=b"key").warnings)
    assert (message[0].isupper(), message[-1]) == (True, ".")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"My disk is fast, I promise.\n", "nothing_found"),
        (b"\x00\x01\x02\x03" * 50, "binary"),
        (bytes(range(256)) * 4, "binary"),
        (b"\x01\x02\x03\x04\x05\x06" * 20, "binary"),
        (b"x" * (MAX_SIZE + 1), "too_large"),
        (b"\n" * 20_000, "too_many_lines"),
        (b"a\\n" * 20_000, "too_many_lines"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_output_is_refused_and_not_stored(raw, code):
    paste = parse_paste(raw, unit_key=b"key")
    assert (codes(paste), paste.text) == ([code], "")


def test_smartctl_alone_gives_the_notice_that_the_benchmark_is_missing():
    paste = parse_paste(identified(SMARTCTL_ATA), unit_key=b"key")
    assert codes(paste) == ["no_benchmark"]
    assert len(paste.readings) == 1


def test_too_many_devices_are_not_read():
    point = "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s\n"
    described = "smartctl 7.3 2022-02-28 [x86_64-linux] (y)\nDevice Model: EXAMPLE\n"
    paste = parse_paste((point + described) * 1000, unit_key=b"key")
    assert len(paste.readings) == MAX_READINGS
    assert (paste.warnings[-1].code, paste.warnings[-1].line) == ("too_many_devices", 601)


def run(arguments, given=b"", **environment):
    return subprocess.run(
        [sys.executable, "-m", "parsers", *arguments],
        input=given,
        env=environment,
        capture_output=True,
        check=False,
    )


def test_the_catalogue_decides_the_class_that_smartctl_leaves_open():
    paste = (
        "Device Model:     EXAMPLE CACHED 1TB\nSerial Number:    EXS2006600AB77\nRotation Rate:    7200 rpm\n"
    )
    paste = "=== START OF INFORMATION SECTION ===\n" + paste
    read = [
        parse_paste(paste, unit_key=b"key", catalogue=catalogue)
        for catalogue in (None, {"EXAMPLE CACHED 1TB": DeviceClass.SSHD}.get)
    ]
    assert [paste.readings[0].device_class for paste in read] == [DeviceClass.HDD, DeviceClass.SSHD]
    assert [paste.devices[0].device_class for paste in read] == [DeviceClass.HDD, DeviceClass.SSHD]


def test_the_command_prints_one_json_object_and_its_status():
    done = run(["-"], identified(DISKINFO).encode(), SLOGDB_UNIT_KEY="key")
    printed = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(printed) == ["parser_version", "readings", "devices", "warnings", "text"]
    assert printed["readings"][0]["points"][3] == {
        "block_size": 4096, "latency_us": 129.3, "throughput_mib_s": 30.2,
    }  # fmt: skip
    assert "serial" not in printed["readings"][0]
    assert printed["devices"][0]["unit"] == parse_paste(identified(DISKINFO), unit_key=b"key").devices[0].unit


def test_the_command_exits_with_an_error_if_nothing_was_read(tmp_path, capsysbinary):
    (tmp_path / "text").write_text("nothing")
    assert main([str(tmp_path / "text")]) == 1
    assert json.loads(capsysbinary.readouterr().out)["readings"] == []
    assert main([str(tmp_path / "missing")]) == 2
    assert b"missing: No such file or directory" in capsysbinary.readouterr().err
    assert run(["--what"]).returncode == 2


def test_digests_without_a_key_differ_between_runs(monkeypatch, capsysbinary):
    units = []
    for _ in range(2):
        monkeypatch.delenv("SLOGDB_UNIT_KEY", raising=False)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(identified(DISKINFO).encode())))
        main(["-"])
        units.append(json.loads(capsysbinary.readouterr().out)["devices"][0]["unit"])
    assert units[0] != units[1]
