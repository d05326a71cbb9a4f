"""What forums, mail and terminals do to a text changes nothing of what it states."""

import html
import json
import quopri

import pytest

from parsers.text import wrapping
from parsers.text.clean import clean
from tests.parsers.samples import DISKINFO, SMARTCTL_ATA, identified, only, parse

TEXT = identified(DISKINFO)
LINES = TEXT.splitlines()


def each(change):
    return "\n".join(change(number, line) for number, line in enumerate(LINES, 1)) + "\n"


def wrapped(width):
    """As a terminal of that width shows it, tabs expanded."""
    pieces = []
    for line in TEXT.expandtabs().splitlines():
        pieces += [line[at : at + width] for at in range(0, len(line), width)] or [""]
    return "\n".join(pieces)


MANGLED = {
    "crlf and byte order mark": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
    "bare carriage returns": TEXT.replace("\n", "\r"),
    "utf-16 with mark": TEXT.encode("utf-16"),
    "utf-16 without mark": TEXT.encode("utf-16-le"),
    "utf-16 big endian": TEXT.encode("utf-16-be"),
    "windows-1252": f"Größe:\n{TEXT}".encode("cp1252"),
    "bbcode": f'[QUOTE="someone, post: 1, member: 2"]How fast?[/QUOTE]\n[SPOILER="x"][CODE]{TEXT}[/CODE][/SPOILER]',
    "markdown fence": f"Here it is:\n```text\n{TEXT}```\nThanks",
    "html": "<pre><code>"
    + html.escape(TEXT).replace("  ", " &nbsp;").replace("\n", "<br />\n")
    + "</code></pre>",
    "html without line ends": "<p>" + html.escape(TEXT).replace("\n", "<br>") + "</p>",
    "quoted": each(lambda _number, line: f"> {line}"),
    "quoted twice": each(lambda _number, line: f"> > {line}"),
    "numbered": each(lambda number, line: f"{number:3}. {line.strip()}"),
    "numbered, then quoted": each(lambda number, line: f"> {number}. {line.strip()}"),
    "quoted, then numbered": each(lambda number, line: f"{number}. > {line.strip()}"),
    "numbered by an editor": each(lambda number, line: f"{number:4}  {line}"),
    "numbered, with a list below": each(lambda number, line: f"{number:4}  - {line}"),
    "numbered, then wrapped by mail": each(
        lambda number, line: f"{number}. {line.strip()}".replace(" Mbytes/s", "\nMbytes/s")
    ),
    "indented quote": each(lambda _number, line: f"    > {line}"),
    "quoted list": each(lambda _number, line: f"> - {line}"),
    "table row with blanks behind": each(lambda _number, line: f"| {line.strip()} |   "),
    "tabs lost": TEXT.replace("\t", ""),
    "html table": "<table>"
    + each(lambda _number, line: f"<tr><td>{html.escape(line)}</td></tr>")
    + "</table>",
    "one line behind its prompt": "root@filer:~ # diskinfo -wS /dev/da4 " + " ".join(TEXT.split()),
    "numbered by nl": each(lambda number, line: f"{number:6}\t{line}"),
    "numbered from 131": each(lambda number, line: f"{number + 130}: {line}"),
    "dashes": each(lambda _number, line: f"- {line}"),
    "trailing pipes": each(lambda _number, line: f"{line.strip()} | |"),
    "table row": each(lambda _number, line: f"| {line.strip()} |"),
    "collapsed blanks": each(lambda _number, line: " ".join(line.split())),
    "non-breaking blanks": TEXT.replace("  ", " \u00a0").replace("\t", "        "),
    "zero-width characters": TEXT.replace("kbytes", "k\u200bbytes"),
    "marks of direction": TEXT.replace("kbytes", "k\u2067byt\u2069es\u061c"),
    "indented": each(lambda _number, line: f"    {line}"),
    "double spaced": TEXT.replace("\n", "\n\n"),
    "colors": TEXT.replace("# ", "\x1b[0;32m# ").replace("\n", "\x1b[0m\n"),
    "colors without escape": TEXT.replace("# ", "[0;32m# ").replace("\n", "[0m\n"),
    "list of strings": f"stdout = {LINES!r}, rc = 0",
    "json string": json.dumps(TEXT),
    "json member": json.dumps({"raw": TEXT}),
    "quoted-printable": quopri.encodestring(TEXT.encode(), quotetabs=True),
    "one line": " ".join(TEXT.split()),
    "one line and prose": " ".join(TEXT.split()) + " is that good?",
    "wrapped at 45": wrapped(45),
    "wrapped at 60": wrapped(60),
    "words wrapped by mail": TEXT.replace(" Mbytes/s", "\nMbytes/s"),
    "prose around": f"My disk does 150 usec/IO at 4 kbytes:\n\n{TEXT}\nIs 4 kbytes: 129 usec good?\n",
    "prompt": f"root@filer:~ # diskinfo -wS /dev/da4\n{TEXT}root@filer:~ # exit\n",
}


def figures(raw):
    """All that is stated, without the lines where it stands."""
    return [
        {**{name: getattr(reading, name) for name in reading.__slots__}, "first_line": 0, "last_line": 0}
        for reading in parse(raw).readings
    ]


def test_a_mangled_paste_gives_the_same_reading_as_the_original(subtests):
    for name in MANGLED:
        with subtests.test(name=name):
            assert figures(MANGLED[name]) == figures(TEXT)


@pytest.mark.parametrize("name", ["html", "quoted", "wrapped at 45", "bbcode", "double spaced"])
def test_a_reading_names_the_lines_of_the_paste_as_received(name):
    paste = parse(MANGLED[name])
    lines = paste.text.split("\n")
    (reading,) = paste.readings
    assert "/dev/da4" in lines[reading.first_line - 1]
    assert "28080.7" in lines[reading.last_line - 1]


def test_a_wrapped_banner_is_joined():
    text = identified(SMARTCTL_ATA).replace(" [FreeBSD", "\n[FreeBSD")
    reading = only(text)
    assert (reading.tool_version, reading.platform) == ("7.3", "FreeBSD 13.1-RELEASE amd64")


def test_ascending_attribute_ids_are_not_taken_for_line_numbers():
    rows = "".join(
        f"  {number} Example_Attribute       0x0032   100   100   000    Old_age   Always       -       {number}\n"
        for number in range(1, 9)
    )
    text = identified(SMARTCTL_ATA) + rows
    reading = only(text)
    assert (reading.power_on_hours, reading.power_cycle_count) == (20123, 57)


def test_complete_lines_are_not_searched_for_wraps():
    text = f"{TEXT}\n{identified(SMARTCTL_ATA)}"
    assert not wrapping.may_be_wrapped(text)
    for broken in (
        text.replace(" RAW_VALUE", ""),
        text.replace("# sectorsize\n", "# sectorsize\n1\t# media\n"),
    ):
        assert wrapping.may_be_wrapped(broken)


def test_dashes_that_an_editor_joined_are_two_again():
    for edited, plain in (
        ("# fio —name=a –fsync=1 -–", "# fio --name=a --fsync=1 -–"),
        ("  9 Power_On_Hours -O—CK   100   100   0    -    7", "  9 Power_On_Hours -O--CK   100   100   0    -    7"),
        ("0x07  0x008  1     1  N—  Percentage Used", "0x07  0x008  1     1  N--  Percentage Used"),
        ("0x01  0x018  6   37  —-  Logical Sectors", "0x01  0x018  6   37  ---  Logical Sectors"),
        ("smartctl—a fine tool", "smartctl—a fine tool"),
    ):  # fmt: skip
        assert clean(edited).text == plain, edited
