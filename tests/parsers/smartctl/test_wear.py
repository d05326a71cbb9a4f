"""Wear and writes by vendors' attributes: a case for each row of the table, and what no row applies to."""

import json

import pytest

from parsers.paste import parse_paste
from parsers.smartctl.tables import WEAR, WRITES, Attribute
from parsers.smartctl.wear import KNOWN_ATTRIBUTES, find_known

FIELDS = ("percentage_used", "wear_percent", "wear_source", "host_bytes_written", "raw_wear")
CASES = [
    ("Intel 730 and DC S35x0/3610/3700 Series SSDs",
     "233 Media_Wearout_Indicator 0x0032   093   093   000    Old_age   Always       -       0",
     {"wear_percent": 7, "wear_source": "Media_Wearout_Indicator 93"}),
    ("Crucial/Micron Client SSDs",
     "202 Percent_Lifetime_Remain 0x0032   094   094   000    Old_age   Always       -       6",
     {"wear_percent": 6, "wear_source": "Percent_Lifetime_Remain 94"}),
    ("Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs",
     "202 Percent_Lifetime_Used   -O--CK   095   095   000    -    5",
     {"wear_percent": 5, "wear_source": "Percent_Lifetime_Used 95"}),
    ("Crucial/Micron RealSSD m4/C400/P400",
     "202 Perc_Rated_Life_Used    0x0032   099   099   000    Old_age   Always       -       1",
     {"wear_percent": 1, "wear_source": "Perc_Rated_Life_Used 99"}),
    ("Samsung based SSDs",
     "177 Wear_Leveling_Count     0x0032   028   028   000    Old_age   Always       -       1530",
     {"wear_percent": 72, "wear_source": "Wear_Leveling_Count 28"}),
    ("SandForce Driven SSDs",
     "231 SSD_Life_Left           -O--CK   088   088   000    -    51539607552",
     {"wear_percent": 12, "wear_source": "SSD_Life_Left 88"}),
    ("Phison Driven SSDs",
     "231 SSD_Life_Left           0x0032   096   096   000    Old_age   Always       -       96",
     {"wear_percent": 4, "wear_source": "SSD_Life_Left 96"}),
    ("Maxio based SSDs",
     "231 SSD_Life_Left           0x0032   098   098   000    Old_age   Always       -       98",
     {"wear_percent": 2, "wear_source": "SSD_Life_Left 98"}),
    ("Kingston SSDNow UV400/500",
     "231 SSD_Life_Left           -O--CK   090   090   000    -    10",
     {"wear_percent": 10, "wear_source": "SSD_Life_Left 90"}),
    ("Silicon Motion based SSDs",
     "231 SSD_Life_Left           0x0032   093   093   000    Old_age   Always       -       7",
     {"wear_percent": 7, "wear_source": "SSD_Life_Left 93"}),
    ("Supermicro SATA DOM (SuperDOM)",
     "231 SSD_Life_Left           0x0032   100   100   000    Old_age   Always       -       0",
     {"wear_percent": 0, "wear_source": "SSD_Life_Left 100"}),
    ("SK hynix SATA SSDs",
     "231 SSD_Life_Left           -O--CK   097   097   000    -    3",
     {"wear_percent": 3, "wear_source": "SSD_Life_Left 97"}),
    ("Seagate Nytro SATA SSD",
     "231 SSD_Life_Left           0x0032   092   092   000    Old_age   Always       -       0x00000000645c00",
     {"wear_percent": 8, "wear_source": "SSD_Life_Left 92"}),
    ("Seagate IronWolf Pro 125 SSDs",
     "231 SSD_Life_Left           0x0032   099   099   000    Old_age   Always       -       1",
     {"wear_percent": 1, "wear_source": "SSD_Life_Left 99"}),
    ("Seagate Nytro XF1230 SATA SSD",
     "231 SSD_Life_Left_Perc      -O--CK   085   085   000    -    0",
     {"wear_percent": 15, "wear_source": "SSD_Life_Left_Perc 85"}),
    ("Indilinx Barefoot 3 based SSDs",
     "233 Remaining_Lifetime_Perc 0x0032   091   091   000    Old_age   Always       -       91",
     {"wear_percent": 9, "wear_source": "Remaining_Lifetime_Perc 91"}),
    ("Indilinx Barefoot based SSDs",
     "209 Remaining_Lifetime_Perc 0x0032   ---   ---   000    Old_age   Always       -       87",
     {"wear_percent": 13, "wear_source": "Remaining_Lifetime_Perc raw 87"}),
    ("Silicon Motion based OEM SSDs",
     "169 Remaining_Lifetime_Perc -O--CK   100   100   000    -    96",
     {"wear_percent": 4, "wear_source": "Remaining_Lifetime_Perc raw 96"}),
    ("Dell Certified Intel S4x00/D3-S4x10 Series SSDs",
     "245 Percent_Life_Remaining  0x0032   100   100   000    Old_age   Always       -       83",
     {"wear_percent": 17, "wear_source": "Percent_Life_Remaining raw 83"}),
    ("Intel 320 Series SSDs",
     "225 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       498714",
     {"host_bytes_written": 16_734_065_000_448}),
    ("Intel/Solidigm S46x0/S45x0 Series SSDs",
     "241 Host_Writes_32MiB       -O--CK   100   100   000    -    7154",
     {"host_bytes_written": 240_048_406_528}),
    ("Dell Certified Intel S3520 Series SSDs",
     "225 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       61200",
     {"host_bytes_written": 2_053_531_238_400}),
    ("Kingston branded X25-V SSDs",
     "225 Host_Writes_32MiB       0x0032   199   199   000    Old_age   Always       -       128934",
     {"host_bytes_written": 4_326_307_135_488}),
    ("Silicon Motion based SSDs",
     "225 Host_Writes_32MiB       -O--CK   100   100   000    -    4321",
     {"host_bytes_written": 144_988_700_672}),
    ("Silicon Motion based SSDs",
     "241 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       329495",
     {"host_bytes_written": 11_056_017_571_840}),
    ("InnoDisk iCF 9000 / 1SE2 Cards",
     "241 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       77",
     {"host_bytes_written": 2_583_691_264}),
    ("Plextor M3/M5/M6/M7 Series SSDs",
     "241 Host_Writes_32MiB       -O--CK   100   100   000    -    182345",
     {"host_bytes_written": 6_118_482_903_040}),
    ("StorFly CFast SATA 6Gbps SSDs",
     "241 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       905",
     {"host_bytes_written": 30_366_760_960}),
    ("Hosin Global HG2259 based SSDs",
     "241 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       1212",
     {"host_bytes_written": 40_667_971_584}),
    ("Apple SD/SM/TS...E/F/G SSDs",
     "175 Host_Writes_MiB         -O--CK   099   099   000    -    81979077",
     {"host_bytes_written": 85_961_292_644_352}),
    ("Apple MacBook Air SSD",
     "241 Host_Writes_GiB         0x0032   100   100   000    Old_age   Always       -       1480",
     {"host_bytes_written": 1_589_137_899_520}),
    ("OCZ Intrepid 3000 SSDs",
     "199 Host_Writes_GiB         0x0032   100   100   000    Old_age   Always       -       2044",
     {"host_bytes_written": 2_194_728_288_256}),
    ("Indilinx Barefoot 3 based SSDs",
     "241 Host_Writes_GiB         -O--CK   100   100   000    -    18332",
     {"host_bytes_written": 19_683_835_117_568}),
    ("Kingston SSDNow UV400/500",
     "241 Host_Writes_GiB         0x0032   100   100   000    Old_age   Always       -       5120",
     {"host_bytes_written": 5_497_558_138_880}),
    ("WD Blue / Red / Green SSDs",
     "241 Host_Writes_GiB         0x0032   253   253   000    Old_age   Always       -       31415",
     {"host_bytes_written": 33_731_599_400_960}),
    ("Seagate IronWolf Pro 125 SSDs",
     "241 Host_Writes_GiB         -O--CK   100   100   000    -    60011",
     {"host_bytes_written": 64_436_320_600_064}),
    ("Xmore Industrial SATA SSDs",
     "241 Host_Writes_GiB         0x0032   100   100   000    Old_age   Always       -       12",
     {"host_bytes_written": 12_884_901_888}),
    ("ATP SATA III Value Line SSDs",
     "241 Host_Writes_GiB         0x0032   100   100   000    Old_age   Always       -       345",
     {"host_bytes_written": 370_440_929_280}),
    ("Hosin Global HG2258 based SSDs",
     "241 Host_Writes_GiB         -O--CK   100   100   000    -    678",
     {"host_bytes_written": 727_996_956_672}),
    ("SandForce Driven SSDs",
     "241 Lifetime_Writes_GiB     0x0032   000   000   000    Old_age   Always       -       9013",
     {"host_bytes_written": 9_677_635_059_712}),
    ("Phison Driven OEM SSDs",
     "241 Lifetime_Writes_GiB     0x0032   100   100   000    Old_age   Always       -       2718",
     {"host_bytes_written": 2_918_430_277_632}),
    ("Maxio based SSDs",
     "241 Lifetime_Writes_GiB     -O--CK   100   100   000    -    999",
     {"host_bytes_written": 1_072_668_082_176}),
    ("Supermicro SATA DOM (SuperDOM)",
     "241 Lifetime_Writes_GiB     0x0032   100   100   000    Old_age   Always       -       41",
     {"host_bytes_written": 44_023_414_784}),
    ("SK hynix SATA SSDs",
     "241 Lifetime_Writes_GiB     0x0032   100   100   000    Old_age   Always       -       8080",
     {"host_bytes_written": 8_675_833_937_920}),
    ("SK hynix SATA SSDs",
     "241 Total_Writes_GB         -O--CK   100   100   000    -    3140",
     {"host_bytes_written": 3_140_000_000_000}),
    ("Marvell based SanDisk SSDs",
     "241 Total_Writes_GiB        0x0032   253   253   000    Old_age   Always       -       25519",
     {"host_bytes_written": 27_400_817_606_656}),
    ("Seagate Nytro XF1230 SATA SSD",
     "241 Total_Writes_GiB        0x0032   100   100   000    Old_age   Always       -       70707",
     {"host_bytes_written": 75_921_063_149_568}),
    ("Seagate IronWolf 110 SATA SSD",
     "241 Lifetime_Wts_Frm_Hst_GB -O--CK   100   100   000    -    141920",
     {"host_bytes_written": 141_920_000_000_000}),
    ("Samsung based SSDs",
     "241 Total_LBAs_Written      0x0032   099   099   000    Old_age   Always       -       232349537446",
     {"host_bytes_written": 118_962_963_172_352}),
    ("Micron 5100 / 52x0 / 5300 / 5400 SSDs",
     "246 Total_LBAs_Written      0x0032   100   100   000    Old_age   Always       -       11387755558",
     {"host_bytes_written": 5_830_530_845_696}),
    ("Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs",
     "246 Total_Host_Sector_Write -O--CK   100   100   000    -    14546033600",
     {"host_bytes_written": 7_447_569_203_200}),
    ("Dell Certified Intel S4x00/D3-S4x10 Series SSDs",
     "233 Total_LBAs_Written      0x0032   100   100   000    Old_age   Always       -       2055417300",
     {"host_bytes_written": 1_052_373_657_600}),
    ("Seagate Mobile HDD",
     "241 Total_LBAs_Written      0x0032   100   100   000    Old_age   Always       -       2284679980",
     {"host_bytes_written": 1_169_756_149_760}),
    ("Intel S3520 Series SSDs",
     "243 NAND_Writes_32MiB       -O--CK   100   100   000    -    3191374",
     {}),
    ("Intel 520 Series SSDs",
     "249 NAND_Writes_1GiB        0x0032   100   100   000    Old_age   Always       -       12345",
     {}),
    ("Samsung based SSDs",
     "249 NAND_Writes_1GiB        0x0032   099   099   000    Old_age   Always       -       4400",
     {}),
    ("Silicon Motion based SSDs",
     "245 TLC_Writes_32MiB        -O--CK   100   100   000    -    247105",
     {}),
    ("Silicon Motion based SSDs",
     "246 SLC_Writes_32MiB        0x0032   100   100   000    Old_age   Always       -       394222",
     {}),
    ("Phison Driven SSDs",
     "233 Flash_Writes_GiB        0x0032   100   100   000    Old_age   Always       -       6001",
     {}),
    ("Seagate Nytro SATA SSD",
     "233 Lifetime_Wts_To_Flsh_GB -O--CK   100   100   000    -    163817",
     {}),
    ("Seagate Nytro XF1230 SATA SSD",
     "234 Lifetime_Nand_Gb        0x0032   100   100   000    Old_age   Always       -       99000",
     {}),
    ("Marvell based SanDisk SSDs",
     "233 Total_NAND_Writes_GiB   0x0032   100   100   000    Old_age   Always       -       51234",
     {}),
]  # fmt: skip
EVERY_DIALECT = pytest.mark.parametrize("as_paste", ["as_text", "as_json"])
STATISTICS = """Device Statistics (GP Log 0x04)
Page  Offset Size        Value Flags Description
0x07  0x008  1              12  N--  Percentage Used Endurance Indicator
"""


