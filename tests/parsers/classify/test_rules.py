"""The rules of the device class, a table row for each way to a class."""

from parsers.base.device_class import DeviceClass
from parsers.base.readings import DiskinfoReading
from parsers.classify.rules import (
    MAX_CACHED_LENGTH,
    ClassEvidence,
    StandIn,
    classify,
    diskinfo_evidence,
    find_stand_in,
    merge_classes,
)

CLASSES = [
    # nothing to decide on
    ({"path": "/dev/nvd0", "command_set": "nvme"}, "unknown"),
    ({}, "unknown"),
    # not one physical disk, whatever rotation rate it prints
    ({"vendor": "Intel", "model": "Raid 1 Volume", "rotation_rate_rpm": 7200}, "unknown"),
    ({"vendor": "QEMU", "model": "QEMU HARDDISK", "rotation_rate_rpm": 0, "command_set": "ata"}, "unknown"),
    ({"model": "QEMU NVMe Ctrl", "command_set": "nvme"}, "unknown"),
    ({"vendor": "EXAMPLE", "model": "X1", "transport": "iSCSI", "rotation_rate_rpm": 0}, "unknown"),
    ({"model": "EXAMPLE", "device_type": "enclosure", "rotation_rate_rpm": 7200}, "unknown"),
    ({"model": "EXAMPLE", "path": "/dev/mfid0", "rotation_rate_rpm": 7200}, "unknown"),
    ({"model": "EXAMPLE", "path": "/dev/zvol/tank/test", "rotation_rate_rpm": 0}, "unknown"),
    ({"model": "EXAMPLE", "path": "/mnt/tank/file", "rotation_rate_rpm": 0}, "unknown"),
    # rarer than any bus
    ({"path": "/dev/pmem0"}, "nvdimm"),
    ({"model": "PMEM region 16GB", "rotation_rate_rpm": 0}, "nvdimm"),
    ({"vendor": "STEC", "model": "ZeusRAM", "transport": "SAS", "rotation_rate_rpm": 0}, "nvram"),
    ({"model": "RMS-200", "command_set": "nvme"}, "nvram"),
    # Optane is NVMe to every tool; its neighbors are flash
    ({"model": "INTEL SSDPED1D280GA", "command_set": "nvme"}, "optane"),
    ({"model": "INTEL SSDPEK1A118GA", "path": "/dev/nda0"}, "optane"),
    ({"model": "INTEL HBRPEKNX0202AO", "command_set": "nvme"}, "optane"),
    ({"model": "INTEL HBRPEKNX0202A", "command_set": "nvme"}, "nvme"),
    ({"model": "INTEL SSDPEDMD800G4", "command_set": "nvme"}, "nvme"),
    ({"model": "INTEL SSDPE2KE016T7", "command_set": "nvme"}, "nvme"),
    # NVMe, also through a SCSI layer
    ({"vendor": "NVMe", "model": "EXAMPLE_NV9_3840", "rotation_rate_rpm": 0}, "nvme"),
    ({"model": "EXAMPLE NV1", "transport": "PCIe"}, "nvme"),
    ({"model": "EXAMPLE NV1", "attachment": "nvme1"}, "nvme"),
    # hybrids print a rotation rate like any hard disk
    ({"model": "ST1000LM014-1EJ164", "family": "Seagate Laptop SSHD", "rotation_rate_rpm": 5400}, "sshd"),
    # ATA: the rotation rate, then names
    ({"model": "EXAMPLE", "command_set": "ata", "rotation_rate_rpm": 5980}, "hdd"),
    ({"model": "EXAMPLE", "command_set": "ata", "rotation_rate_rpm": 0}, "sata_ssd"),
    ({"model": "EXAMPLE", "family": "Example based SSDs", "command_set": "ata"}, "sata_ssd"),
    ({"model": "ATA INTEL SSDSC2BA20", "path": "/dev/da0"}, "sata_ssd"),
    ({"model": "ATA ST4000NM0033-9ZM", "path": "/dev/da1"}, "hdd"),
    ({"model": "WDC  WUH721818ALE6L4", "path": "/dev/ada1"}, "hdd"),
    ({"model": "MK000960GWEZK", "command_set": "ata"}, "sata_ssd"),
    ({"model": "EXAMPLE", "command_set": "ata"}, "unknown"),
    # SAS
    ({"model": "XXXXXXXX", "transport": "SAS (SPL-4)", "rotation_rate_rpm": 0}, "sas_ssd"),
    ({"model": "EXAMPLE", "transport": "SAS", "rotation_rate_rpm": 10500}, "hdd"),
    ({"vendor": "SEAGATE", "model": "ST4000NM0023", "transport": "SAS"}, "hdd"),
    ({"vendor": "HGST", "model": "HUSMM1640ASS200", "transport": "SAS"}, "sas_ssd"),
    ({"model": "EXAMPLE", "attachment": "mpr0", "rotation_rate_rpm": 0}, "sas_ssd"),
    ({"model": "EXAMPLE", "attachment": "mpr0"}, "unknown"),
    # SCSI without a word on the bus: USB sticks and SAS SSDs answer alike
    ({"vendor": "EXAMPLE", "model": "Pocket 25", "rotation_rate_rpm": 5400, "is_usb": True}, "hdd"),
    ({"vendor": "EXAMPLE", "model": "Stick", "rotation_rate_rpm": 0}, "unknown"),
    ({"vendor": "SEAGATE", "model": "ST4000NM0023"}, "hdd"),
    ({"vendor": "SEAGATE", "model": "ST4000NM0023", "is_usb": True}, "unknown"),
    ({"vendor": "HGST", "model": "HUSMM1640ASS200", "rotation_rate_rpm": 0}, "sas_ssd"),
]


