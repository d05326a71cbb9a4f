"""What people write into the form: sizes, wear and hours, read or refused."""

from django import forms

from results.used_drive.form import SizeField, UsedDriveForm, split_capacity, split_number

WEAR = UsedDriveForm.base_fields["wear"]
GB, TB, PB = 10**9, 10**12, 10**15


def read_all(field, written):
    """What the field makes of each text; the message where it refuses it."""
    found = {}
    for text in written:
        try:
            found[text] = field.clean(text)
        except forms.ValidationError as error:
            (found[text],) = error.messages
    return found


def test_wear_is_read_as_people_write_it():
    used = ["12 % used", "12% used", "12 %", "12%", "12", "12 percent", "wear 12 %", "used: 12%", "12 % wear"]
    left = ["88 % left", "88% health", "88 % life left", "88 remaining"]
    assert set(read_all(WEAR, used + left).values()) == {12}
    assert read_all(WEAR, ["", "0", "100", "100 % health"]) == {
        "": None,
        "0": 0,
        "100": 100,
        "100 % health": 0,
    }


def test_other_wear_is_refused_with_what_to_write():
    for text, message in read_all(WEAR, ["140", "140 %", "999 % used"]).items():
        assert message.startswith(f"Enter 0 to 100 %, not {text[:3]} %."), text
    for text, message in read_all(WEAR, ["a bit", "-1", "12,5", "1 2 %", "12 % of 100"]).items():
        assert message.startswith(f"We couldn’t read “{text}”. Write it like “12 % used”"), text


def test_sizes_are_read_with_or_without_their_unit():
    capacity = SizeField("Capacity", unit="G", example="400 GB", most=PB)
    written = SizeField("Written", unit="T", example="100 TB", most=2000 * PB)
    expected = {
        "400": 400 * GB,
        "400 GB": 400 * GB,
        "400gb": 400 * GB,
        "1.6 TB": 1600 * GB,
        "1.92T": 1920 * GB,
    }
    assert read_all(capacity, expected) == expected
    assert read_all(written, ["100", "100 TB", "500 GB", "1.2 PB", ""]) == {
        "100": 100 * TB,
        "100 TB": 100 * TB,
        "500 GB": 500 * GB,
        "1.2 PB": 1200 * TB,
        "": None,
    }
    for text, message in read_all(capacity, ["big", "400 B", "-5", "1,6 TB", "4e2"]).items():
        assert message == f"We couldn’t read “{text}”. Write it like 400 GB.", text
    for text, message in read_all(capacity, ["0", "2 PB"]).items():
        assert message.startswith(f"Enter 1 GB to 1 PB, not {text}."), text


def test_hours_are_read_with_or_without_their_unit():
    hours = UsedDriveForm.base_fields["hours"]
    assert set(read_all(hours, ["20000", "20,000", "20000 h", "20,000 hours"]).values()) == {20000}
    assert read_all(hours, ["0"])["0"] == "Enter 1 to 306,810, not 0. Leave it empty if you don’t know it."
    for text, message in read_all(hours, ["-1", "two", "1.5", "2,00"]).items():
        assert message == f"We couldn’t read “{text}”. Write it like 20000.", text


def test_figures_need_a_drive(subtests):
    for field in ["capacity", "wear", "written", "hours", "price", "gb_per_day"]:
        with subtests.test(field=field):
            form = UsedDriveForm({field: "12"})
            assert form.errors == {"model": ["Fill in the model, or paste smartctl’s output above."]}
            assert UsedDriveForm({field: "12", "model": "P3700"}).is_valid()
            assert UsedDriveForm({field: "12", "text": "smartctl"}).is_valid()


def test_a_capacity_at_the_end_is_not_part_of_the_name():
    assert split_capacity("P3700 400GB") == ("P3700", 400 * GB)
    assert split_capacity("Samsung PM1725a 1.6 TB") == ("Samsung PM1725a", 1600 * GB)
    for name in ("P3700", "970 EVO", "400GB", "S3710 400", "SSDPEDMD400G4"):
        assert split_capacity(name) == (name, None), name
    assert split_number("S3710 400") == ("S3710", 400 * GB)
    for name in ("P3700", "400", "970 EVO", "Samsung 9"):
        assert split_number(name) is None, name
