"""No identifier leaves the machine, whichever awk it has; and what is no identifier stays."""

import shutil
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from tests import pastes
from tests.submitter.machines import AWKS, SERIAL, SMARTCTL, WWN, Machine, diskinfo_text, linux

CORPUS = Path(__file__).resolve().parents[1] / "parsers" / "corpus"
# A text, and what of it may not leave
SECRETS = {
    "smartctl": (SMARTCTL, [SERIAL, SERIAL.lower(), WWN, "8b1234567"]),
    "diskinfo": (diskinfo_text("/dev/da9"), [SERIAL, "5003048001f8ea7d"]),
    "NVMe": (
        "Serial Number:                      S4EVNF0M123456X\n"
        "Namespace 1 IEEE EUI-64:            002538 5b01b0c1d2\n"
        "Subsystem: nqn.1994-11.com.sample:nvme:sn4711:S4EVNF0M123456X\n",
        ["S4EVNF0M123456X", "5b01b0c1d2", "sn4711"],
    ),
    "SAS": (
        "Logical Unit id:      0x5000cca01a2b3c4d\nSerial number:        XYZ98765\n"
        "Unit serial number:   XYZ98766\n    attached SAS address = 0x500304800ab1cd3f\n    SAS address = 0x0\n",
        ["5000cca01a2b3c4d", "XYZ98765", "XYZ98766", "500304800ab1cd3f"],
    ),
    "JSON": (
        '{"serial_number": "ZZ-99/11", "wwn": {\n "naa": 5,\n "oui": 3274,\n "id": 6234567890\n},\n'
        '"nvme_namespaces": [{"eui64": {"oui": 9528, "ext_id": 391234567890}}],'
        '"logical_unit_id":"0x5000cca01a2b3c5d"}\n',
        ["ZZ-99/11", "6234567890", "391234567890", "5000cca01a2b3c5d"],
    ),
    "JSON in JSON": ('{"out": "{\\"serial_number\\": \\"QQ99887766\\", \\"x\\": 1}"}\n', ["QQ99887766"]),
    "device nodes": (
        "/dev/disk/by-id/ata-SAMPLE_SSD_400_ABCD12345678-part1\n/dev/diskid/DISK-WXYZ9876p2\n"
        "/dev/disk/by-id/wwn-0x5000cca01a2b3c4e\n/dev/disk/by-id/nvme-eui.00253856b7c8d9e0\n",
        ["ABCD12345678", "WXYZ9876", "5000cca01a2b3c4e", "00253856b7c8d9e0"],
    ),
    "boot messages": ("ada0: Serial Number WD-WCC4E1234567\n", ["WD-WCC4E1234567", "WCC4E1234567"]),
    "people": (
        "alice@storage9:~$ smartctl -x /dev/sda\nbox-3# diskinfo -wS da9\nkept in /Users/alice/x\n",
        ["alice", "storage9", "box-3"],
    ),
    "this machine": ("made on nas-77.example.org by jo-smith, on NAS-77\n", ["nas-77", "NAS-77", "jo-smith"]),
    "a disk of this machine": (f"only {SERIAL} and {WWN} and 0x{WWN.upper()}\n", [SERIAL, WWN, WWN.upper()]),
    "a repeated one": (
        "Serial Number: EFGH12345678\n(efgh12345678) EFGH12345678_x\n",
        ["EFGH12345678", "efgh12345678"],
    ),
}
UNCHANGED_TEXT = (
    "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.6.44-production+truenas] (local build)\n"
    "Serial Number:    [No Information Found]\n"
    "PCI Vendor/Subsystem ID:            0x144d\n"
    "IEEE OUI Identifier:                0x002538\n"
    "    SAS address = 0x0\n"
    "\tid1,slot@4/elmdesc@Slot_04\t# Physical path\n"
    "# diskinfo -wS /dev/da9\n"
    "SERIAL_MODE: 4 kbytes:     50.1 usec/IO =     78.0 Mbytes/s\n"
)


@pytest.fixture(params=AWKS)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    """A machine with one awk of those that there are."""
    machine = linux(tmp_path, "dash")
    awk = AWKS[request.param]
    (machine.bin / "awk").symlink_to(shutil.which(awk) or awk)
    return machine


def masked(machine: Machine, text: str) -> str:
    path = machine.folder / "text"
    path.write_text(text)
    outcome = machine.run("--dry-run", "--no-run", str(path))
    assert outcome.status == 0, outcome
    return outcome.sent_text


def test_no_identifier_is_left_and_masking_twice_is_masking_once(machine: Machine):
    """No secret of one text is labeled in another."""
    text = "".join(text for text, _ in SECRETS.values())
    sent = masked(machine, text)
    assert {
        case: secret for case, (_, secrets) in SECRETS.items() for secret in secrets if secret in sent
    } == {}
    assert sent.count("\n") == text.count("\n")
    assert masked(machine, sent) == sent


def test_what_is_no_identifier_stays(machine: Machine):
    assert masked(machine, UNCHANGED_TEXT) == UNCHANGED_TEXT


def test_new_masks_are_none_of_those_that_are_there(machine: Machine):
    sent = masked(machine, "Serial Number: [serial-1]\nSerial Number: ABCD12345678\n")
    assert sent == "Serial Number: [serial-1]\nSerial Number: [serial-2]\n"


def test_a_short_serial_number_spoils_no_other_word(machine: Machine):
    sent = masked(
        machine, "".join(f"Serial Number: {word}\n" for word in ("1", "ABC", "SSD")) + "Model: SSD ABC 1\n"
    )
    assert sent == "".join(f"Serial Number: [serial-{n}]\n" for n in (1, 2, 3)) + "Model: SSD ABC 1\n"


def test_two_disks_with_one_serial_number_get_one_mask(machine: Machine):
    sent = masked(machine, "Serial Number: SAME12345\nSerial Number: same12345\nSerial Number: OTHER9999\n")
    assert sent == "".join(f"Serial Number: [serial-{n}]\n" for n in (1, 1, 2))


def test_a_finished_parse_is_refused_by_its_name(linux_machine: Machine):
    path = linux_machine.folder / "parse.json"
    path.write_text(to_json(parse_paste(pastes.FIRST_PASTE, unit_key=b"key")))
    outcome = linux_machine.run("--dry-run", "--no-run", str(path))
    assert (outcome.status, outcome.out) == (2, "")
    assert "parse.json is a finished parse" in outcome.err


def test_an_awk_that_fails_sends_nothing(tmp_path: Path):
    machine = linux(tmp_path, "dash").tool("awk", "exit 2")
    outcome = machine.run("--server", "http://127.0.0.1:9", "--no-run", __file__)
    assert (outcome.status, outcome.out) == (2, "")


def test_in_the_corpus_the_server_finds_no_further_serial_number(linux_machine: Machine):
    """What terminals, mail and forums have broken is the server's business."""
    of_submitter = (
        *CORPUS.glob("diskinfo/accepted/*"),
        *CORPUS.glob("fio_[jt]*/accepted/*"),
        *CORPUS.glob("smartctl*/accepted/*"),
    )
    texts = sorted(path for path in of_submitter if path.suffix == ".txt" and "wrapped" not in path.stem)
    sent = masked(linux_machine, "\n".join(path.read_text(errors="replace") for path in texts))
    found = parse_paste(sent, unit_key=b"key")
    assert len(found.readings) > 20
    assert [mask for mask in found.unit_digests if mask not in sent] == []
