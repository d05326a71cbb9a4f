"""Texts that are made to cost a reader time: a piece over and over, or one with another identifier each time."""

from collections.abc import Callable, Iterator
from itertools import count

from tests.parsers.samples import ALL, identified

# Pieces that a reader of markup, of JSON, of escapes or of identifiers begins to look at, and never sees the end of
PIECES = (
    "<!--", "<![CDATA[", "<a ", "</", "<pre>", "</a <a ", "<td>", "\0", "\x01", "x", "\n", "a\n", '"', "'",
    "[", "]", "(", ":", "::", " ", "\t", "0", "f", "5", "-", "_", ".", "@", "a@", "/", "#", "$", "%", "~", "=",
    "\\", "\\n", "\\u0041", "&", "&#9;", '{"a":', '[{"a":', '{\n"', '"wwn": {', 'serial_number":"', "[quote]",
    "[quote=", "[url=", "[/code", "=3D", "=\n", "=20\n", "\u00a0", "\u00a0a", "a\u00a0\n", "\u200b", "\u2028a",
    "\x0b", "a\x0b", "a\r", "\ufeff", "\x1b[", "a\x08", "`", "> ", " |\n", "Serial Number: ", "S/N\n", "wwn ",
    "uuid", "SERIAL SN\n", "Serial,SN\n", "/by-id/", "/by-id/a_b_", "nvme-a_b_", "t10.a_", "nqn.2014-08.a:a",
    "1.1.1.", "00:", "10.0.0.", "Jan  1 00:00:00 ", "//", "\\\\", "a: ", "a:/mnt", "host=", "thanks ",
    "ssh -l ", "-rw-r--r-- 1 ", "a$ fio ", "root@a:~# diskinfo ", "4 kbytes: ", "512 # sectorsize ",
    "A # Disk ident. ", "Thu Mar  2 23:59:01 CET 2023 ", "2023-03-02 23:59#", "\u0130", "\uff21", "\u017f", "\u0661",
    "ABC123 # Disk ident. ", "a&#9;", "[code]", ">", " |", "` ", "/by-id/a_b_c_", "{", "\u200ba", "erialnumber:x",
    "lunid:x", "[QUOTE=", "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s ",
    "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s             \n",
    "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s     \nsmartctl 7.3 2022 [x] (y)                  \n",
    "8 kbytes: 1.0 usec/IO = 5.0 Mbytes/s  9 Power_On_Hours          0x0032 ",
    "6 kbytes: 9.3 usec/IO = 2.3 Mbytes/sSerial number:        EX2AB7Age:               3 ",
    "| 4 | 129.3 | 30.2 |\n| kbytes | usec/IO | Mbytes/s |\n| EX77 | # Disk ident. |\n",
    "| sectorsize |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    "[2023-03-02 23:59:01] ################################\n",
    "smartctl 7.2 2020 [x] (y)                         \n",
)  # fmt: skip
# {n} is another number each time, {x} the same in hexadecimal digits
NUMBERED = {
    "serial numbers": "Serial Number:    EX{n}AB and words up to the end\n",
    "serial numbers on one line": "Serial Number: EX{n}AB, and words, ",
    "serial numbers in markup on one line": "<b>Serial Number: EX{n}AB</b>, and words, ",
    "quoted serial numbers": "> Serial Number:    EX{n}AB and words\n",
    "serial numbers that are models, too": "Serial: EX{n}AB, also EX{n}AB\nDevice Model: EXAMPLE {n} of a name\n",
    "hidden serial numbers": "Serial Number: EX{n}**** and words up to the end\n",
    "serial numbers with blanks": "Serial Number: EX{n}\u00a0{n}AB and words\n",
    "broken serial numbers": "Serial Number: EX{n}=\n{n}AB and words up to the end\n",
    "names by id": "  /dev/disk/by-id/nvme-EXAMPLE_SSD_EX{n}AB-part1  ONLINE  0 0 0\n",
    "bare names by id": "  nvme-EXAMPLE_SSD_EX{n}AB  ONLINE  0 0 0\n",
    "names by id on one line": " nvme-EXAMPLE_SSD_EX{n}AB",
    "partitions": "  gptid/{x}-5e6f-11ed-\n8abc-0025901234ab  ONLINE\n",
    "world-wide names": "LU WWN Device Id: 5 002538 e{x} and words\n",
    "bare world-wide names": "naa.5002538{x}1 ",
    "world-wide names in JSON": '{{"wwn": {{"naa": 5, "oui": 3152, "id": {n}}}}}\n',
    "pools": "  pool: tank{n}\n\tlogs\n\t  1{n}{n}  UNAVAIL  0 0 0\n",
    "prompts": "root@host{n}:~# smartctl -a /dev/sda\n",
    "prompts on one line": "root@host{n}:~# smartctl -a /dev/sda ",
    "wrapped commands": "root@nas:~# fio --name=a{n} --bs=4k --ioen\ngine=posixaio --si\nze=1g\n",
    "lines of a log": "Jan 12 10:00:01 host{n} smartctl: Serial Number:    EX{n}AB\n",
    "prefixes": "a{n}: Serial Number:    EX{n}AB\nout.txt:{n}: Device Model:   X\n",
    "strings of a list": '    "Device Model:  X{n}\\"\\t\\t", \n',
    "dated prompts": "[2023-03-02 23:59:01] root@host{n}:~# smartctl -a /dev/sda\n",
    "dates": "2023-03-02 23:59:01 #Thu Mar  2 23:59:01 CET 2023 # {n}\nThu Mar  2 23:59:01 CET 2023\n",
    "users": "/home/user{n}/fio and words up to the end\n",
    "mentions": "thanks @user{n}, that helps\n",
    "log lines": "Jan  1 00:00:00 host{n} kernel: nvme0: serial EX{n}AB\n",
    "uname": "Linux host{n} 5.10.0-1 #1 SMP and words\n",
    "mails": "From: Ann B{n} <ann{n}@example.test>\n",
    "quotes": '[QUOTE="user{n}, post: {n}"]Hi[/QUOTE]\n',
    "links": "[url=https://nas{n}.lan/x]x[/url] ",
    "a table": "da{n}  EX{n}AB  SERIAL  3.6T\n",
    "heads of tables": "NAME SERIAL SN WWN\nda{n} EX{n}AB SN{n} 5002538{x}1\n",
    "masks": "[serial-{n}] and [wwn-{n}] Serial Number: [host-{n}]\n",
    "points": " {n} kbytes:    118.4 usec/IO =      4.1 Mbytes/s\n",
    "fio's job lines": "job{n}: (g={n}): rw=write, bs=(R) 4096B-4096B, ioengine=psync, iodepth=1\n",
    "fio's results": "job{n}: (groupid={n}, jobs=1): err= 0: pid={n}: Mon Jan  1 00:00:00 2024\n  write: IOPS=9\n",
    "smartctl's sections": "=== START OF INFORMATION SECTION ===\nDevice Model: A{n}\nSerial Number: EX{n}AB\n",
    "attributes": "  9 Attribute{n}   0x0032   100   100   000    Old_age   Always       -       {n}\n",
    "cut JSON of smartctl": '{{\n  "json_format_version": [\n    1,\n    0\n  ],\n  "a{n}": {{\n',
    "cut JSON of fio": '{{\n  "fio version" : "fio-3.1",\n  "jobs" : [\n    {{\n      "jobname" : "a{n}",\n',
}


