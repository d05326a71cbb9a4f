"""Whatever a paste is put into, no identifier of it comes out, and masking twice is masking once."""

import html
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import paste as paste_module
from parsers.__main__ import to_json
from parsers.paste import parse_paste, read_masked
from parsers.privacy.mask import redact, take_masked
from tests import pastes
from tests.parsers.privacy.spelled import KINDS, spellings
from tests.parsers.samples import ALL, DISKINFO, FIO_TEXT, SMARTCTL_ATA, SMARTCTL_JSON, identified

# As vendors make them: letters, then a run with digits.
serials = st.from_regex(r"[A-Z]{2}[0-9][A-Z0-9]{6,16}", fullmatch=True)
wwns = st.from_regex(r"5[0-9a-f]{6}[1-9a-f][0-9a-f]{7}[1-9a-f]", fullmatch=True)
hosts = st.from_regex(r"[a-z]{3,8}-[0-9]{2,3}", fullmatch=True)
users = st.from_regex(r"zq[a-z]{4,8}", fullmatch=True)


# There are many templates and many ways; a slow machine is no fault.
few = settings(max_examples=12, deadline=None)

ENDINGS = (".txt", ".json", ".md")
# What holds an identifier or its mask
IDENTIFIERS = ("serial", "path", "source", "physical_path", "description", "unit")
# An output ends at the next prompt, which is known by the mask of its host: here by any host
ANY_HOST = re.compile(paste_module.PROMPT.pattern.replace(r"\[host-[0-9]{1,6}\]", r"[\w.-]{1,60}"))
any_time = settings(deadline=None, max_examples=60)
makers_serials = st.from_regex(r"[A-Z]{2}[0-9]{3}[A-Z0-9]{6,12}", fullmatch=True)


def in_markup(text):
    return "<pre>" + html.escape(text).replace("\n", "<br />\n") + "</pre>"


def wrapped(text):
    lines = text.expandtabs().splitlines()
    return "\n".join("\n".join(line[at : at + 40] for at in range(0, len(line), 40)) for line in lines)


WAYS = {
    "as it is": str,
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.splitlines()),
    "numbered": lambda text: "\n".join(
        f"{number}. {line}" for number, line in enumerate(text.splitlines(), 1)
    ),
    "bbcode": lambda text: f"[CODE]{text}[/CODE]",
    "html": in_markup,
    "json string": json.dumps,
    "collapsed": lambda text: "\n".join(" ".join(line.split()) for line in text.splitlines()),
    "one line": lambda text: " ".join(text.split()),
    "utf-16": lambda text: text.encode("utf-16"),
    "wrapped": wrapped,
    "colors": lambda text: text.replace(": ", ":\x1b[1m ").replace("\n", "\x1b[0m\n"),
}


def everything(paste):
    return f"{to_json(paste)}\n{paste!r}"


@pytest.mark.parametrize("template", ALL)
@pytest.mark.parametrize("way", WAYS)
@few
@given(serial=serials, wwn=wwns, host=hosts, user=users)
def test_no_identifier_comes_out_of_any_template(template, way, serial, wwn, host, user):
    text = identified(ALL[template], serial=serial, wwn=wwn, host=host, user=user)
    mentioned = f"{text}\nMy disk {serial} in {host} is also {serial.lower()} and 0x{wwn}.\n"
    out = everything(parse_paste(WAYS[way](mentioned), unit_key=b"key")).lower()
    groups = f"{wwn[0]} {wwn[1:7]} {wwn[7:]}"
    number = str(int(wwn[7:], 16)) if template == "json" else serial
    secrets = [serial, wwn, groups, number]
    if template == "fio":
        secrets += [host, user]
    assert [secret for secret in secrets if secret.lower() in out] == []


@few
@given(wwn=wwns, serial=serials)
def test_a_name_in_json_keeps_the_json_whole(wwn, serial):
    paste = parse_paste(identified(SMARTCTL_JSON, wwn=wwn, serial=serial), unit_key=b"key")
    document = json.loads(paste.text)
    assert document["serial_number"] == "[serial-1]"
    assert document["wwn"]["id"] == "[wwn-1]"


@pytest.mark.parametrize("template", ALL)
@pytest.mark.parametrize("way", [way for way in WAYS if way != "utf-16"])
@few
@given(serial=serials, wwn=wwns, host=hosts, user=users)
def test_a_masked_text_reads_the_same_again(template, way, serial, wwn, host, user):
    text = identified(ALL[template], serial=serial, wwn=wwn, host=host, user=user)
    first = parse_paste(WAYS[way](text), unit_key=b"key")
    assert parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests) == first
    assert read_masked(first.text, unit_digests=first.unit_digests) == first


