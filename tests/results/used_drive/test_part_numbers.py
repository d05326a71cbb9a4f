from results.used_drive.part_numbers import (
    capacities_in_name,
    capacities_of_part_number,
    is_in_name,
    possible_capacities,
)

GB = 10**9
SIZES = [100 * GB, 200 * GB, 400 * GB, 480 * GB, 1600 * GB, 1920 * GB, 2000 * GB]


def test_names_show_one_of_the_capacities():
    for name, size in (
        ("INTEL SSDPEDMD400G4", 400 * GB),
        ("INTEL SSDPEDMD016T4", 1600 * GB),
        ("INTEL SSDPE2MD020T4", 2000 * GB),
        ("SAMSUNG MZ7LM1T9HMJP-00005", 1920 * GB),
        ("Samsung SSD 980 PRO 1.6TB", 1600 * GB),
        ("KINGSTON 1.92TB", 1920 * GB),
        ("CT2000MX500SSD1", 2000 * GB),
        ("CRUCIAL 2TB", 2000 * GB),
        ("MZ7LM480HCHP", 480 * GB),
    ):
        assert capacities_in_name(name, SIZES) == [size], name
        assert is_in_name(name, size), name


def test_other_numbers_are_no_capacity():
    for name in ("INTEL SSDSC2BA4000", "Optane 900P", "Micron_5100", "4800X", "SSD1T66"):
        assert capacities_in_name(name, SIZES) == [], name
    assert not is_in_name("INTEL SSDPEDMD400G4", 800 * GB)
    assert not is_in_name("INTEL SSDPEDMD400G4", 480 * GB)


def test_part_numbers_of_makers_state_their_capacity():
    for name, size in (
        ("MEMPEK1J016GA", 16),
        ("SSDPE21K015TA", 1500),
        ("MTFDDAK480TDS", 480),
        ("Micron_5300_MTFDDAK1T9TDT", 1920),
        ("Micron_7450_MTFDKCC960TFR", 960),
        ("SAMSUNG MZ7LH480HAHQ-00005", 480),
        ("SAMSUNG MZQL23T8HCLS-00A07", 3840),
        ("MZWLR3T2HBLS-00007", 3200),
        ("Micron_5210_MTFDDAK1T9QDE", 1920),
        ("C300-CTFDDAC128MAG", 128),
        ("HFS960GD0MEE-5410A", 960),
        ("KCD6XLUL1T92", 1920),
        ("KCD6XLUL15T3", 15360),
        ("KPM6XVUG800G", 800),
        ("TOSHIBA PX05SMB040", 400),
        ("PX05SRB384", 3840),
        ("Crucial_CT240M500SSD1", 240),
        ("CT500MX500SSD1", 500),
        ("CT1000P5PSSD8", 1000),
        ("KINGSTON SA400S37240G", 240),
        ("KINGSTON SKC2500M8500G", 500),
        ("KINGSTON SEDC1000BM8480G", 480),
        ("KINGSTON SEDC1500M3840G", 3840),
        ("WDC WDS500G2B0A-00SM50", 500),
        ("WDS100T3X0C-00SJG0", 1000),
        ("SDLF1DAR-480G-1HA1", 480),
        ("SanDisk LT0400WM", 400),
        ("SEAGATE XS1600LE70084", 1600),
        ("XA480LE10063", 480),
        ("Seagate IronWolf ZA500NM10002-2ZG101", 500),
        ("SEAGATE ST400FM0053", 400),
        ("ST10000NM002G", 10000),
        ("VK000480GWSRR", 480),
        ("SSDSA2M080G2GC INTEL", 80),
        ("INTEL SSDSC2BW240A4", 240),
        ("INTEL SSDSC2KB038T8", 3840),
        ("HGST HUSMM1680ASS204", 800),
        ("HUSPR3216ADP301", 1600),
        ("HUSMR7638BDP3Y1", 3840),
        ("WUS4BA119DSP3X1", 1920),
        ("WDC WUSTR6480BSS200", 800),
    ):
        assert capacities_of_part_number(name) == [size * GB], name


def test_other_part_numbers_state_none():
    for name in (
        "HGST HUSMR1010ASS200",
        "HGST HUS726060ALE614",
        "ST95005620AS",
        "RMS-200",
        "OCZ INTREPID 3800",
    ):
        assert capacities_of_part_number(name) == [], name


def test_a_name_allows_all_capacities_only_if_it_is_the_products():
    called = ("DC S3700", "MX500")
    for name, capacities, possible in (
        ("Intel DC S3700", SIZES, SIZES),
        ("Crucial MX500", [250 * GB, 500 * GB], [250 * GB, 500 * GB]),  # 500 is its name
        ("MX500 SSD4XY200Z", SIZES, [200 * GB]),
        ("D2RSTK251E14-0401", SIZES, []),  # nobody can read it
        ("SSDSC2BA800G3", SIZES, [800 * GB]),  # whatever sources state
        ("Intel DC S3700", [400 * GB], []),  # there may be others
        ("Intel DC S3700", [], []),
    ):
        assert list(possible_capacities(name, called, capacities)) == possible, name
