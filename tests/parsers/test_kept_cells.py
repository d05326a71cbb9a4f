"""A kept line is what was read of it: nothing that is written in front of, between or behind its cells is kept.

Each line that is kept of each document of the corpora is tried, with words, addresses, names and numbers in turn. The
parsers can't tell such a word from a name where the tool prints a name: those fields are listed in OWN.
"""

import os
import re
from itertools import count
from pathlib import Path

from parsers.paste import parse_paste
from tests.parsers.samples import DISKINFO, FIO_TEXT, SMARTCTL_ATA, SMARTCTL_JSON, identified, read, stored

HERE = Path(__file__).parent
FOREIGN = {
    "a word": "qzcanary",
    "an address": "203.0.113.77",
    "a mail address": "qzmail@mail.qz.example",
    "a host": "qznas.lan.example",
    "a serial number": "WD-QZC7K1234567",
    "an address of IPv6": "fd00:dead:beef::77",
    "a number": "7080907080907",  # iozone's rows have up to twelve digits
    "a remark": "# sold to qzcanary",
    "a remark behind an arrow": "<-- qzcanary says slow",
}
FOUND = re.compile(r"qz|203\.0\.113|dead:beef|708090", re.IGNORECASE)
# In front of and behind names, and between their words
OWN = (
    # smartctl: names of products
    re.compile(r"^\s*(?:Model Family|Device Model|Model Number|Vendor|Product|Add\. Product Id): .*"),
    re.compile(r"^\s*(?:Firmware Version|Firmware Rev|Revision): .*|^Device: .* Version: \S+"),
    re.compile(
        r'"(?:model_(?:name|family|number)|firmware_\w+|(?:scsi_)?(?:vendor|product|revision)\w*)"\s*:\s*"[^"]*"'
    ),
    re.compile(r"(?<= - )\s*\d{1,15}$"),  # the raw value of an attribute: any number of 48 bits
    re.compile(r".*(?=# Disk descr\.)"),  # diskinfo: the same
    re.compile(r"^\d{1,8}  \S+"),  # DTrace: the program that was traced
    re.compile(
        r"^[^:]*(?=: \(g(?:roupid)?=\d|: Laying out)"
    ),  # fio: the name of a job, which its owner chose
)
PLACES = ("before", "behind", "between")
STEP = 4  # lines, each fourth of which gets something
MAX_LINES = 150  # of one document
EVERY = 3  # of the ways to change a document of somebody else's, of which there are many
GAP = re.compile(r"(?<=\S)\s+(?=\S)")


def documents():
    """Each document, and how many of the ways to change it are tried: one of so many."""
    for path in sorted((HERE / "corpus").glob("*/accepted/*.txt")):
        yield path, 1
    shared = os.environ.get("SLOGDB_CORPUS")
    for path in sorted(Path(shared).rglob("*.txt")) if shared else ():
        yield path, EVERY


def with_foreign(line, place, foreign, number):
    if place == "before":
        return f"{foreign} {line}"
    gaps = [match.span() for match in GAP.finditer(line)]
    if place == "behind" or not gaps:
        return f"{line}   {foreign}"
    start, end = gaps[number % len(gaps)]
    return f"{line[:end]}{foreign}{line[start:end] if number % 2 else ' '}{line[end:]}"


def leaks(text, *, every, start):
    """What was kept of foreign text, by how it was put in, and how many lines with some were tried."""
    first = parse_paste(text, unit_key=b"key")
    lines = text.splitlines()
    kept_at = [
        at - 1 for at in dict.fromkeys(first.source_lines) if at <= len(lines) and lines[at - 1].strip()
    ]
    ways = [(place, rest) for place in PLACES for rest in range(STEP)]
    foreign = list(FOREIGN.items())
    found, tried = [], 0
    for place, rest in ways[start % every :: every]:
        changed = list(lines)
        for number, at in enumerate(kept_at[rest:MAX_LINES:STEP], start + rest + PLACES.index(place)):
            changed[at] = with_foreign(lines[at], place, foreign[number % len(foreign)][1], number)
            tried += 1
        kept_lines = parse_paste("\n".join(changed), unit_key=b"key").text.splitlines()
        found += [(place, line) for line in kept_lines if FOUND.search(without_own(line))]
    return found, tried