# By the part number or the short name of Intel, in whichever spelling, also of dual-port and OEM drives.
OPTANE_NAMES = (
    "INTEL SSDPED1K375GA",
    "INTEL SSDPE21D960GAM3",
    "INTEL SSDPEL1K100GA",
    "INTEL SSDPEK1W120GAH",
    "INTEL SSDPD21K375GA",
    "SSDPD21K015TA01",
    "INTEL SSDPF21Q800GB",
    "INTEL SSDPFR1Q400GBF",
    "Intel ssdpd21k750ga",
    "NVMe INTEL SSDPED1D96",
    "INTEL MEMPEK1J016GAL",
    "INTEL MDTPED1K750GA",
    "INTEL(R) Optane(TM) SSD 900P",
    "Intel OPTANE SSD DC D4800X",
    "D4800X",
    "Dell Express Flash NVMe P4800X 375GB SFF",
    "Dell Ent NVMe P5800x WI U.2 400GB",
    "Dell Ent NVMe P5810x SED WI",
    "EO000375KWJUC",
)
FLASH_NAMES = (
    "INTEL SSDPE2KX010T8",
    "INTEL SSDPE2MD400G4",
    "INTEL SSDPE2ME016T4",
    "INTEL SSDPEDKX040T7",
    "INTEL SSDPEKNW010T8",
    "INTEL SSDPELKX010T8",
    "INTEL SSDPF2KX076TZ",
    "INTEL SSDPF2NV153TZ",
    "INTEL SSDPFKNU010TZ",
    "Dell Ent NVMe P5500 RI U.2 1.92TB",
    "Dell Ent NVMe P5810 WI U.2 800GB",
)


def test_optane_is_told_from_flash_by_its_name():
    for names, expected in ((OPTANE_NAMES, DeviceClass.OPTANE), (FLASH_NAMES, DeviceClass.NVME)):
        classes = {name: classify(ClassEvidence(model=name, command_set="nvme")) for name in names}
        assert classes == dict.fromkeys(names, expected)


def test_the_first_rule_that_fires_gives_the_class(subtests):
    for evidence, expected in CLASSES:
        with subtests.test(evidence=evidence):
            assert classify(ClassEvidence(**evidence)) == expected
    assert {expected for _, expected in CLASSES} == set(DeviceClass)


def test_the_catalogue_decides_if_the_output_is_ambiguous():
    for evidence, known, expected in (
        ({"model": "EXAMPLE", "command_set": "nvme"}, "optane", "optane"),
        ({"model": "EXAMPLE", "command_set": "nvme"}, "hdd", "nvme"),
        ({"model": "EXAMPLE", "command_set": "ata"}, "hdd", "hdd"),
        ({"model": "EXAMPLE", "command_set": "ata", "rotation_rate_rpm": 0}, "hdd", "sata_ssd"),
        ({"model": "EXAMPLE", "command_set": "ata", "rotation_rate_rpm": 5400}, "sshd", "sshd"),
        ({"model": "EXAMPLE", "rotation_rate_rpm": 0}, "sas_ssd", "sas_ssd"),
        ({"model": "QEMU HARDDISK"}, "hdd", "unknown"),
    ):
        assert classify(ClassEvidence(**evidence), lambda _name, known=known: DeviceClass(known)) == expected