def as_text(family, lines, *, sector_size=512):
    known = f"Model Family:     {family}\n" if family else ""
    sizes = f"Sector Size:      {sector_size} bytes logical/physical\n" if sector_size else ""
    head = f"=== START OF INFORMATION SECTION ===\n{known}Device Model:     EXAMPLE SSD 1\n{sizes}"
    return head + "=== START OF READ SMART DATA SECTION ===\n" + "".join(f"{line}\n" for line in lines)


def as_json(family, lines, *, sector_size=512):
    document = {
        "json_format_version": [1, 0],
        "device": {"name": "/dev/ada0", "type": "sat", "protocol": "ATA"},
        "model_name": "EXAMPLE SSD 1",
        "ata_smart_attributes": {"table": [row_of(line) for line in lines]},
    }
    document |= {"model_family": family} if family else {}
    document |= {"logical_block_size": sector_size} if sector_size else {}
    return json.dumps(document, indent=2)


def row_of(line):
    """The row of smartctl's JSON for a row of its text."""
    identity, name, _flags, value, *_others, raw = line.split()
    row = {"id": int(identity), "name": name, "raw": {"string": raw}}
    return row if value == "---" else row | {"value": int(value)}


def read_wear(paste):
    (reading,) = parse_paste(paste, unit_key=b"key").readings
    return {name: value for name in FIELDS if (value := getattr(reading, name)) is not None}


