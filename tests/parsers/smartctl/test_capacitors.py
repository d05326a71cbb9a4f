"""The self-test of the capacitors: a pass is evidence, a failure a fault, and without a threshold it says nothing."""

import json

import pytest

from tests.parsers.samples import only

ROW = "175 Power_Loss_Cap_Test     0x0033   {0}   {0}   {1}    Pre-fail  Always   -       5151 (54 1)"
TEXT = "smartctl 7.2 2020-12-30 r5155 [x] (local build)\nDevice Model: ALDERA S1\nSATA Version is: SATA 3.2\n"


@pytest.mark.parametrize(
    ("value", "threshold", "evidence", "fault"),
    [
        (100, 10, "Power_Loss_Cap_Test 100, threshold 10", None),
        (11, 10, "Power_Loss_Cap_Test 11, threshold 10", None),
        (10, 10, None, "Power_Loss_Cap_Test 10, threshold 10"),
        (100, 0, None, None),
        (0, 0, None, None),
    ],
)
def test_a_capacitor_test(value, threshold, evidence, fault):
    header = (
        "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
    )
    text = TEXT + header + ROW.format(f"{value:03}", f"{threshold:03}") + "\n"
    row = {
        "id": 175,
        "name": "Power_Loss_Cap_Test",
        "value": value,
        "thresh": threshold,
        "raw": {"string": "1"},
    }
    document = {"smartctl": {}, "model_name": "ALDERA S1", "ata_smart_attributes": {"table": [row]}}
    for raw in (text, json.dumps(document)):
        reading = only(raw)
        assert (reading.protection_evidence, reading.protection_fault) == (evidence, fault)
