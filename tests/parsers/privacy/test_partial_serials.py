"""Partly hidden serial numbers: what they pair with, and that they identify no unit."""

import pytest

from parsers.paste import parse_paste, read_masked
from tests import pastes

COMPLETE = "S4EXNF0M731234"
OTHER = "S4EXNF0M739999"


def parse(text):
    return parse_paste(text, unit_key=b"key")


def pairs(paste):
    return [(device.diskinfo, device.smartctl, device.unit is not None) for device in paste.devices]


def both(ident, serial, **described):
    return parse(pastes.diskinfo(ident=ident) + pastes.smartctl(serial=serial, **described))


@pytest.mark.parametrize(
    "hidden",
    [
        "S4EXNF0M73****", "S4EXNF0M73XXXX", "S4EXNF0M73xxxx", "S4EX…", "S4EX...", "S4EX******1234", "XXXXXXXXXX1234",
        "S4EXNF0M73????", "S4EX[redacted]", "S4EX<hidden>1234", "S4EX______", "s4ex****",
    ],
)  # fmt: skip
def test_what_is_left_pairs_with_the_serial_number_that_it_fits(hidden):
    for paste in (both(COMPLETE, hidden), both(hidden, COMPLETE)):
        assert pairs(paste) == [(0, 1, True)]
        assert [one.code for one in paste.warnings if one.code == "different_devices"] == []
        assert "[serial-" in paste.text
        assert hidden not in paste.text
    assert (
        both(COMPLETE, hidden).devices[0].unit
        == both(hidden, COMPLETE).devices[0].unit
        == both(COMPLETE, COMPLETE).devices[0].unit
    )


@pytest.mark.parametrize(
    "hidden", ["XXXXXXXX", "xxxx", "********", "<redacted>", "[REDACTED]", "REMOVED", "---", "n/a", "#####"]
)
def test_one_that_is_all_hidden_pairs_with_any(hidden):
    assert pairs(both(COMPLETE, hidden)) == [(0, 1, True)]
    assert pairs(both(hidden, hidden)) == [(0, 1, False)]


@pytest.mark.parametrize("hidden", ["S4EXNF0M73****", "S4EX…", "XXXXXXXXXX1234"])
def test_what_is_left_names_no_unit(hidden):
    paste = both(hidden, hidden)
    assert (pairs(paste), paste.unit_digests) == ([(0, 1, False)], {})
    assert pairs(both("S4EXNF0M73****", "S4EXNF****")) == [(0, 1, False)]


def test_what_does_not_fit_is_another_device_and_the_notice_says_in_what():
    (notice,) = [one for one in both(COMPLETE, "S4EY****").warnings if one.code == "different_devices"]
    assert notice.message == "diskinfo and smartctl are about different devices: the serial numbers differ"
    (notice,) = [
        one
        for one in both(COMPLETE, OTHER, model="SAMPLE B", capacity=20_000_000_000).warnings
        if one.code == "different_devices"
    ]
    assert notice.message.endswith(
        "the serial numbers differ; the models differ, 'ATA MARVELL SD88SA02' and 'SAMPLE B'; "
        "the capacities differ, 24,575,868,928 and 20,000,000,000 bytes"
    )


def test_what_could_be_any_of_several_pairs_by_the_model():
    text = (
        pastes.diskinfo(ident=COMPLETE, description="SAMPLE A")
        + pastes.diskinfo(ident=OTHER, description="SAMPLE B")
        + pastes.smartctl(serial="S4EXNF0M73****", model="SAMPLE B")
    )
    paste = parse(text)
    assert pairs(paste) == [(0, None, True), (1, 2, True)]
    assert "[serial-0]" in paste.text


def test_the_same_rest_of_two_units_pairs_in_order():
    hidden = "S4EXNF0M73****"
    text = "".join(
        pastes.diskinfo(ident=hidden, path=f"/dev/da{number}") + pastes.smartctl(serial=hidden)
        for number in (1, 2)
    )
    assert pairs(parse(text)) == [(0, 1, False), (2, 3, False)]


@pytest.mark.parametrize(
    ("ident", "serial"), [(COMPLETE, "S4EX****"), ("S4EX****", "S4EY****"), ("S4EX****", "S4EXNF…")]
)
def test_a_masked_text_pairs_as_the_text_did(ident, serial):
    first = both(ident, serial)
    for again in (
        parse_paste(first.text, unit_key=b"other", unit_digests=first.unit_digests),
        read_masked(first.text, unit_digests=first.unit_digests),
    ):
        assert (pairs(again), again.text) == (pairs(first), first.text)
    without = parse_paste(first.text, unit_key=b"other")
    assert [one[:2] for one in pairs(without)] == [one[:2] for one in pairs(first)]


def test_a_serial_number_with_a_few_letters_alike_is_whole():
    assert pairs(both("WXXD1A23456", "WXXD1A23456")) == [(0, 1, True)]