def write_paste(as_paste, *arguments, **options):
    return {"as_text": as_text, "as_json": as_json}[as_paste](*arguments, **options)


@EVERY_DIALECT
def test_a_known_attribute_gives_wear_or_writes(as_paste, subtests):
    for family, line, expected in CASES:
        with subtests.test(family=family, line=line):
            assert read_wear(write_paste(as_paste, family, [line])) == expected


def test_every_row_of_the_table_has_its_case():
    found = [
        find_known(Attribute(name, "0", 1, int(identity), 0), family)
        for family, (identity, name) in ((family, line.split()[:2]) for family, line, _expected in CASES)
    ]
    assert sorted(map(repr, found)) == sorted(map(repr, KNOWN_ATTRIBUTES))
    assert len(KNOWN_ATTRIBUTES) >= 25


def test_every_name_of_the_table_is_looked_up():
    names = {known.name for known in KNOWN_ATTRIBUTES}
    assert [name for name in names if not (WEAR.search(name) or WRITES.search(name))] == []


@EVERY_DIALECT
def test_an_unknown_attribute_is_shown_but_nothing_is_derived(as_paste, subtests):
    for family, line, shown in [
        # not in the database
        (None, "177 Wear_Leveling_Count     0x0013   095   095   000    Pre-fail  Always       -       123",
         "Wear_Leveling_Count 95, raw 123"),
        (None, "233 Media_Wearout_Indicator 0x0032   084   084   000    Old_age   Always       -       0",
         "Media_Wearout_Indicator 84, raw 0"),
        (None, "241 Total_LBAs_Written      0x0032   100   100   000    Old_age   Always       -       77",
         "Total_LBAs_Written 100, raw 77"),
        # of another vendor
        ("Example SSDs", "231 SSD_Life_Left           0x0013   090   090   000    Pre-fail  Always       -       10",
         "SSD_Life_Left 90, raw 10"),
        ("SK hynix SATA SSDs", "177 Wear_Leveling_Count     0x0032   100   100   000    Old_age   Always  -  42",
         "Wear_Leveling_Count 100, raw 42"),
        # packed, and nobody says how
        ("WD Blue / Red / Green SSDs",
         "230 Media_Wearout_Indicator 0x0032   002   002   000    Old_age   Always       -       0x002a0014002a",
         "Media_Wearout_Indicator 2, raw 0x002a0014002a"),
        # the same name with another id
        ("Samsung based SSDs", "173 Wear_Leveling_Count     0x0033   098   098   000    Pre-fail  Always  -  30",
         "Wear_Leveling_Count 98, raw 30"),
        # 58 with a raw value of 6 on a drive that states 1 % itself
        ("Crucial/Micron RealSSD C300/P300",
         "202 Percent_Lifetime_Used   0x0018   058   058   000    Old_age   Offline      -       6",
         "Percent_Lifetime_Used 58, raw 6"),
        # no percentage
        ("Samsung based SSDs", "177 Wear_Leveling_Count     0x0013   200   200   000    Pre-fail  Always  -  0",
         "Wear_Leveling_Count 200, raw 0"),
        ("Silicon Motion based SSDs",
         "169 Remaining_Lifetime_Perc 0x0032   100   100   000    Old_age   Always       -       65535",
         "Remaining_Lifetime_Perc 100, raw 65535"),
        ("Samsung based SSDs", "177 Wear_Leveling_Count     0x0013   ---   ---   ---    Pre-fail  Always  -  9",
         "Wear_Leveling_Count raw 9"),
        # an SSD of a maker of hard disks, whose unit isn't known
        ("Toshiba HK4R Series SSD", "241 Total_LBAs_Written      0x0032   100   100   000  Old_age  Always  -  5000",
         "Total_LBAs_Written 100, raw 5000"),
    ]:  # fmt: skip
        with subtests.test(family=family, line=line):
            assert read_wear(write_paste(as_paste, family, [line])) == {"raw_wear": shown}


