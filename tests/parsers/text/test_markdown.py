"""diskinfo's lines as rows of a Markdown table."""

import pytest

from parsers.text.clean import clean
from tests.parsers.samples import DISKINFO, identified, parse, read

TABLE = identified(DISKINFO)
HEAD, POINTS = TABLE.split("Synchronous random writes:\n")
FIELDS = [tuple(part.strip() for part in line.split("#")) for line in HEAD.splitlines() if "#" in line]
ROWS = [
    line.replace("kbytes:", " ").replace("usec/IO =", " ").replace("Mbytes/s", "").split()
    for line in POINTS.splitlines()
]
HEADING = "| kbytes | usec/IO | Mbytes/s |\n|---|---:|---:|\n"


def in_cells(pattern):
    return "".join(pattern.format(*row) + "\n" for row in ROWS)


def curve(text):
    (reading,) = read(text).readings
    return [(point.block_size, point.latency_us, point.throughput_mib_s) for point in reading.points]


def test_the_points_may_be_rows_of_a_table():
    for table in (
        HEADING + in_cells("| {} | {} | {} |"),
        HEADING + in_cells("|{}|{}|{}|"),
        HEADING.replace("| kbytes", "| Block size (kbytes)") + in_cells("| {} | {} | {} |"),
        "size | usec/IO | Mbytes/s\n--- | --- | ---\n" + in_cells("{} kbytes | {} | {}"),
        in_cells("| {} kbytes | {} usec/IO | {} Mbytes/s |"),
        in_cells("| {} kbytes: | {} usec/IO = | {} Mbytes/s |"),
        in_cells("| {} kbytes: {} usec/IO = {} Mbytes/s |"),
        "".join(f"> {line}\n" for line in (HEADING + in_cells("| {} | {} | {} |")).splitlines()),
    ):  # fmt: skip
        assert curve(f"Synchronous random writes:\n\n{table}") == curve(TABLE), table
        assert curve(table) == curve(TABLE), table


@pytest.mark.parametrize("row", ["| {} | # {} |", "|{}|# {}|", "{} | # {}", "| {} | {} |"])
def test_the_header_may_be_rows_of_a_table(row):
    header = "| value | field |\n|---|---|\n" + "".join(row.format(*field) + "\n" for field in FIELDS)
    paste = parse(f"{header}\nSynchronous random writes:\n{POINTS}")
    expected = parse(TABLE)
    (reading,), (expected_reading,) = paste.readings, expected.readings
    names = (
        "sector_size",
        "media_size",
        "description",
        "rotation_rate_rpm",
        "trim_support",
        "zone_mode",
        "points",
    )
    assert [getattr(reading, name) for name in names] == [getattr(expected_reading, name) for name in names]
    assert [device.unit for device in paste.devices] == [device.unit for device in expected.devices]
    assert "EXS2006600AB77" not in paste.text


def test_the_labels_may_be_in_the_first_column_and_the_serial_number_is_masked():
    header = "".join(f"| {label} | {value} |\n" for value, label in FIELDS)
    paste = parse(f"{header}\nSynchronous random writes:\n{POINTS}")
    assert (paste.readings[0].media_size, paste.readings[0].description) == (
        200049647616,
        "ATA EXAMPLE SATA 200",
    )
    assert "EXS2006600AB77" not in paste.text


def test_rows_without_units_or_with_other_figures_are_not_points():
    for table in (
        in_cells("| {} | {} | {} |"),  # of what?
        "| kbytes | ms | MB/s |\n|---|---|---|\n" + in_cells("| {} | {} | {} |"),
        HEADING + in_cells("| {} | {},0 | {} |"),
    ):
        text = f"usec/IO\n{table}"
        assert "kbytes:" not in clean(text).text, table
        assert parse(text).readings == (), table
