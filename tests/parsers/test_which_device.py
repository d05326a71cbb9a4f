"""Which device a run of a paste belongs to: texts as people paste them, with invented serial numbers."""

import json

from parsers.paste import parse_paste
from tests import ladders
from tests.parsers.samples import read

BANNER = "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local build)\n\n"
LOG = """=== START OF SMART DATA SECTION ===
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Percentage Used:                    37%
Power Cycles:                       20
Power On Hours:                     {hours}
"""
HEALTH = "=== START OF SMART DATA SECTION ===\nSMART overall-health self-assessment test result: PASSED\n\n"
SERIAL, OTHER = "S7EXAM0R500001", "S7EXAM0R500002"
SIZE = "960,197,124,096 [960 GB]"


def named(path="", serial=SERIAL, model="EXAMPLE NVME 960", firmware="EX10", size=SIZE, option="-i"):
    command = f"# smartctl {option} {path}\n" if path else ""
    number = f"Serial Number:                      {serial}\n" if serial else ""
    return (
        f"{command}{BANNER}=== START OF INFORMATION SECTION ===\n"
        f"Model Number:                       {model}\n{number}"
        f"Firmware Version:                   {firmware}\nTotal NVM Capacity:                 {size}\n\n"
    )


def part(body, path="", option="-A"):
    return (f"# smartctl {option} {path}\n" if path else "") + BANNER + body + "\n"


def log(path="", hours="9,812"):
    return part(LOG.format(hours=hours), path)


def document(path, serial=SERIAL, **fields):
    stated = {"model_name": "EXAMPLE NVME 960", "firmware_version": "EX10", **fields}
    number = {"serial_number": serial} if serial else {}
    device = {"name": path, "info_name": path, "type": "nvme", "protocol": "NVMe"}
    return json.dumps({"json_format_version": [1, 0], "device": device, **stated, **number}, indent=1) + "\n"


def fio(path):
    text = ladders.text({1: 1250}, path=path)
    return text if path else text.replace("--filename= ", "")


def diskinfo(path="/dev/nda0", serial="", model="", size=960_197_124_096):
    lines = [f"\t{size:<12}\t# mediasize in bytes (894G)"]
    lines += [f"\t{model:<12}\t# Disk descr."] if model else []
    lines += [f"\t{serial:<12}\t# Disk ident."] if serial else []
    points = "\n".join(
        f"{kib:8} kbytes: {100 + kib:9.1f} usec/IO = {kib * 976.5625 / (100 + kib):10.1f} Mbytes/s"
        for kib in (4, 8)
    )
    header = "\n".join(lines)
    head = f"# diskinfo -wS {path}\n{path}\n\t512         \t# sectorsize\n{header}\n\n"
    return f"{head}Synchronous random writes:\n{points}\n\n"


def devices_of(text):
    """For each distinct device: its model, and how many readings of smartctl and runs belong to it."""
    paste = read(text)
    assert SERIAL not in paste.text
    found = {}
    for device in paste.devices:
        key = device.unit or ((device.diskinfo, device.fio) if device.smartctl is None else device.smartctl)
        described = {device.smartctl, *device.also_smartctl} - {None}
        runs = {(kind, at) for kind in ("diskinfo", "fio") if (at := getattr(device, kind)) is not None}
        model, all_described, all_runs = found.get(key, (device.model_name, set(), set()))
        found[key] = (model, all_described | described, all_runs | runs)
    counted = [(model, len(described), len(runs)) for model, described, runs in found.values()]
    return sorted(counted, key=str), [warning.code for warning in paste.warnings]


X, Y = "EXAMPLE NVME 960", "EXAMPLE NVME 480"
NODE, NOT = "/dev/nvme0n1", "different_devices"
LARGE = {"model": Y, "size": "480,103,981,056 [480 GB]"}


