"""smartctl's JSON as a terminal breaks it, cut off anywhere."""

import json
from datetime import date

import pytest

from tests.parsers.samples import only, parse

DOCUMENT = {
    "json_format_version": [1, 0],
    "smartctl": {"version": [7, 3], "platform_info": "FreeBSD 13.1-RELEASE amd64", "exit_status": 0},
    "local_time": {"time_t": 1677798000, "asctime": "Thu Mar  2 23:59:01 2023 CET"},
    "device": {"name": "/dev/ada3", "info_name": "/dev/ada3 [SAT]", "type": "sat", "protocol": "ATA"},
    "model_family": "Example based SSDs of several sizes",
    "model_name": "EXAMPLE SATA 200 GB of some length",
    "firmware_version": "EX01.2 and more",
    "user_capacity": {"blocks": 390721968, "bytes": 200049647616},
    "logical_block_size": 512,
    "rotation_rate": 0,
    "smart_status": {"passed": True},
    "power_on_time": {"hours": 20123},
    "power_cycle_count": 57,
    "temperature": {"current": 29},
}
LAYOUTS = {
    "compact": {"separators": (",", ":")},
    "spaced": {},
    "sorted": {"sort_keys": True},
    "indented": {"indent": 2},
}
SHARES = (0.35, 0.5, 0.65, 0.8, 0.95, 1.0)


def broken(text, width):
    lines = text.splitlines()
    return "\n".join(line[at : at + width].rstrip() for line in lines for at in range(0, len(line), width))


def fields(text):
    reading = only(text)
    names = [name for name in type(reading).__dataclass_fields__ if not name.endswith("_line")]
    return {name: getattr(reading, name) for name in names}


@pytest.mark.parametrize("width", [60, 72, 80, 100])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_document_that_a_terminal_broke_states_the_same_up_to_where_it_is_cut(layout, width):
    text = json.dumps(DOCUMENT, **LAYOUTS[layout])
    for share in SHARES:
        cut = text[: int(len(text) * share)]
        assert fields(broken(cut, width)) == fields(cut)


def test_where_a_broken_document_is_cut_is_reported():
    text = broken(json.dumps(DOCUMENT), 60).splitlines()[:8]
    paste = parse("\n".join(text))
    assert [(warning.code, warning.line) for warning in paste.warnings if warning.line] == [
        ("truncated_json", 2)
    ]


def test_a_cut_document_whose_lines_have_no_common_width_is_read_up_to_the_break():
    text = (
        json.dumps(DOCUMENT, indent=2)
        .replace("EXAMPLE SATA", "EXAMPLE\nSATA")
        .replace("EX01.2 and", "EX01.2\nand")
    )
    reading = fields(text[:-100])
    assert reading["measured_on"] == date(2023, 3, 2)
    assert reading["model_name"] != "EXAMPLESATA 200 GB of some length"


@pytest.mark.parametrize(
    ("members", "is_kept"),
    [
        ({"ata_smart_attributes": {"table": [{"id": 241, "raw": {"string": "123456789012"}}]}}, True),
        ({"interface_speed": {"max": {"string": "123456789012"}}}, False),
    ],
)
def test_a_long_number_is_only_kept_where_smartctl_prints_one(members, is_kept):
    kept = parse(json.dumps(DOCUMENT | members, indent=2)).text
    assert ("123456789012" in kept) is is_kept


def test_the_name_of_an_attribute_is_kept_if_smartctl_prints_such_names():
    table = [
        {"id": 9, "name": "Power_On_Hours", "raw": {"string": "4711"}},
        {"id": 200, "name": "Joes_Attribute", "raw": {"string": "1"}},
    ]
    kept = parse(json.dumps(DOCUMENT | {"ata_smart_attributes": {"table": table}}, indent=2)).text
    names = [row["name"] for row in json.loads(kept)["ata_smart_attributes"]["table"]]
    assert names == ["Power_On_Hours", "Unknown_Attribute"]