def without_own(line):
    for own in OWN:
        line = own.sub("", line)
    return line


def test_nothing_foreign_is_kept_of_a_kept_line():
    found, tried = [], 0
    for start, (path, every) in zip(count(), documents(), strict=False):
        of_document, lines = leaks(path.read_bytes().decode(errors="replace"), every=every, start=start)
        found += [(path.name, *leak) for leak in of_document]
        tried += lines
    assert found == []
    assert tried > 3000


def keep(text):
    return parse_paste(text, unit_key=b"key").text


HEAD_OF_HISTOGRAM = """tank  total_wait  disk_wait  syncq_wait  asyncq_wait
latency  read  write  read  write  read  write  read  write  scrub  trim
"""
DD = "1000+0 records in\n1000+0 records out\n1048576 bytes transferred in 2.0 secs (524288 bytes/sec)\n"
PROPERTIES = "NAME  PROPERTY  VALUE  SOURCE\ntank  sync  always  local\n"
BIOLATENCY = (
    "Tracing block device I/O... Hit Ctrl-C to end.\n\ndisk = sda\n{}\n  usecs : count\n 0 -> 1 : 4\n"
)
TRACED = "PID CMD\n7312  {}\n\n value ------------- Distribution ------------- count\n 512 |@@@@ 4\n"
IOZONE = "Iozone: Performance Test of File I/O\n{}\n  kB  reclen  write  rewrite\n  64  4  1000  2000\n"
BANNER = "smartctl 7.2 2020-12-30 r5155 [{}] (local build)"
JOBS = (
    ("WD-QZC7K1234567", "randwrite-4k-qd32"),
    ("S3QZNB0K123456X", "bs131072"),
    ("qznas.acme.example", "writers16"),
    ("/mnt/tank/qzuser", "zil_test.fio"),
    ("wd-qzc7k1234567", "randwrite4k16jobs"),
    ("708090708090", "4k8jobs1sync"),
)
SMARTCTL_MEMBERS = (
    '"device": {"sn": 708090708090}',
    '"device": {"id": 708090708090}',
    '"device": {"protocol": 708090708090}',
    '"device": {"protocol": "708090708090"}',
    '"device": {"protocol": 7.08090708090e11}',
    '"inventory": 708090708090',
    '"smart_status": {"by qz": 1}',
    '"user_capacity": {"qz key": [1, 2]}',
    '"smartctl": {"argv": ["smartctl", "--log=qzcanary"]}',
    '"smartctl": {"platform_info": "x86_64-linux-6.1.0-qznas"}',
    '"model_name": ["WD-QZC7K1234567"]',
    '"model_name": {"name": ["WD-QZC7K1234567"]}',
)


def with_member(member):
    """A document of smartctl's with another member."""
    return identified(SMARTCTL_JSON).replace('"rotation_rate": 0,', f'"rotation_rate": 0, {member},')