def test_the_catalogue_is_searched_by_model_and_then_with_the_vendor():
    lookups = []

    def catalogue(name):
        lookups.append(name)

    classify(ClassEvidence(model="X1", vendor="EXAMPLE", transport="SAS"), catalogue)
    assert lookups == ["X1", "EXAMPLE X1"]


def test_a_stand_in_for_a_disk_is_named(subtests):
    for evidence, expected in [
        ({"vendor": "AVAGO", "model": "MR9361-16i"}, StandIn.RAID_VOLUME),
        ({"vendor": "HP", "model": "LOGICAL VOLUME"}, StandIn.RAID_VOLUME),
        ({"vendor": "VMware", "model": "Virtual disk"}, StandIn.VIRTUAL_DISK),
        ({"model": "EXAMPLE", "transport": "iSCSI"}, StandIn.ISCSI_LUN),
        ({"model": "EXAMPLE", "device_type": "CD/DVD"}, StandIn.OPTICAL_DRIVE),
        ({"model": "EXAMPLE", "device_type": "tape"}, StandIn.OTHER_DEVICE),
        ({"model": "EXAMPLE", "device_type": "dis"}, None),
        ({"model": "EXAMPLE", "device_type": "host managed zoned block device"}, None),
        ({"vendor": "EXAMPLE", "model": "SAS Expander"}, StandIn.ENCLOSURE),
        ({"model": "EXAMPLE", "path": "/dev/md0"}, StandIn.SOFTWARE_DISK),
        ({"model": "EXAMPLE", "path": "/dev/vtbd0"}, StandIn.VIRTUAL_DISK),
        ({"model": "EXAMPLE", "path": "/dev/sda"}, None),
    ]:
        with subtests.test(evidence=evidence):
            assert find_stand_in(ClassEvidence(**evidence)) is expected


def test_evidence_of_a_diskinfo_reading():
    for path, description, rotation_rate_rpm, expected in (
        ("/dev/nvd0", "INTEL SSDPED1D280GA", 0, DeviceClass.OPTANE),
        ("/dev/da3", "ATA Samsung SSD 850", 0, DeviceClass.SATA_SSD),
        ("/dev/da4", "VMware Virtual disk", 0, DeviceClass.UNKNOWN),
        ("/dev/da5", "SEAGATE ST4000NM0023", None, DeviceClass.HDD),
    ):
        reading = DiskinfoReading(
            first_line=1, last_line=2, path=path, description=description, rotation_rate_rpm=rotation_rate_rpm
        )
        assert classify(diskinfo_evidence(reading)) is expected, path


def test_smartctl_wins_except_over_persistent_memory():
    for smartctl, diskinfo, merged, is_disputed in (
        ("nvme", "nvme", "nvme", False),
        ("unknown", "hdd", "hdd", False),
        ("optane", "unknown", "optane", False),
        ("sata_ssd", "hdd", "sata_ssd", True),
        ("sas_ssd", "nvdimm", "nvdimm", True),
        ("sas_ssd", "nvram", "nvram", True),
    ):
        result = merge_classes(DeviceClass(smartctl), DeviceClass(diskinfo))
        assert (result.device_class, result.is_disputed) == (merged, is_disputed), smartctl


def test_cached_classes_are_separate_per_catalogue():
    evidence = ClassEvidence(model="REMEMBERED 1", command_set="scsi")
    lookups = []

    def knows(name):
        lookups.append(name)
        return DeviceClass.SAS_SSD

    assert [classify(evidence, knows) for _ in range(3)] == [DeviceClass.SAS_SSD] * 3
    assert lookups == ["REMEMBERED 1"]
    assert classify(evidence, lambda _: DeviceClass.HDD) is DeviceClass.HDD
    assert classify(evidence) is DeviceClass.UNKNOWN


def test_overlong_names_are_not_cached():
    lookups = []
    evidence = ClassEvidence(model="LONG " * MAX_CACHED_LENGTH, command_set="scsi")
    for _ in range(3):
        classify(evidence, lookups.append)
    assert len(lookups) == 3
