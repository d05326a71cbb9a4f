"""Wear and writes by vendors' attributes: a case for each row of the table, and what no row applies to."""

import json

import pytest

from parsers.smartctl.tables import WEAR, WRITES, Attribute
from parsers.smartctl.wear import KNOWN_ATTRIBUTES, find_known
from tests.parsers.samples import only

FIELDS = ("percentage_used", "wear_percent", "wear_source", "host_bytes_written", "raw_wear")
# The model family, the attribute, its normalized and its raw value, and the wear in percent with what states it
LIFE_LEFT = [
    ("Intel 730 and DC S35x0/3610/3700 Series SSDs", "233 Media_Wearout_Indicator", "093", "0", 7, "93"),
    ("Crucial/Micron Client SSDs", "202 Percent_Lifetime_Remain", "094", "6", 6, "94"),
    ("Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs", "202 Percent_Lifetime_Used", "095", "5", 5, "95"),
    ("Crucial/Micron RealSSD m4/C400/P400", "202 Perc_Rated_Life_Used", "099", "1", 1, "99"),
    ("Samsung based SSDs", "177 Wear_Leveling_Count", "028", "1530", 72, "28"),
    ("SandForce Driven SSDs", "231 SSD_Life_Left", "088", "51539607552", 12, "88"),
    ("Phison Driven SSDs", "231 SSD_Life_Left", "096", "96", 4, "96"),
    ("Maxio based SSDs", "231 SSD_Life_Left", "098", "98", 2, "98"),
    ("Kingston SSDNow UV400/500", "231 SSD_Life_Left", "090", "10", 10, "90"),
    ("Silicon Motion based SSDs", "231 SSD_Life_Left", "093", "7", 7, "93"),
    ("Supermicro SATA DOM (SuperDOM)", "231 SSD_Life_Left", "100", "0", 0, "100"),
    ("SK hynix SATA SSDs", "231 SSD_Life_Left", "097", "3", 3, "97"),
    ("Seagate Nytro SATA SSD", "231 SSD_Life_Left", "092", "0x00000000645c00", 8, "92"),
    ("Seagate IronWolf Pro 125 SSDs", "231 SSD_Life_Left", "099", "1", 1, "99"),
    ("Seagate Nytro XF1230 SATA SSD", "231 SSD_Life_Left_Perc", "085", "0", 15, "85"),
    ("Indilinx Barefoot 3 based SSDs", "233 Remaining_Lifetime_Perc", "091", "91", 9, "91"),
    ("Indilinx Barefoot based SSDs", "209 Remaining_Lifetime_Perc", "---", "87", 13, "raw 87"),
    ("Silicon Motion based OEM SSDs", "169 Remaining_Lifetime_Perc", "100", "96", 4, "raw 96"),
    ("Dell Certified Intel S4x00/D3-S4x10 Series SSDs", "245 Percent_Life_Remaining", "100", "83", 17, "raw 83"),
]  # fmt: skip
# The model family, the attribute, its raw value, and the bytes that it counts
HOST_WRITES = [
    ("Intel 320 Series SSDs", "225 Host_Writes_32MiB", "498714", 16_734_065_000_448),
    ("Intel/Solidigm S46x0/S45x0 Series SSDs", "241 Host_Writes_32MiB", "7154", 240_048_406_528),
    ("Dell Certified Intel S3520 Series SSDs", "225 Host_Writes_32MiB", "61200", 2_053_531_238_400),
    ("Kingston branded X25-V SSDs", "225 Host_Writes_32MiB", "128934", 4_326_307_135_488),
    ("Silicon Motion based SSDs", "225 Host_Writes_32MiB", "4321", 144_988_700_672),
    ("Silicon Motion based SSDs", "241 Host_Writes_32MiB", "329495", 11_056_017_571_840),
    ("InnoDisk iCF 9000 / 1SE2 Cards", "241 Host_Writes_32MiB", "77", 2_583_691_264),
    ("Plextor M3/M5/M6/M7 Series SSDs", "241 Host_Writes_32MiB", "182345", 6_118_482_903_040),
    ("StorFly CFast SATA 6Gbps SSDs", "241 Host_Writes_32MiB", "905", 30_366_760_960),
    ("Hosin Global HG2259 based SSDs", "241 Host_Writes_32MiB", "1212", 40_667_971_584),
    ("Apple SD/SM/TS...E/F/G SSDs", "175 Host_Writes_MiB", "81979077", 85_961_292_644_352),
    ("Apple MacBook Air SSD", "241 Host_Writes_GiB", "1480", 1_589_137_899_520),
    ("OCZ Intrepid 3000 SSDs", "199 Host_Writes_GiB", "2044", 2_194_728_288_256),
    ("Indilinx Barefoot 3 based SSDs", "241 Host_Writes_GiB", "18332", 19_683_835_117_568),
    ("Kingston SSDNow UV400/500", "241 Host_Writes_GiB", "5120", 5_497_558_138_880),
    ("WD Blue / Red / Green SSDs", "241 Host_Writes_GiB", "31415", 33_731_599_400_960),
    ("Seagate IronWolf Pro 125 SSDs", "241 Host_Writes_GiB", "60011", 64_436_320_600_064),
    ("Xmore Industrial SATA SSDs", "241 Host_Writes_GiB", "12", 12_884_901_888),
    ("ATP SATA III Value Line SSDs", "241 Host_Writes_GiB", "345", 370_440_929_280),
    ("Hosin Global HG2258 based SSDs", "241 Host_Writes_GiB", "678", 727_996_956_672),
    ("SandForce Driven SSDs", "241 Lifetime_Writes_GiB", "9013", 9_677_635_059_712),
    ("Phison Driven OEM SSDs", "241 Lifetime_Writes_GiB", "2718", 2_918_430_277_632),
    ("Maxio based SSDs", "241 Lifetime_Writes_GiB", "999", 1_072_668_082_176),
    ("Supermicro SATA DOM (SuperDOM)", "241 Lifetime_Writes_GiB", "41", 44_023_414_784),
    ("SK hynix SATA SSDs", "241 Lifetime_Writes_GiB", "8080", 8_675_833_937_920),
    ("SK hynix SATA SSDs", "241 Total_Writes_GB", "3140", 3_140_000_000_000),
    ("Marvell based SanDisk SSDs", "241 Total_Writes_GiB", "25519", 27_400_817_606_656),
    ("Seagate Nytro XF1230 SATA SSD", "241 Total_Writes_GiB", "70707", 75_921_063_149_568),
    ("Seagate IronWolf 110 SATA SSD", "241 Lifetime_Wts_Frm_Hst_GB", "141920", 141_920_000_000_000),
    ("Samsung based SSDs", "241 Total_LBAs_Written", "232349537446", 118_962_963_172_352),
    ("Micron 5100 / 52x0 / 5300 / 5400 SSDs", "246 Total_LBAs_Written", "11387755558", 5_830_530_845_696),
    ("Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs", "246 Total_Host_Sector_Write", "14546033", 7_447_568_896),
    ("Dell Certified Intel S4x00/D3-S4x10 Series SSDs", "233 Total_LBAs_Written", "2055417300", 1_052_373_657_600),
    ("Seagate Mobile HDD", "241 Total_LBAs_Written", "2284679980", 1_169_756_149_760),
]  # fmt: skip
# Written to the flash: never what the host wrote
FLASH_WRITES = [
    ("Intel S3520 Series SSDs", "243 NAND_Writes_32MiB"),
    ("Intel 520 Series SSDs", "249 NAND_Writes_1GiB"),
    ("Samsung based SSDs", "249 NAND_Writes_1GiB"),
    ("Silicon Motion based SSDs", "245 TLC_Writes_32MiB"),
    ("Silicon Motion based SSDs", "246 SLC_Writes_32MiB"),
    ("Phison Driven SSDs", "233 Flash_Writes_GiB"),
    ("Seagate Nytro SATA SSD", "233 Lifetime_Wts_To_Flsh_GB"),
    ("Seagate Nytro XF1230 SATA SSD", "234 Lifetime_Nand_Gb"),
    ("Marvell based SanDisk SSDs", "233 Total_NAND_Writes_GiB"),
]
CASES = [
    *(
        (family, (name, value, raw), {"wear_percent": wear, "wear_source": f"{name.split()[1]} {source}"})
        for family, name, value, raw, wear, source in LIFE_LEFT
    ),
    *(
        (family, (name, "100", raw), {"host_bytes_written": written})
        for family, name, raw, written in HOST_WRITES
    ),
    *((family, (name, "100", "12345"), {}) for family, name in FLASH_WRITES),
]
# The model family, the attribute, its values, and what is shown of them
UNKNOWN = [
    # not in the database
    (None, "177 Wear_Leveling_Count", "095", "123", "95, raw 123"),
    (None, "233 Media_Wearout_Indicator", "084", "0", "84, raw 0"),
    (None, "241 Total_LBAs_Written", "100", "77", "100, raw 77"),
    # of another vendor
    ("Example SSDs", "231 SSD_Life_Left", "090", "10", "90, raw 10"),
    ("SK hynix SATA SSDs", "177 Wear_Leveling_Count", "100", "42", "100, raw 42"),
    # packed, and nobody says how
    (
        "WD Blue / Red / Green SSDs",
        "230 Media_Wearout_Indicator",
        "002",
        "0x002a0014002a",
        "2, raw 0x002a0014002a",
    ),
    # the same name with another id
    ("Samsung based SSDs", "173 Wear_Leveling_Count", "098", "30", "98, raw 30"),
    # 58 with a raw value of 6 on a drive that states 1 % itself
    ("Crucial/Micron RealSSD C300/P300", "202 Percent_Lifetime_Used", "058", "6", "58, raw 6"),
    # no percentage
    ("Samsung based SSDs", "177 Wear_Leveling_Count", "200", "0", "200, raw 0"),
    ("Silicon Motion based SSDs", "169 Remaining_Lifetime_Perc", "100", "65535", "100, raw 65535"),
    ("Samsung based SSDs", "177 Wear_Leveling_Count", "---", "9", "raw 9"),
    # an SSD of a maker of hard disks, whose unit isn't known
    ("Toshiba HK4R Series SSD", "241 Total_LBAs_Written", "100", "5000", "100, raw 5000"),
]
STATISTICS = """Device Statistics (GP Log 0x04)
Page  Offset Size        Value Flags Description
0x07  0x008  1              12  N--  Percentage Used Endurance Indicator
"""
IN_FULL = "{:27} 0x0032   {}   {}   000    Old_age   Always       -       {}\n"
BRIEF = "{:27} -O--CK   {}   {}   000    -    {}\n"