# A text with a place in it, what no tool prints there, and what one does
CHOSEN = (
    (HEAD_OF_HISTOGRAM + "1ns  0 0 0 0 0 0 0 0 0 0   {}", "host=qznas 203.0.113.77 SN:QZC7 secret", ""),
    (HEAD_OF_HISTOGRAM + "1ns  0 0 0 0 0 0 0 0 {}  0", "7 708090708090", "7"),
    (PROPERTIES + "tank  quota  {}  local", "Qzcanary", "1.5T"),
    (PROPERTIES + "tank  compression  {}  local", "qzcanary-9", "zstd-fast-10"),
    (PROPERTIES + "tank  feature@{}  active  local", "qzcanary", "lz4_compress"),
    ("NAME  STATE  READ  WRITE  CKSUM  {}\ntank  ONLINE  0  0  0", "QZCANARY", "SLOW"),
    ("$ dd if=/dev/zero of=/dev/sda bs=1M conv={}\n" + DD, "qzcanary", "fdatasync"),
    ("$ dd if=/dev/zero of=/dev/sda bs=1M oflag=sync,{}\n" + DD, "qzcanary", "direct"),
    (IOZONE, "Run began: Qzcanary sent this to me 2020", "Run began: Sun Apr  1 10:00:00 2012"),
    (IOZONE, "Output is in qzcanary", "Output is in kBytes/sec"),
    (BIOLATENCY, "flags = Qzcanary", "flags = Priority-Metadata-Read"),
    (TRACED, "gzip qzcanary.tar.gz", "gzip sol-10-x86-v1.iso"),
    (TRACED, "gzip qzcanary.iso", "dd"),
    (f"{BANNER}\n{identified(SMARTCTL_ATA)}", "FreeBSD qzcanary amd64", "FreeBSD 13.2-RELEASE-p5 amd64"),
    ("{}\n" + identified(SMARTCTL_ATA), "smartctl 7.2 (qzcanary sold it)", "smartctl 7.2 2020-12-30 r5155"),
    (identified(SMARTCTL_ATA).replace("Solid State Device", "{}"), "qzcanary", "7200 rpm"),
    (identified(SMARTCTL_ATA).replace("SATA 200", "SATA {}"), "200 # qzcanary", "200"),
    (identified(SMARTCTL_ATA) + "Local Time is: Sat Jan  7 12:00:00 2023{}", " qzcanary", ""),
    (identified(DISKINFO).replace("Not_Zoned", "{}"), "Qzcan_Ary", "Host_Aware"),
    (identified(DISKINFO).replace("ATA EXAMPLE", "{}\t# Attachment\n\tATA EXAMPLE"), "qz canary", "mpr0"),
    ("$ diskinfo -{} /dev/da4\n" + identified(DISKINFO), "qzcanary", "wS"),
    (
        identified(FIO_TEXT).replace("Starting 1 process", "{}"),
        "Jobs: 1 (f=1) 708090708090",
        "Starting 1 process",
    ),
    (f"{BANNER}\n{identified(SMARTCTL_ATA)}", "x86_64-linux-6.1.0-qznas", "x86_64-linux-6.1.0-18-amd64"),
    (
        f"{BANNER}\n{identified(SMARTCTL_ATA)}",
        "FreeBSD 14.1-RELEASE-qznas amd64",
        "FreeBSD 14.1-STABLE amd64",
    ),
    (
        "{}\n" + identified(SMARTCTL_ATA),
        "smartctl 7.3WD-QZC7K1234567 2022-02-28 r5338",
        "smartctl 7.3 2022-02-28 r5338",
    ),
    (identified(DISKINFO).replace("elmdesc@Slot02", "elmdesc@{}"), "QZC7K1234567", "Slot_02"),
    (identified(DISKINFO).replace("type@0", "type@{}"), "qzcanary", "0"),
    (identified(DISKINFO).replace("ATA EXAMPLE", "{}\t# Attachment\n\tATA EXAMPLE"), "qznas0", "umass-sim0"),
    *((identified(FIO_TEXT).replace("--name=sync4k", "--name={}"), *names) for names in JOBS),
    *((identified(FIO_TEXT).replace("sync4k: (", "{}: ("), *names) for names in JOBS),
    (identified(FIO_TEXT) + "  cpu  : usr=0.27%, {}=0.20%, ctx=1, majf=0, minf=2", "sys203.0.113.77", "sys"),
    (identified(FIO_TEXT).replace("max=1520, avg=128.30", "{}=1520, avg=128.30"), "max203.0.113.77", "max"),
    (identified(FIO_TEXT).replace("jobs=1)", "jobs={})"), "203.0.113.771", "1"),
    *((with_member("{}"), member, '"user_capacity": {"bytes": 200049647616}') for member in SMARTCTL_MEMBERS),
    (identified(SMARTCTL_ATA) + "max sectors   = 781422/1562845, HPA is enabled{}", " 203.0.113.77", ""),
)


