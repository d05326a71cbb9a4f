"""At whatever width a terminal broke a command line, no piece of an identifier comes out and the reading stays."""

import re
from random import Random
from string import Template, ascii_uppercase, digits

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from parsers.text.clean import clean
from tests.parsers.samples import DISKINFO, FIO_TEXT, SMARTCTL_ATA, identified, only, parse, stored

WIDTHS = range(30, 133)
EVERY = 5  # width is read again, masked
UPPER_CASE = ascii_uppercase + digits
PROMPT = "$user@$host:~# "
BY_ID = "/dev/disk/by-id/"
RESULT = FIO_TEXT.template.partition("\n")[2]
OPTIONS = "--name=sync4k --rw=write --bs=4k --iodepth=1 --sync=1 --ioengine=psync --runtime=60 --time_based"
OF_A_UNIT = {"serial": "OTHERX77SERIAL", "wwn": "5000cca0dd00ee11"}
NODES = {
    "ata": f"{BY_ID}ata-EXAMPLE_SATA_480GB_$serial",
    "nvme": f"{BY_ID}nvme-EXAMPLE_NV400_$serial-part1",
    "scsi": f"{BY_ID}scsi-SATA_EXAMPLE_SSD_$serial",
    "naa": f"{BY_ID}scsi-3$wwn",
    "wwn": f"{BY_ID}wwn-0x$wwn",
    "eui": f"{BY_ID}nvme-eui.$wwn",
    "by-path": "/dev/disk/by-path/pci-0000:01:00.0-sas-0x$wwn-lun-0",
}
COMMANDS = {
    "fio": f"{PROMPT}fio --filename=$node {OPTIONS}\n{RESULT}",
    "fio, the file last": f"{PROMPT}fio {OPTIONS} --filename=$node\n{RESULT}",
    "fio without a prompt": f"sudo fio --filename=$node {OPTIONS}\n{RESULT}",
    "fio with backslashes": f"{PROMPT}fio \\\n  --filename=$node \\\n  {OPTIONS}\n{RESULT}",
    "fio and a job file": f"{PROMPT}fio --filename=$node job.fio\n{RESULT}",
    "a job file": f"[global]\nfilename=$node\nsync=1\nthread\n[sync4k]\nrw=write\n{PROMPT}fio x.fio\n{RESULT}",
    "fio's JSON": '{\n  "fio version" : "fio-3.33",\n  "global options" : {\n    "filename" : "$node",\n'
    '    "rw" : "write"\n  },\n  "jobs" : [{"jobname" : "sync4k"}]\n}\n',
    "smartctl": f"{PROMPT}smartctl -a -d sat -T permissive $node\n"
    + identified(SMARTCTL_ATA, **OF_A_UNIT),
    "smartctl, the options last": f"{PROMPT}smartctl $node -a -d sat\n" + identified(SMARTCTL_ATA, **OF_A_UNIT),
    "zpool": f"{PROMPT}zpool add tank log mirror $node $node\n{PROMPT}fio {OPTIONS} --filename=/dev/sda\n{RESULT}",
    "zpool status": "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME                STATE     READ WRITE CKSUM\n"
    "\ttank                ONLINE       0     0     0\n\t  $name  ONLINE       0     0     0\n\nerrors: No known\n",
    "a list": f"{PROMPT}ls -l {BY_ID}\ntotal 0\nlrwxrwxrwx 1 root root  9 Jan  7 12:00 $name -> ../../sda\n",
    "a short list": f"{PROMPT}ls {BY_ID}\n$name\n$name-part1\n",
}  # fmt: skip
TEXTS = {
    f"{node} in {command}": text.replace("$node", NODES[node]).replace("$name", NODES[node].rpartition("/")[2])
    for command, text in COMMANDS.items()
    for node in (NODES if "$node" in text and command == "fio" else ("ata", "naa"))
    if command != "zpool status" or node == "ata"
} | {
    "diskid in diskinfo": f"{PROMPT}cd /tmp && sudo diskinfo -v -wS /dev/diskid/DISK-$serial\n"
    + identified(DISKINFO, **OF_A_UNIT),
    "diskid without its folder": f"{PROMPT}diskinfo -wS diskid/DISK-$serial\n" + identified(DISKINFO, **OF_A_UNIT),
}  # fmt: skip


def made_up(random):
    """Identifiers as they are given, others for each text."""
    return {
        "serial": f"EX{random.randrange(10)}" + "".join(random.choices(UPPER_CASE, k=random.randint(6, 16))),
        "wwn": f"5{random.randrange(16**15):015x}",
        "host": f"nas-{random.randrange(100, 1000)}",
        "user": f"zq{random.choice(['alice', 'bert', 'carla'])}",
    }


def everything(paste):
    """All of a paste that is stored or shown to others."""
    return f"{to_json(paste)}\n{stored(paste)!r}"


