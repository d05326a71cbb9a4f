"""What one pattern makes of diskinfo's output as printed is what the general way makes of it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import diskinfo, diskinfo_whole, wrapping
from parsers.json_identifiers import JSON_RULES
from parsers.paste import parse_paste
from parsers.registry import FORMATS
from parsers.smartctl_failures import FAILURE_STARTS
from parsers.smartctl_outputs import KNOWN_LABELS
from parsers.tool_rules import TOOL_RULES
from tests.parsers.samples import DISKINFO, SMARTCTL_ATA, identified
from tests.parsers.test_corpus import CORPUS
from tests.parsers.test_sketch import differs

any_time = settings(deadline=None)
SAMPLE = identified(DISKINFO)
DESCRIPTION = identified(SMARTCTL_ATA)


def with_value(comment, value, text=SAMPLE):
    """The sample, or another text, with another value in one line of its header."""
    return re.sub(rf"(?m)^\t.*\t# {re.escape(comment)}", lambda _match: f"\t{value:<12}\t# {comment}", text)


# Whatever is looked for anywhere: parts of it may stand in a name, and then the pattern may not fit it.
WORDS = sorted(
    {
        *FAILURE_STARTS, *KNOWN_LABELS,
        *(marker for one in FORMATS for marker in one.markers),
        *(word for one in (*TOOL_RULES, *JSON_RULES)
          for word in one.words),
        *wrapping.TITLES.split("|"), *wrapping.SMARTCTL_LINES.split("|"), *wrapping.SMARTCTL_LABELS.split("|"),
        "Serial Number EXS2006600AB77", "Serial No X1234567", "SN", "WWN", "wwn-0x5000c500a1b2c3d4",
        "NO MEDIUM Present", "SMART Disabled", "ID# ATTRIBUTE_NAME", "Copyright (C)", "smartctl 7.3",
        "9 Power_On_Hours", "FIO -x", "fio --name", "Diskinfo -wS", "overall-health self", "a@nas", "nas# smartctl",
        "1.", "- x", "> x", "12", "RAID", "QEMU", "PMEM region 16GB", "EXS2006600AB77", "EXAMPLE",
        "5001438aabbccdd0", "Alice said", "Alice wrote",
    }
)  # fmt: skip
names = st.lists(
    st.sampled_from(WORDS) | st.from_regex(r"[A-Z][A-Za-z0-9_+-]{0,9}", fullmatch=True), max_size=4
)
VALUES = {
    "sectorsize": st.sampled_from(["512", "4096", "520", "0", "1", "512b", ""]),
    "mediasize in sectors": st.from_regex(r"[0-9]{1,17}", fullmatch=True),
    "stripesize": st.from_regex(r"[0-9]{1,17}", fullmatch=True),
    "Disk descr.": names.map(" ".join),
    "Disk ident.": names.map("".join) | st.from_regex(r"[A-Z0-9][A-Z0-9_-]{4,41}", fullmatch=True)
    | st.sampled_from(["0000000000", "XXXXXXXX", "[serial-7]", "REDACTED", "0x5001438AABBCCDD0", "12345", "1234567"]),
    "Physical path": st.sampled_from([
        "id1,enc@n[wwn-3]/type@0/slot@1", "id1,enc@n00000000/type@0/slot@1/elmdesc@Slot_07", "enc@nABC", "",
        "id1,enc@n5001438aabbccdd0/type@0/slot@1/elmdesc@SN", "id1,enc@n3061686369656d30/type@0/slot@8/elmdesc@Nas-1",
    ]),
    "TRIM/UNMAP support": st.sampled_from(["Yes", "No", "Maybe"]),
    "Rotation rate in RPM": st.sampled_from(["0", "1", "7200", "Unknown", "Invalid", "fast"]),
    "Zone Mode": st.sampled_from(["Not_Zoned", "Host_Aware", "Drive_Managed", "Serial_Number", "x"]),
}  # fmt: skip


hosts = st.sampled_from([
    "nas", "nas-01", "x1", "lunid", "serialnumber", "hostname", "SN", "sn", "wwn", "fio", "smartctl", "diskinfo",
    "a", "n-", "nas.lan", "da4", "exs2006600ab77", "[host-3]", "a" * 60, "ident", "unit", "localhost", "512",
])  # fmt: skip
prompts = st.builds(
    "{}{}{}{} {}".format,
    st.sampled_from(["root@", "alice@", "[root@"]),
    hosts,
    st.sampled_from([":~ #", ":~#", "[~]#", " #", "%", ":/tmp #", "#"]),
    st.sampled_from(["", " "]),
    st.sampled_from([
        "diskinfo -wS /dev/da4", "diskinfo -wS da12", "diskinfo -S /dev/da4", "sudo diskinfo -wS da4", "ls", "",
    ]),
)  # fmt: skip


@st.composite
def outputs(draw):
    """The sample with other values, and now and then with other lines."""
    text = SAMPLE
    for comment in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=4, unique=True)):
        text = with_value(comment, draw(VALUES[comment]), text)
    if draw(st.booleans()):
        text = re.sub(
            r"[0-9]+\.[0-9](?= (?:usec|Mbytes))", lambda _match: draw(st.sampled_from(FIGURES)), text
        )
    lines = text.splitlines()
    if draw(st.booleans()):
        for at in draw(st.sets(st.integers(0, len(lines) - 1), max_size=4)):
            lines[at] = draw(st.sampled_from(["", "# x", "\t4096        \t# Attachment", *lines]))
    lines[:0] = draw(st.lists(prompts, max_size=1))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n", "\n \n"]))


FIGURES = ["0.0", "0.1", "20.0", "4000.0", "12345678.9", "1234567890123.4", "10.55"]


@any_time
@given(text=outputs())
def test_other_values_and_lines_read_the_same(text):
    assert not differs(text)


@pytest.mark.parametrize("word", WORDS)
def test_a_name_made_of_what_is_looked_for_reads_the_same(word):
    texts = [
        with_value("Disk descr.", f"{before}{word}{after}")
        for before in ("", "EX ", "EX")
        for after in ("", " X1")
    ]
    texts += [
        with_value("Disk ident.", word),
        with_value("Attachment", word),
        f"{word}\n{SAMPLE}",
        SAMPLE + word,
    ]
    texts += [f"root@{host}:~ # diskinfo -wS da4\n{SAMPLE}" for host in (word.lower(), f"a{word.lower()}1")]
    assert [text for text in texts if differs(text)] == []


@pytest.mark.parametrize(
    "text",
    [f"{SAMPLE}\n{DESCRIPTION}", f"{DESCRIPTION}\n{SAMPLE}", f"> {SAMPLE.replace(chr(10), chr(10) + '> ')}"],
)
def test_output_as_printed_among_other_lines_is_read_at_once(text, monkeypatch):
    found = []
    monkeypatch.setattr(
        diskinfo, "read_whole", lambda block: found.append(diskinfo_whole.read_whole(block)) or found[-1]
    )
    parse_paste(text, unit_key=b"key")
    assert [outcome.readings[0].serial for outcome in found] == ["[serial-1]"]
    assert not differs(text)


@any_time
@given(before=st.sampled_from(["", "nas# ls\n", "Hello\n\n", DESCRIPTION]), text=outputs(), after=st.sampled_from([
    DESCRIPTION, f"\n{DESCRIPTION}", "nas# diskinfo -wS da5\n", "Bye\n", SAMPLE, "\tSynchronous random writes:\n",
]))  # fmt: skip
def test_other_values_among_other_lines_read_the_same(before, text, after):
    assert not differs(f"{before}{text}\n{after}")


@any_time
@given(
    text=st.from_regex(diskinfo_whole._OUTPUT, fullmatch=True),
    begin=st.sampled_from(["", "nas# diskinfo -wS da5\n"]),
)
def test_whatever_the_pattern_fits_above_a_description_reads_the_same(text, begin):
    assert not differs(f"{begin}{text}\n{DESCRIPTION}")


def test_every_sample_reads_the_same():
    assert [path.name for path in CORPUS.rglob("*.txt") if differs(path.read_bytes())] == []


def test_a_device_of_large_sectors_reads_the_same():
    large = re.sub(r"\t +(?:0\.5|1|2) kbytes.*\n", "", with_value("sectorsize", "4096"))
    assert not differs(large)
    assert parse_paste(large, unit_key=b"key").readings[0].complete


def test_a_serial_number_that_is_the_size_too_is_masked_there():
    text = with_value("Disk ident.", "200049647616")
    assert "200049647616" not in parse_paste(text, unit_key=b"key").text
    assert not differs(text)