def as_text(family, rows, *, sector_size=512, layout=IN_FULL, behind=""):
    known = f"Model Family:     {family}\n" if family else ""
    sizes = f"Sector Size:      {sector_size} bytes logical/physical\n" if sector_size else ""
    head = f"=== START OF INFORMATION SECTION ===\n{known}Device Model:     EXAMPLE SSD 1\n{sizes}"
    lines = "".join(layout.format(name, value, value, raw) for name, value, raw in rows)
    return f"{head}=== START OF READ SMART DATA SECTION ===\n{lines}{behind}"


def as_brief_text(family, rows, **more):
    return as_text(family, rows, layout=BRIEF, **more)


def as_json(family, rows, *, sector_size=512, **more):
    document = {
        "json_format_version": [1, 0],
        "device": {"name": "/dev/ada0", "type": "sat", "protocol": "ATA"},
        "model_name": "EXAMPLE SSD 1",
        "ata_smart_attributes": {"table": [row_of(*row) for row in rows]},
    }
    document |= {"model_family": family} if family else {}
    document |= {"logical_block_size": sector_size} if sector_size else {}
    return json.dumps(document | more, indent=2)


def row_of(name, value, raw):
    """The row of smartctl's JSON for a row of its text."""
    identity, _, name = name.partition(" ")
    row = {"id": int(identity), "name": name, "raw": {"string": raw}}
    return row if value == "---" else row | {"value": int(value)}