def hard_wrapped(text, width):
    return "\n".join(
        line[at : at + width]
        for line in text.expandtabs().splitlines()
        for at in range(0, max(len(line), 1), width)
    )


def pieces(name):
    return {name[at : at + 5].lower() for at in range(len(name) - 4)}


def test_wrapped_identifiers_are_masked_at_any_width(subtests):
    """Each text at every ninth width, beginning one further than that before."""
    for number, name in enumerate(TEXTS):
        with subtests.test(name=name):
            random = Random(name)  # noqa: S311 - the same identifiers in every run
            template = Template(TEXTS[name])
            nameless = template.substitute(dict.fromkeys(("serial", "wwn", "host", "user"), ""))
            always_there = everything(parse(nameless)).lower()
            shown = {}
            for width in WIDTHS[number % 9 :: 9]:
                secrets = made_up(random)
                paste = parse(hard_wrapped(template.substitute(secrets), width))
                out = everything(paste).lower()
                # of a world-wide name the maker's number may be known
                named = (
                    pieces(secrets["serial"])
                    | pieces(secrets["wwn"][6:])
                    | {secrets["host"], secrets["user"]}
                )
                shown[width] = [piece for piece in named if piece in out and piece not in always_there]
                if width % EVERY == 0 and paste.text:
                    again = parse_paste(paste.text, unit_key=b"key", unit_digests=paste.unit_digests)
                    assert stored(again) == stored(paste)
            assert {width: found for width, found in shown.items() if found} == {}


def command_only(text, width):
    """The text with its command line broken, as by a terminal that was narrow while it was typed in."""
    command, _, rest = text.partition("\n")
    return f"{hard_wrapped(command, width)}\n{rest}"


@pytest.mark.parametrize("node", NODES)
def test_a_wrapped_fio_command_is_read_like_the_complete_one(node):
    text = Template(
        f"$user@$host:~# fio --filename={NODES[node]} --sync=1 --direct=1 --bs=4k\n{RESULT}"
    ).substitute(serial="EXS2006600AB77", wwn="5001438aabbccdd0", host="nas-01", user="zqalice")
    unwrapped = only(text)
    widths = WIDTHS[len(node) % 3 :: 3]
    read = {width: parse(command_only(text, width)).readings[0] for width in widths}
    assert {
        width
        for width, reading in read.items()
        if (reading.path, reading.jobs) != (unwrapped.path, unwrapped.jobs)
    } == set()


def test_lines_below_a_complete_command_are_not_joined(subtests):
    for text in [
        "root@nas:~# diskinfo -wS /dev/da4\n/dev/da4\n",
        "root@nas:~# diskinfo -wS da4\nda4\n",
        "root@nas:~# diskinfo -wS /dev/diskid/DISK-EXS2006600\n512 # sectorsize\n",
        f"# fio --sync=1 --filename={BY_ID}ata-EXAMPLE_EXS2006600\nsync4k: (g=0): rw=write, bs=4k\n",
        f"# smartctl -a {BY_ID}ata-EXAMPLE_EXS2006600\nsmartctl 7.3 2022-02-28 r5338 [x] (y)\n",
        f"# smartctl -a {BY_ID}ata-EXAMPLE_EXS2006600\nroot@nas:~# ls\n",
        f"# fio --sync=1 {BY_ID}ata-EXAMPLE_EXS2006600\n3;fio-3.33;test;0;0\n",
        f"filename={BY_ID}ata-EXAMPLE_EXS2006600\nsync=1\n",
        f"filename={BY_ID}ata-EXAMPLE_EXS2006600\ngroup_reporting\n",
        f"{BY_ID}ata-EXAMPLE_EXS2006600\nis my disk\n",
        "# fio --name=x --sync=1\nResults\n",
        "# fio --name=x --sync=1\n==========\n",
        "# fio --name=x --sync=1 \\\n  --bs=4k\n",
    ]:
        with subtests.test(text=text):
            assert clean(text).text == text


def test_a_name_broken_behind_a_backslash_is_joined_without_it():
    text = f"# fio --filename={BY_ID}ata-EXAMPLE_EXS20\\\n06600AB77 \\\n  --sync=1\n"
    assert clean(text).text == f"# fio --filename={BY_ID}ata-EXAMPLE_EXS2006600AB77   --sync=1\n"


def test_lines_keep_their_numbers_where_a_command_is_joined():
    text = hard_wrapped(f"# fio --name=x --filename={BY_ID}ata-EXAMPLE_EXS2006600AB77 --sync=1 --bs=4k", 40)
    paste = parse(f"{text}\n{RESULT}")
    below = paste.text.splitlines().index(RESULT.splitlines()[0]) + 1
    assert paste.sent_line(below) == text.count("\n") + 2
    assert re.search(r"EXAMPLE_\[serial-1\] --sync=1 --bs=4k$", paste.text, re.MULTILINE)
