from results.core.drive_names import DriveName

NAMES = {
    ("Intel", "DC P3700", "INTEL SSDPEDMD400G4"): "Intel DC P3700",
    ("Intel", "Optane SSD P1600X", ""): "Intel Optane P1600X",
    ("Samsung", "SSD 860 EVO / 870 EVO", "Samsung SSD 860 EVO 500GB"): "Samsung 860 EVO",
    ("Samsung", "SSD 970 EVO / 970 EVO Plus", "Samsung 970 EVO Plus"): "Samsung 970 EVO Plus",
    ("Samsung", "SSD 970 EVO / 970 EVO Plus", "Samsung 970 EVO"): "Samsung 970 EVO",
    (
        "Samsung",
        "SM951 NVMe / PM951 / SM961 / PM961 (OEM client)",
        "MZVKW1T0HMLH",
    ): "Samsung SM951 NVMe family",
    ("Kingston", "DC1000B / DC2000B (M.2 boot)", ""): "Kingston DC1000B / DC2000B",
    ("Intel / Solidigm", "D3-S4510", ""): "Intel D3-S4510",
    ("Western Digital", "WD Blue SATA SSD", ""): "WD Blue SATA",
    ("", "", "TESLA 2TB SATA SSD"): "TESLA 2TB SATA SSD",
}


def test_names_are_those_that_people_use():
    for (vendor, line, model_name), name in NAMES.items():
        assert DriveName(model_name, None, vendor, line).short == name, name


def test_capacity_is_appended_unless_the_name_includes_it():
    for model_name, capacity_bytes, capacity in (
        ("P5800X", 400_088_457_216, "400 GB"),
        ("P5800X 400gb", 400_088_457_216, ""),
        ("P5800X", None, ""),
    ):
        name = DriveName(model_name, capacity_bytes)
        assert (name.capacity, name.full) == (capacity, f"{model_name} {capacity}".strip())
        assert name.model == name.full
