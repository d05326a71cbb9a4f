"""The way of a flush to the medium, and failed capacitors: stored, shown, compared and flagged."""

import json

import pytest

from results.compare.results.query import find_pair
from results.kinds.commands.disks import commands_for
from results.kinds.free_disk import System
from tests import pastes
from tests.factories import flat, make_device, make_result
from tests.results.publishing import parsed_run, publish

pytestmark = pytest.mark.django_db
NAMES = ("has_volatile_cache", "write_cache_enabled", "kernel_write_cache", "has_fua")
DISKINFO = pastes.diskinfo(path="/dev/ada0")
KERNEL = "/sys/block/ada0/queue/write_cache:write through\n/sys/block/ada0/queue/fua:0\n"
NVME = "\n".join(
    (
        "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.6.44] (local build)",
        "=== START OF INFORMATION SECTION ===",
        "Model Number:                       SAMPLE NVMe",
        "Serial Number:                      SAMPLE0001",
        "Firmware Version:                   1.0",
        "=== START OF SMART DATA SECTION ===",
        "Critical Warning:                   {warning}",
        "Available Spare:                    100%",
        "",
    )
)
ATTRIBUTES = (
    "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
    "175 Power_Loss_Cap_Test     0x0033   010   010   010    Pre-fail  Always   FAILING_NOW 5151 (54 1)\n"
)
NVME_JSON = {
    "json_format_version": [1, 0],
    "device": {"name": "/dev/sda", "protocol": "NVMe"},
    "model_name": "SAMPLE SSD",
    "nvme_smart_health_information_log": {"critical_warning": 16},
}


def test_statements_beside_a_run_are_conditions_of_it(client):
    described = pastes.smartctl()
    with_cache = f"{described}Write cache is:   Enabled\n"
    for text, expected in (
        (described, (None, None, None, None)),
        # smartctl's statement of the write cache counts
        (f"{with_cache}{KERNEL}vwc : 0x1\nWCE: 0\n", (True, True, "write through", False)),
    ):
        conditions = parsed_run(client, f"{DISKINFO}\n{text}")["conditions"]
        assert tuple(conditions[name] for name in NAMES) == expected, text


def test_result_says_its_flush_path_or_that_it_is_not_stated(client):
    for values, shown in (
        ({}, "Flush path: not stated."),
        (
            {"has_volatile_cache": True, "write_cache_enabled": True, "kernel_write_cache": "write back"},
            "Flush path: volatile cache, write cache enabled, the kernel sends flushes.",
        ),
        ({"has_volatile_cache": False, "has_fua": False}, "Flush path: no volatile cache, FUA not used."),
        ({"kernel_write_cache": "write through"}, "Flush path: the kernel sends no flushes."),
    ):
        assert shown in client.get(make_result(100, **values).get_absolute_url()).text


def test_two_flush_paths_are_compared():
    device = make_device()
    cases = ({"kernel_write_cache": "write back"}, {"kernel_write_cache": "write through", "has_fua": True})
    pair = find_pair(*(make_result(flat(100), device=device, **values).public_id for values in cases))
    stated = {condition.key: (condition.differs, condition.is_unknown) for condition in pair.conditions}
    assert (stated["kernel_write_cache"], stated["has_fua"]) == ((True, False), (False, True))
    assert "has_volatile_cache" not in stated


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (NVME.format(warning="0x01"), None),
        (NVME.format(warning="0x10"), "Critical Warning 0x10"),
        (NVME.format(warning="0x14"), "Critical Warning 0x14"),
        (json.dumps(NVME_JSON, indent=1), "Critical Warning 0x10"),
        (pastes.smartctl() + ATTRIBUTES, "Power_Loss_Cap_Test 10, threshold 10"),
    ],
)
def test_failed_protection_is_read_and_flagged(client, text, fault):
    run = parsed_run(client, f"{pastes.diskinfo(path='/dev/ada0', description='', ident='')}\n{text}")
    assert run["conditions"]["protection_fault"] == fault
    messages = [flag["message"] for flag in run["flags"] if flag["code"] == "protection_failed"]
    assert (len(messages), all(fault in message for message in messages)) == (fault is not None, True)


@pytest.mark.usefixtures("everyone_is_trusted")
def test_failed_protection_is_on_the_pages_of_the_result_and_the_device(client):
    disk = pastes.diskinfo(path="/dev/nvd0", description="", ident="")
    for warning, is_shown in (("0x00", False), ("0x10", True)):
        text = f"{disk}\n{NVME.format(warning=warning).replace('SAMPLE NVMe', f'SAMPLE {warning}')}"
        (found,) = publish(client, text)
        for address in (f"/results/{found['id']}/", f"/devices/{found['device']}/"):
            page = client.get(address).text
            assert ("power-loss protection has failed" in page) is is_shown, address
        assert ("Failed power-loss protection" in page) is is_shown


def test_commands_print_the_flush_path():
    linux = commands_for(System.LINUX, "nvme0n1").single.describe
    assert linux.split("\n")[1:] == [
        "grep -H . /sys/block/nvme0n1/queue/write_cache /sys/block/nvme0n1/queue/fua | tee -a slog-nvme0n1.txt",
        "{ nvme id-ctrl /dev/nvme0n1 | grep vwc; nvme get-feature -f 6 /dev/nvme0n1; } | tee -a slog-nvme0n1.txt",
    ]
    assert len(commands_for(System.LINUX, "sdb").single.describe.split("\n")) == 2
    assert (
        "camcontrol identify ada1 | grep 'write cache'"
        in commands_for(System.FREEBSD, "ada1").single.describe
    )
    assert "camcontrol" not in commands_for(System.FREEBSD, "nvd1").single.describe