def test_words_of_the_senders_choice_are_not_kept_where_a_tool_prints_none_of_them():
    for text, chosen, printed in CHOSEN:
        assert not FOUND.search(without_own_program(keep(text.replace("{}", chosen)))), (text, chosen)
        assert printed in keep(text.replace("{}", printed)), printed


def without_own_program(text):
    return text.replace("gzip *", "")


def test_what_identifies_a_device_is_masked_in_json_whatever_its_type():
    secret = (
        '"serial_number": 201403120047',
        '"serial_number": 2.01403120047e11',
        '"serial_number": [201403120047, {"x": "201403120047"}]',
        '"serial_number": {"id": 201403120047, "name": "201403120047"}',
        '"logical_unit_id": 201403120047, "lu": {"logical_unit_id": "0x5000c500201403120047"}',
        '"eui64": 201403120047',
        '"eui64": {"oui": 1234, "ext_id": 201403120047}',
        '"nguid": [[201403120047]]',
        '"wwn": {"naa": 5, "oui": 3152, "id": 201403120047}',
        '"wwn": {"naa": 201403120047, "oui": 201403120047}',
        '"nvme_namespaces": [{"id": 1, "nguid": 201403120047, "eui64": {"ext_id": 201403120047}}]',
    )
    whole = identified(SMARTCTL_JSON)
    for member in secret:
        text = whole.replace('"rotation_rate": 0,', f'"rotation_rate": 0, {member},')
        assert text != whole
        first = parse_paste(text, unit_key=b"key")
        assert "20140312" not in first.text, member
        assert first.readings[0].model_name == "EXAMPLE SATA 200"
        again = parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests)
        assert stored(again) == stored(first), member


def test_the_vendor_s_part_of_a_world_wide_name_and_other_numbers_stay():
    text = keep(identified(SMARTCTL_JSON))
    assert '"naa": 5' in text
    assert '"bytes": 200049647616' in text


def test_a_serial_number_that_is_a_number_identifies_the_unit_as_one_in_quotes_does():
    text = identified(SMARTCTL_JSON)
    stated = re.search('"serial_number": ("[^"]*")', text)[1]
    quoted, bare = (
        parse_paste(text.replace(stated, serial), unit_key=b"key")
        for serial in ('"201403120047"', "201403120047")
    )
    assert bare.unit_digests == quoted.unit_digests != {}
    assert bare.devices[0].unit == quoted.devices[0].unit is not None


def test_a_remark_behind_an_arrow_costs_no_figure():
    for line in ("write: IOPS=18.6k", "WRITE: bw="):
        text = identified(FIO_TEXT)
        remarked = "\n".join(f"{row}   <-- qzcanary" if line in row else row for row in text.split("\n"))
        assert keep(remarked) == keep(text)


def test_the_masked_name_of_a_job_keeps_its_options():
    for name in ("slog", "WD-QZC7K1234567", "qznas.acme.example"):
        file = f"[{name}]\nrw=write\nfilename=/dev/sda\nfsync=1\n\n"
        text = file + "$ fio job.fio\n" + identified(FIO_TEXT).partition("\n")[2].replace("sync4k", name)
        assert read(text).readings[0].path == "/dev/sda", name


def test_what_smartctl_prints_under_a_key_stays():
    for member in (
        '"smartctl": {"argv": ["smartctl", "-x", "--json=o", "/dev/sdb"]}',
        '"local_time": {"time_t": 1673092800}',
        '"ata_smart_attributes": {"table": [{"raw": {"value": 708090708090, "string": "708090708090"}}]}',
        '"nvme_smart_health_information_log": {"host_reads": 708090708090}',
        '"nvme_namespaces": [{"size": {"blocks": 708090708090}}]',
    ):
        assert member in keep(with_member(member)), member