EVERY_DIALECT = pytest.mark.parametrize("write", [as_text, as_brief_text, as_json])


def read_wear(paste):
    reading = only(paste)
    return {name: value for name in FIELDS if (value := getattr(reading, name)) is not None}


@EVERY_DIALECT
def test_a_known_attribute_gives_wear_or_writes(write, subtests):
    for family, row, expected in CASES:
        with subtests.test(family=family, row=row):
            assert read_wear(write(family, [row])) == expected


def test_every_row_of_the_table_has_its_case_and_is_looked_up():
    attributes = [(family, *row[0].split()) for family, row, _expected in CASES]
    found = [
        find_known(Attribute(name, "0", 1, int(identity), 0), family) for family, identity, name in attributes
    ]
    assert sorted(map(repr, found)) == sorted(map(repr, KNOWN_ATTRIBUTES))
    assert [name for _, _, name in attributes if not (WEAR.search(name) or WRITES.search(name))] == []


@EVERY_DIALECT
def test_an_unknown_attribute_is_shown_but_nothing_is_derived(write, subtests):
    for family, name, value, raw, shown in UNKNOWN:
        with subtests.test(family=family, name=name):
            expected = {"raw_wear": f"{name.split()[1]} {shown}"}
            assert read_wear(write(family, [(name, value, raw)])) == expected