def test_a_run_belongs_to_the_device_of_its_serial_number_model_or_node():
    for text, expected in (
        (named("/dev/nvme0") + fio(NODE), [(X, 1, 1)]),
        (named("/dev/nvme0n1") + fio("/dev/nvme0n1p3"), [(X, 1, 1)]),
        (named() + fio(NODE), [(X, 1, 1)]),  # the only ones
        (named("/dev/sg2") + fio("/dev/sda"), [(X, 1, 1)]),
        (named("/dev/pass3") + fio("/dev/da3"), [(X, 1, 1)]),
        (named("/dev/nvme0") + fio("/mnt/test/file"), [(X, 1, 1)]),
        (named("/dev/nvme0") + fio("/dev/dm-0"), [(X, 1, 1)]),
        (named("/dev/nvme0") + fio("/dev/gptid/0a1b2c3d-0000-11ee-8000-0123456789ab"), [(X, 1, 1)]),
        (named("/dev/nvme0") + fio(f"/dev/disk/by-id/nvme-EXAMPLE_NVME_960_{SERIAL}"), [(X, 1, 1)]),
        (named("/dev/nvme0") + named("/dev/nvme1", OTHER, **LARGE) + fio("/dev/nvme1n1"), [(Y, 1, 1), (X, 1, 0)]),
        (named("/dev/sda") + named("/dev/sdb", OTHER, **LARGE)
         + fio(f"/dev/disk/by-id/nvme-EXAMPLE_NVME_960_{SERIAL}"), [(Y, 1, 0), (X, 1, 1)]),
        (named("/dev/nvme0") + diskinfo(), [(X, 1, 1)]),
        (named("/dev/nvme0") + diskinfo(size=960_197_124_000), [(X, 1, 1)]),
        (named("/dev/nvme0") + diskinfo("/dev/nda0p4", size=16 << 30), [(X, 1, 1)]),  # a part of it
        (named() + diskinfo(serial=SERIAL, model=X, size=17 << 30), [(X, 1, 1)]),  # the flag is for the results
        (diskinfo(serial=SERIAL, model=X) + fio("/dev/nda0"), [(X, 0, 2)]),
    ):  # fmt: skip
        devices, codes = devices_of(text)
        assert devices == sorted(expected, key=str), (text, codes)
        assert NOT not in codes, text


def test_a_run_that_contradicts_the_only_description_is_of_no_device():
    for text in (
        named("/dev/nvme0") + fio("/dev/sda"),
        named("/dev/nvme1") + fio("/dev/nvme0n1"),
        named("/dev/sdb") + fio("/dev/sda1"),
        named("/dev/ada0") + fio("/dev/da0"),
        named("/dev/nvme0") + diskinfo("/dev/ada0"),
        named() + diskinfo(size=2_000_398_934_016),
        named() + diskinfo(model="EXAMPLE OTHER 2T", size=2_000_398_934_016),
        named() + diskinfo(serial=OTHER),
    ):
        devices, codes = devices_of(text)
        assert sorted(runs for _model, _described, runs in devices) == [0, 1], text
        assert codes.count(NOT) == 1, (text, codes)


def test_a_run_on_another_disk_says_what_to_paste():
    (notice,) = parse_paste(named("/dev/nvme0") + fio("/dev/sda"), unit_key=b"key").warnings
    assert notice.message == (
        "fio wrote to /dev/sda, but smartctl describes another device (/dev/nvme0): paste the output of smartctl -a"
        " for /dev/sda as well"
    )


def test_one_drive_described_twice_is_one_device():
    for text, described in (
        (named("/dev/nvme0") + log("/dev/nvme0") + fio(NODE), 2),
        (log("/dev/nvme0") + fio(NODE) + named("/dev/nvme0n1"), 2),
        (named() + log() + fio(""), 2),
        (named("/dev/nvme0") + part(HEALTH, "/dev/nvme0", "-H") + log("/dev/nvme0") + fio(NODE), 3),
        (named("/dev/nvme0") + fio(NODE) + named("/dev/nvme0"), 2),
        (named(serial="") + fio(NODE) + named(serial=""), 2),
        (named("/dev/nvme0") + document("/dev/nvme0") + fio(NODE), 2),
        (named(serial="") + log() + fio(""), 2),
        (document("/dev/nvme0", serial="") + named("/dev/nvme0n1", serial="") + fio(NODE), 2),
    ):
        devices, codes = devices_of(text)
        assert devices == [(X, described, 1)], (text, codes)
        assert not {NOT, "descriptions_differ"} & set(codes), text


def test_two_drives_of_one_model_stay_two():
    for text in (
        named("/dev/nvme0") + named("/dev/nvme1", OTHER),
        named("/dev/nvme0", serial="") + named("/dev/nvme1", serial=""),
        named(serial="") + named(serial=""),
        named("/dev/nvme0") + named("/dev/nvme0", OTHER),  # swapped
        named("/dev/sda", "", option="-i -d megaraid,0") + named("/dev/sda", "", option="-i -d megaraid,1"),
    ):
        devices, _codes = devices_of(text)
        assert devices == [(X, 1, 0), (X, 1, 0)], text


def test_the_fullest_statement_wins_and_a_contradiction_is_noticed():
    text = named("/dev/nvme0", firmware="EX09") + named("/dev/nvme0") + log("/dev/nvme0") + fio(NODE)
    full = named("/dev/nvme0").rstrip() + "\n" + LOG.format(hours="9,812") + "\n"
    for sent in (text, named("/dev/nvme0", firmware="EX09") + full + fio(NODE)):
        paste = parse_paste(sent, unit_key=b"key")
        (device,) = {other.unit: other for other in paste.devices}.values()
        (notice,) = [warning for warning in paste.warnings if warning.code == "descriptions_differ"]
        assert notice.message == (
            "two outputs of smartctl for one drive contradict each other: the firmware versions differ, 'EX09' and"
            " 'EX10'; we use the fuller one"
        )
    assert device.firmware_version == "EX10"