def test_one_identifier_has_one_mask_wherever_it_stands():
    text = identified(DISKINFO) + identified(SMARTCTL_ATA) + "EXS2006600AB77 again, and exs2006600ab77.\n"
    paste = parse_paste(text, unit_key=b"key")
    assert set(re.findall(r"\[serial-\d+\]", paste.text)) == {"[serial-1]"}
    assert list(paste.unit_digests) == ["[serial-1]"]
    assert paste.text.endswith("[serial-1] again, and [serial-1].\n")


def test_two_units_have_two_masks_in_their_order():
    text = identified(DISKINFO, serial="EXS1111600AB77") + identified(DISKINFO, serial="EXS2222600AB77")
    paste = parse_paste(text, unit_key=b"key")
    assert [reading.serial for reading in paste.readings] == ["[serial-1]", "[serial-2]"]


def test_new_masks_count_on_behind_those_in_the_text():
    paste = parse_paste("Serial Number:    [serial-4]\nSerial Number:    EXS2006600AB77\n", unit_key=b"key")
    assert paste.text == "Serial Number:    [serial-4]\nSerial Number:    [serial-5]\n"


@pytest.mark.parametrize(
    "value", ["--", "XXXXXXXX", "REDACTED", "[No Information Found]", "00000000", "<S/N>", "5 000c50 ..."]
)
def test_what_the_poster_hid_stays_as_it_is(value):
    text = f"Serial Number:    {value}\nLU WWN Device Id: {value}\n"
    label = "Serial Number:    " if value.startswith("5") else ""
    text = text if not label else f"LU WWN Device Id: {value}\n"
    assert parse_paste(text, unit_key=b"key").text == text


def test_a_short_serial_number_is_masked_at_its_own_place_only():
    text = "Device Model:     EXAMPLE 1234\nSerial Number:    1234\nUser Capacity:    1,234 bytes\nabout 1234 hours\n"
    assert parse_paste(text, unit_key=b"key").text == text.replace("Number:    1234", "Number:    [serial-1]")


def test_a_serial_number_that_is_the_model_does_not_wipe_it_out():
    text = identified(SMARTCTL_ATA, serial="SATA200EX1").replace("EXAMPLE SATA 200", "SATA200EX1")
    (reading,) = parse_paste(text, unit_key=b"key").readings
    assert (reading.model_name, reading.serial) == ("SATA200EX1", "[serial-1]")


@pytest.mark.parametrize(
    ("prompt", "masked"),
    [
        ("alice@nas-01:~$ smartctl -a /dev/sda", "[user-1]@[host-1]:~$ smartctl -a /dev/sda"),
        ("[root@nas01 ~]# diskinfo -wS da1", "[root@[host-1] ~]# diskinfo -wS da1"),
        ("root@filer[~]# zpool status", "root@[host-1][~]# zpool status"),
        ("filer# diskinfo -wS /dev/da1", "[host-1]# diskinfo -wS /dev/da1"),
        ("MacBook:~ alice$ sudo smartctl -a disk0", "[host-1]:~ [user-1]$ sudo smartctl -a disk0"),
        (r"PS C:\Users\alice> smartctl -a /dev/sda", r"PS C:\Users\[user-1]> smartctl -a /dev/sda"),
        (r"C:\Windows\system32>smartctl -a /dev/sda", r"C:\Windows\system32>smartctl -a /dev/sda"),
        ("\x1b]0;root@filer\x07/dev/da1", "\x1b]0;root@[host-1]\x07/dev/da1"),
        ("On Monday, someone@example.org wrote:", "On Monday, [user-1]@[host-1] wrote:"),
        ('[QUOTE="alice, post: 1"]Hi[/QUOTE]', '[QUOTE="[user-1], post: 1"]Hi[/QUOTE]'),
        ("id1,enc@n5001438aabbccdd0/type@0/slot@3", "id1,enc@n[wwn-1]/type@0/slot@3"),
    ],
)
def test_hosts_and_users_of_prompts_are_masked(prompt, masked):
    assert parse_paste(prompt, unit_key=b"key").text == masked


def test_a_host_with_a_number_is_masked_in_titles_too():
    text = "root@storage1:~# ls\nstorage1.example.org is my machine, storage10 is not\n"
    assert (
        parse_paste(text, unit_key=b"key").text
        == "root@[host-1]:~# ls\n[host-1] is my machine, storage10 is not\n"
    )


@pytest.mark.parametrize(
    "mention",
    [
        "/dev/disk/by-id/ata-EXAMPLE_SATA_200_EXS2006600AB77-part1",
        "/dev/diskid/DISK-EXS2006600AB77p2",
        "ada0: Serial Number EXS2006600AB77",
        "serial no. EXS2006600AB77",
        "S/N: EXS2006600AB77",
        "ident: EXS2006600AB77",
        '"serial_number": "EXS2006600AB77"',
    ],
)
def test_a_serial_number_is_known_by_where_it_stands(mention):
    out = parse_paste(mention, unit_key=b"key").text
    assert out == mention.replace("EXS2006600AB77", "[serial-1]")


