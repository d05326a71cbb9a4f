"""A terminal may break JSON anywhere, and still nothing comes out that names a unit."""

import html
import json

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from tests.parsers.samples import SMARTCTL_JSON, identified

SECRETS = ("TST0JSON0SERIAL7", "5000c500c0ffee77", "80350009")
DOCUMENT = {
    "json_format_version": [1, 0],
    "device": {"name": "/dev/sda", "type": "scsi", "protocol": "SCSI"},
    "serial_number": SECRETS[0],
    "logical_unit_id": f"0x{SECRETS[1]}",
    "wwn": {"naa": 5, "oui": 3152, "id": int(SECRETS[2])},
    "rotation_rate": 7200,
}


def wrapped(text, width):
    return "\n".join(
        line[at : at + width] for line in text.splitlines() for at in range(0, max(len(line), 1), width)
    )


@pytest.mark.parametrize("width", range(12, 100))
@pytest.mark.parametrize("indent", [None, 4])
def test_a_key_or_value_broken_by_a_terminal_is_masked(indent, width):
    printed = to_json(parse_paste(wrapped(json.dumps(DOCUMENT, indent=indent), width), unit_key=b"key"))
    shown = printed.replace("\\n", "")
    assert [secret for secret in SECRETS if secret in shown] == []


def test_lines_keep_their_numbers_where_a_broken_value_is_masked():
    paste = wrapped(json.dumps(DOCUMENT), 31)
    assert parse_paste(paste, unit_key=b"key").text.count("\n") == paste.count("\n")


def test_whole_json_is_masked_in_its_place():
    text = identified(SMARTCTL_JSON)
    masked = parse_paste(text, unit_key=b"key").text
    assert [line.split(":")[0] for line in masked.splitlines()] == [
        line.split(":")[0] for line in text.splitlines()
    ]


@pytest.mark.parametrize(
    "put",
    [lambda text: json.dumps({"body": text}), lambda text: f"<pre>{html.escape(text)}</pre>"],
    ids=["in a string", "in html"],
)
def test_json_stays_whole_where_a_number_is_masked(put):
    document = json.dumps({"local_time": {"time_t": DOCUMENT["wwn"]["id"]}} | DOCUMENT, indent=2)
    (reading,) = parse_paste(put(document), unit_key=b"key").readings
    assert reading.rotation_rate_rpm == DOCUMENT["rotation_rate"]


def test_the_serial_number_in_hexadecimal_of_a_device_node_is_masked():
    node = "/dev/disk/by-id/nvme-nvme.c0a9-545354484558-4558414d504c45-00000001"
    assert "545354484558" not in parse_paste(f"smartctl -a {node}", unit_key=b"key").text