@EVERY_DIALECT
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("241 Host_Writes_32MiB       0x0032   100   100   000    Old_age   Always       -       77",
         {"host_bytes_written": 2_583_691_264}),
        ("249 NAND_Writes_1GiB        0x0032   100   100   000    Old_age   Always       -       77", {}),
    ],
)  # fmt: skip
def test_a_name_that_states_its_unit_needs_no_family(as_paste, line, expected):
    assert read_wear(write_paste(as_paste, None, [line])) == expected


@EVERY_DIALECT
def test_attributes_unrelated_to_wear_are_not_shown(as_paste):
    lines = [
        "189 High_Fly_Writes         0x003a   100   100   000    Old_age   Always       -       7",
        "206 Write_Error_Rate        0x000e   100   100   000    Old_age   Always       -       7",
        "226 Workld_Media_Wear_Indic 0x0032   100   100   000    Old_age   Always       -       7",
        "177 Wear_Range_Delta        0x0000   000   000   000    Old_age   Offline      -       7",
    ]
    assert read_wear(write_paste(as_paste, "SandForce Driven SSDs", lines)) == {}


@EVERY_DIALECT
def test_the_first_known_attribute_counts(as_paste):
    lines = [
        "177 Wear_Leveling_Count     0x0032   098   098   000    Old_age   Always       -       42",
        "231 SSD_Life_Left           0x0013   090   090   000    Pre-fail  Always       -       10",
        "169 Remaining_Lifetime_Perc 0x0032   100   100   000    Old_age   Always       -       97",
    ]
    assert read_wear(write_paste(as_paste, "Silicon Motion based SSDs", lines)) == {
        "wear_percent": 10,
        "wear_source": "SSD_Life_Left 90",
    }


