"""Identifiers in notes and reports: what has a label or a shape is masked, figures and versions aren't."""

from parsers.privacy.free_text import mask_free_text


def test_identifiers_in_free_text_are_masked(subtests):
    for written, shown in [
        ("serial number S4EVNX0M12 and S/N: S4EVNX0M12", "serial number [serial-1] and S/N: [serial-1]"),
        ("Seriennummer: PHKS7500012", "Seriennummer: [serial-1]"),
        ("ask me@example.org", "ask [address-1]"),
        ("at 10.0.0.12 and fe80::1", "at [address-1] and [address-2]"),
        ("MAC aa:bb:cc:dd:ee:ff", "MAC [address-1]"),
        ("MAC aabb.ccdd.ee0f", "MAC [address-1]"),
        (
            "numéro de série S4EVNX0M12, n° de série : S4EVNX0M12",
            "numéro de série [serial-1], n° de série : [serial-1]",
        ),
        ("Серийный номер: S4EVNX0M12", "Серийный номер: [serial-1]"),
        ("シリアル番号：S4EVNX0M12 / 序列号: S4EVNX0M13", "シリアル番号：[serial-1] / 序列号: [serial-2]"),
        ("WWN 0x5002538e40a1b2c3, again 5002538E40A1B2C3", "WWN [wwn-1], again [wwn-1]"),
        ("pool 550e8400-e29b-41d4-a716-446655440000", "pool [wwn-1]"),
    ]:
        with subtests.test(written=written):
            assert mask_free_text(written) == shown
            assert mask_free_text(shown) == shown


def test_figures_and_versions_in_free_text_remain():
    for written in (
        "firmware 20.00.07.00",
        "version 20.0.7.0",
        "960197124096 bytes at 12:30:45",
        "Serial ATA 3.1",
        "WD SN850X",
    ):
        assert mask_free_text(written) == written, written
