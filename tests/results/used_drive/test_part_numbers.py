from results.used_drive.part_numbers import capacities_in_name, capacities_of_part_number, is_in_name

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
    ):
        assert capacities_of_part_number(name) == [size * GB], name
    assert capacities_of_part_number("HUSMM1680ASS204") == []
