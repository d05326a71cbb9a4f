"""Which lines of smartctl's are kept, and that what somebody wrote behind them isn't."""

import pytest

from tests.parsers.samples import SMARTCTL_ATA, identified, read

BANNER = "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)"
ATA = identified(SMARTCTL_ATA).rstrip("\n")
NINE = "  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       4711"


def kept(lines, above=ATA):
    """What is kept of lines below output, without the marks of what is left out."""
    below = read("\n".join([above, *lines, ""])).text.removeprefix(read(f"{above}\n").text)
    return [line for line in below.splitlines() if line and not line.startswith("…")]


@pytest.mark.parametrize(
    ("above", "lines"),
    [
        (
            ATA,
            [
                "Seagate Field Accessible Reliability Metrics log (FARM) (GP Log 0xa6)",
                "FARM Log Page 0: Log Header",
                "\tFARM Log Version: 4.9",
                "\tPages Supported: 6",
                "FARM Log Page 1: Drive Information",
                "\tSpindle Power on Hours: 30777",
                "\tHead Flight Hours: 30000",
            ],
        ),
        (ATA, [f"{NINE} (12 34 0)"]),
        (ATA, ["Specified cycle count over device lifetime:  10000cycles"]),
        (BANNER, ["Device Model:     EXAMPLE", "ATA Version is:   ATA8-ACS T13/1699-D revision 4"]),
        (BANNER, ["/dev/sdb: Unable to detect device type"]),
        (BANNER, ["/dev/sdb: Unknown USB bridge [0x174c:0x55aa (0x100)]"]),
    ],
    ids=[
        "pages of FARM",
        "a raw value of several figures",
        "a figure with its unit",
        "words with figures",
        "a failure",
        "of a bridge",
    ],
)
def test_lines_of_smartctls_are_kept_as_they_are(above, lines):
    assert kept(lines, above) == lines


@pytest.mark.parametrize(
    "line",
    [
        "\tWritten by joe on his nas",
        f"{NINE} 7080907080907",
        f"{NINE} (12 34 0) 12345678",
        "  9 Power_On_Hours 0x0032 100 100 000 4711 7080907080907",
        "Accumulated start-stop cycles: 12abc",
    ],
)
def test_a_line_with_anything_else_is_left_out(line):
    assert kept([line]) == []


def test_the_cause_of_a_failure_is_kept_without_other_words():
    assert kept(["/dev/sdb: Unable to detect device type, says joe"], BANNER) == [
        "/dev/sdb: unable to detect device type"
    ]