@EVERY_DIALECT
def test_a_name_that_states_its_unit_needs_no_family(write):
    assert read_wear(write(None, [("241 Host_Writes_32MiB", "100", "77")])) == {
        "host_bytes_written": 2_583_691_264
    }
    assert read_wear(write(None, [("249 NAND_Writes_1GiB", "100", "77")])) == {}


@EVERY_DIALECT
def test_attributes_unrelated_to_wear_are_not_shown(write):
    names = (
        "189 High_Fly_Writes",
        "206 Write_Error_Rate",
        "226 Workld_Media_Wear_Indic",
        "177 Wear_Range_Delta",
    )
    assert read_wear(write("SandForce Driven SSDs", [(name, "100", "7") for name in names])) == {}


@EVERY_DIALECT
def test_the_first_known_attribute_counts(write):
    rows = [
        ("177 Wear_Leveling_Count", "098", "42"),
        ("231 SSD_Life_Left", "090", "10"),
        ("169 Remaining_Lifetime_Perc", "100", "97"),
    ]
    found = read_wear(write("Silicon Motion based SSDs", rows))
    assert found == {"wear_percent": 10, "wear_source": "SSD_Life_Left 90"}


def test_stated_wear_takes_precedence_over_attributes():
    family, rows = "Samsung based SSDs", [("177 Wear_Leveling_Count", "095", "123")]
    for paste, used in (
        (as_text(family, rows, behind=STATISTICS), 12),
        (as_json(family, rows, endurance_used={"current_percent": 11}), 11),
    ):
        assert read_wear(paste) == {"percentage_used": used, "wear_percent": used}


def test_a_stated_percentage_is_the_wear_of_nvme_and_sas():
    for paste in (
        "SMART/Health Information (NVMe Log 0x02)\nCritical Warning: 0x00\nPercentage Used:  104%\n",
        "=== START OF INFORMATION SECTION ===\nVendor:  EXAMPLE\nProduct:  SAS\nCompliance:  SPC-4\n"
        "Percentage used endurance indicator: 104%\n",
        '{"smartctl": {}, "nvme_smart_health_information_log": {"percentage_used": 104}}',
    ):
        assert read_wear(paste) == {"percentage_used": 104, "wear_percent": 104}, paste


@EVERY_DIALECT
def test_logical_blocks_have_the_stated_size(write):
    family, rows = "Seagate Exos X18", [("241 Total_LBAs_Written", "100", "1000")]
    assert read_wear(write(family, rows, sector_size=4096)) == {"host_bytes_written": 4_096_000}
    assert read_wear(write(family, rows, sector_size=None)) == {
        "raw_wear": "Total_LBAs_Written 100, raw 1000"
    }


@pytest.mark.parametrize(
    "line",
    [
        "0xe9 Media_Wearout_Indicator 0x0032   0x5d   0x5d   0x00    Old_age   Always       -       0",
        "233 Media_Wearout_Indicator 0x0032 093 093 000 Old_age Always - 0",
        "233 Media_Wearout_Indicator 0x0032   093   093   000    Old_age\n  Always       -       0",
    ],
    ids=["hexadecimal", "squeezed", "wrapped"],
)
def test_every_layout_of_the_table_is_read(line):
    assert read_wear(as_text("Intel 320 Series SSDs", [], behind=f"{line}\n"))["wear_percent"] == 7


@EVERY_DIALECT
def test_only_as_many_attributes_are_shown_as_fit(write):
    long = f"{'9' * 15}/{'9' * 15}"
    rows = [(f"{identity} Lifetime_Left_{identity}", "100", long) for identity in range(100, 110)]
    assert read_wear(write(None, rows)) == {"raw_wear": f"Lifetime_Left_100 100, raw {long}"}
