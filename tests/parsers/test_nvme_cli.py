"""nvme-cli's JSON, as smartctl's: each log of a drive, several drives, versions, and what isn't its JSON."""

import json

import pytest

from parsers.nvme_cli import MAX_DOCUMENTS, as_smartctl
from parsers.paste import parse_paste
from tests.parsers.samples import parse

ID_CTRL = {
    "vid": 5197,
    "sn": "S64HNE0R123456  ",
    "mn": "ALDERA N1 960GB  ",
    "fr": "GDC5",
    "tnvmcap": 960197124096,
}
SMART_LOG = {"critical_warning": 0, "avail_spare": 99, "spare_thresh": 10, "percent_used": 3}


def read(*documents, indent=2):
    text = "\n".join(part if isinstance(part, str) else json.dumps(part, indent=indent) for part in documents)
    return parse_paste(text, unit_key=b"test", reads_nvme_cli=True)


def test_the_logs_of_a_drive_are_one_reading():
    for indent in (2, None):
        (reading,) = read(ID_CTRL, SMART_LOG, {"Capacitor health": 101}, indent=indent).readings
        assert (reading.model_name, reading.firmware_version) == ("ALDERA N1 960GB", "GDC5")
        assert (reading.user_capacity, reading.percentage_used, reading.available_spare) == (
            960197124096,
            3,
            99,
        )
        assert reading.protection_evidence == "OCP capacitor health 101 %"


@pytest.mark.parametrize("written", [195312500, 195312500.0, "195312500"])
def test_counts_are_read_as_any_version_prints_them(written):
    (reading,) = read(ID_CTRL, SMART_LOG | {"data_units_written": written}).readings
    assert reading.host_bytes_written == 195312500 * 512000


@pytest.mark.parametrize("odd", [None, True, -1, 1.5, 1e400, "a lot", [], {"value": None}, 10**30])
def test_an_odd_count_is_none(odd):
    (reading,) = read(ID_CTRL, SMART_LOG | {"data_units_written": odd, "critical_warning": odd}).readings
    assert (reading.host_bytes_written, reading.protection_fault) == (None, None)


def test_a_log_behind_smartctls_output_is_of_its_drive():
    smartctl = "smartctl 7.4 2023-08-01 r5530 [x] (local build)\nModel Number: ALDERA N1\nPercentage Used: 4%"
    paste = read(smartctl, {"capacitor_health": 100})
    (device,) = paste.devices
    assert [reading.model_name for reading in paste.readings] == ["ALDERA N1", None]
    assert device.also_smartctl == (1,)


def test_two_drives_stay_two():
    other = ID_CTRL | {"sn": "S64HNE0R999999", "mn": "ALDERA N2"}
    paste = read(ID_CTRL, SMART_LOG, other, SMART_LOG)
    assert [device.model_name for device in paste.devices] == ["ALDERA N1 960GB", "ALDERA N2"]


def test_serial_numbers_are_masked():
    text = read(ID_CTRL | {"subnqn": "nqn.2014.08:S64HNE0R123456"}, SMART_LOG).text
    assert "S64HNE0R" not in text
    assert "[serial-1]" in text


@pytest.mark.parametrize("text", ["", "words", "{", '{"mn": ', '{"a": 1}', "[1]\n{}\n", '{"a":[' * 5000])
def test_what_is_no_json_of_nvme_cli_is_unchanged(text):
    assert as_smartctl(text) == text


def test_only_so_many_documents_are_tried():
    text = '{"a": 1}\n' * MAX_DOCUMENTS + json.dumps(SMART_LOG)
    assert as_smartctl(text) == text


def test_a_paste_that_is_stored_is_not_rewritten():
    assert parse(json.dumps(ID_CTRL)).readings == ()