def test_stated_wear_takes_precedence_over_attributes():
    line = "177 Wear_Leveling_Count     0x0013   095   095   000    Pre-fail  Always       -       123"
    assert read_wear(as_text("Samsung based SSDs", [line, *STATISTICS.splitlines()])) == {
        "percentage_used": 12,
        "wear_percent": 12,
    }
    document = json.loads(as_json("Samsung based SSDs", [line]))
    document["endurance_used"] = {"current_percent": 11}
    assert read_wear(json.dumps(document)) == {"percentage_used": 11, "wear_percent": 11}


@pytest.mark.parametrize(
    "paste",
    [
        "SMART/Health Information (NVMe Log 0x02)\nCritical Warning: 0x00\nPercentage Used:  104%\n",
        "=== START OF INFORMATION SECTION ===\nVendor:  EXAMPLE\nProduct:  SAS\nCompliance:  SPC-4\n"
        "Percentage used endurance indicator: 104%\n",
        '{"smartctl": {}, "nvme_smart_health_information_log": {"percentage_used": 104}}',
    ],
)
def test_a_stated_percentage_is_the_wear_of_nvme_and_sas(paste):
    assert read_wear(paste) == {"percentage_used": 104, "wear_percent": 104}


@EVERY_DIALECT
def test_logical_blocks_have_the_stated_size(as_paste):
    line = "241 Total_LBAs_Written      0x0000   100   253   000    Old_age   Offline      -       1000"
    family = "Seagate Exos X18"
    assert read_wear(write_paste(as_paste, family, [line], sector_size=4096)) == {
        "host_bytes_written": 4_096_000
    }
    assert read_wear(write_paste(as_paste, family, [line], sector_size=None)) == {
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
    assert read_wear(as_text("Intel 320 Series SSDs", [line]))["wear_percent"] == 7


LONG = f"{'9' * 15}/{'9' * 15}"


@EVERY_DIALECT
def test_only_as_many_attributes_are_shown_as_fit(as_paste):
    lines = [
        f"{identity} Lifetime_Left_{identity}       0x0032   100   100   000    Old_age   Always  -  {LONG}"
        for identity in range(100, 110)
    ]
    shown = read_wear(write_paste(as_paste, None, lines))["raw_wear"]
    assert shown.count("; ") == 0
    assert shown == f"Lifetime_Left_100 100, raw {LONG}"
