"""What a command line of smartctl says."""

from parsers.smartctl.failures import Command, is_usb_type, read_command


def test_device_and_type_are_found_among_options(subtests):
    for command, expected in [
        (None, Command()),
        ("smartctl -a", Command()),
        ("smartctl -a /dev/nvme0", Command("/dev/nvme0")),
        ("sudo smartctl -a -d sat /dev/sdb | grep Model", Command("/dev/sdb", "sat")),
        ("smartctl -a /dev/sda -d sat+megaraid,00", Command("/dev/sda", "sat+megaraid,00")),
        ("smartctl -AHil selftest --log=devstat da1 -dscsi", Command("da1", "scsi")),
        ("./smartctl.exe --all --device=sntrealtek /dev/sdc", Command("/dev/sdc", "sntrealtek")),
        ("smartctl --device usbjmicron --json=c /dev/sdc > out", Command("/dev/sdc", "usbjmicron")),
        ("for d in sda sdb; do smartctl -a /dev/$d; done", Command()),
        ("diskinfo -wS /dev/nvd0", Command()),
    ]:
        with subtests.test(command=command):
            assert read_command(command) == expected


def test_types_of_usb_bridges_are_known():
    types = ("usbjmicron", "sntasmedia", "sat", None)
    assert [is_usb_type(each) for each in types] == [True, True, False, False]