def test_the_digest_names_a_unit_within_one_key():
    digests = [
        parse_paste(text, unit_key=key).devices[0].unit
        for text, key in [
            (identified(DISKINFO), b"key"),
            (identified(SMARTCTL_ATA), b"key"),
            (identified(SMARTCTL_ATA), b"another"),
        ]
    ]
    assert digests[0] == digests[1] != digests[2]
    assert re.fullmatch(r"[0-9a-f]{32}", digests[0])


def test_the_same_unit_in_other_spelling_has_the_same_digest():
    digests = {
        parse_paste(f"Device Model: X\nSerial Number: {serial}\n", unit_key=b"key").unit_digests["[serial-1]"]
        for serial in ("WD-EX1234567", "WDEX1234567", "wd-ex1234567")
    }
    assert len(digests) == 1


def test_fio_names_its_file_without_the_serial_number():
    (reading,) = parse_paste(identified(FIO_TEXT), unit_key=b"key").readings
    assert reading.path == "/dev/disk/by-id/ata-EXAMPLE_SATA_200_[serial-1]"


def test_uuids_of_partitions_are_masked_and_their_folder_stays():
    uuid = "1a2b3c4d-5e6f-11ed-8abc-0025901234ab"  # version 1: it ends with the MAC address
    text = f"root@nas:~# zpool status\n  pool: tank\n\t  gptid/{uuid}.eli  ONLINE  0 0 0\n\t  {uuid}  ONLINE  0 0 0\n"
    masked = parse_paste(text, unit_key=b"key").text
    assert masked.count("[wwn-1]") == 2
    assert "gptid/[wwn-1].eli" in masked
    assert "0025901234ab" not in masked


def corpus():
    """The shared samples, where SLOGDB_CORPUS names their folder."""
    folder = os.environ.get("SLOGDB_CORPUS")
    for path in sorted(Path(folder).rglob("*")) if folder else ():
        if path.is_file() and path.suffix in ENDINGS and ".expected" not in path.name:
            yield path.name, path.read_bytes()


def own_pastes():
    yield "diskinfo", pastes.FIRST_PASTE
    yield "both", pastes.FIRST_PASTE + pastes.smartctl()
    yield from ((name, identified(template)) for name, template in ALL.items())
    yield from ((case.name, pastes.FIRST_PASTE + case.text) for kind in KINDS for case in spellings(kind))


def masked(text):
    return redact(text, unit_key=b"key", unit_digests={}).text


def faults(raw):
    """What of a paste changes when its masked text is masked or read again."""
    first = parse_paste(raw, unit_key=b"key")
    again = parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests)
    if first.text and again != first:
        yield "masked again"
    if first.text and read_masked(first.text, unit_digests=first.unit_digests) != first:
        yield "read again"


def unmasked(raw):
    """The paste as it would be read if nothing of it were masked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paste_module, "PROMPT", ANY_HOST)
        patch.setattr(paste_module, "COMMAND_SIGN", re.compile(f"{paste_module.COMMAND_SIGN.pattern}|@"))
        patch.setattr(paste_module, "redact", lambda text, **_: take_masked(text, unit_digests={}))
        return parse_paste(raw, unit_key=b"key")


def without_identifiers(reading):
    names = {name: None for name in IDENTIFIERS if hasattr(reading, name)}
    return replace(reading, **names)


def test_a_paste_masked_again_is_the_same():
    found = {name: list(faults(raw)) for name, raw in [*own_pastes(), *corpus()]}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_what_is_read_is_what_the_tools_printed_apart_from_identifiers():
    wrong = []
    for name, raw in [*own_pastes(), *corpus()]:
        plain, read = unmasked(raw), parse_paste(raw, unit_key=b"key")
        if list(map(without_identifiers, plain.readings)) != list(map(without_identifiers, read.readings)):
            wrong.append(name)
    assert wrong == []


@any_time
@given(parts=st.lists(st.sampled_from([case.text for kind in KINDS for case in spellings(kind)]), max_size=6))
def test_masking_spellings_together_twice_is_masking_them_once(parts):
    once = masked("".join(parts))
    assert masked(once) == once


@any_time
@given(
    serial=makers_serials,
    place=st.integers(2, 6),
    separator=st.sampled_from(["-", "_", "\u00a0", "\u2009", "\x0b"]),
)
def test_a_serial_number_has_one_digest_however_it_is_spelled(serial, place, separator):
    spelled = {
        serial,
        serial.lower(),
        serial[:place] + separator + serial[place:],
    }
    labels = ("Serial Number:    {}\n", '"serial_number": "{}"\n', "\t{}\t# Disk ident.\n", "S/N: {}\n")
    digests = {
        digest
        for value in spelled
        for label in labels
        for digest in redact(label.format(value), unit_key=b"key", unit_digests={}).unit_digests.values()
    }
    assert len(digests) == 1