def numbered(template: str, size: int) -> str:
    """The template with one number after another, as often as it takes to fill so many characters."""
    return _filled((template.format(n=f"{number:07}", x=f"{number:08x}") for number in count()), size)


def samples(name: str, size: int) -> str:
    """One output of a tool after another, each of another unit, on another machine."""
    return _filled(
        (
            identified(
                ALL[name],
                serial=f"EXS{number:07}AB",
                wwn=f"5002538e4{number:06x}1",
                host=f"nas-{number}",
                user=f"zquser{number}",
            )
            for number in count()
        ),
        size,
    )


def wrapped(text: str, width: int) -> str:
    """The text as a terminal of that width breaks it."""
    text = text.expandtabs()
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def texts() -> dict[str, Callable[[int], str]]:
    """All of them by name, each made in any size."""
    made: dict[str, Callable[[int], str]] = {}
    for name, template in NUMBERED.items():
        made[name] = lambda size, template=template: numbered(template, size)
    for name in ALL:
        made[f"outputs of {name}"] = lambda size, name=name: samples(name, size)
        made[f"outputs of {name} on one line"] = lambda size, name=name: " ".join(samples(name, size).split())
    for name in ("serial numbers", "bare names by id", "prompts"):
        made[f"{name}, wrapped"] = lambda size, name=name: wrapped(numbered(NUMBERED[name], size), 40)
    return made


def _filled(parts: Iterator[str], size: int) -> str:
    filled: list[str] = []
    length = 0
    while length < size:
        filled.append(next(parts))
        length += len(filled[-1])
    return "".join(filled)[:size]
