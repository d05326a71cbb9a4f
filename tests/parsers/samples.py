"""Texts in the tools' layouts, with identifiers put in; figures are made up."""

from dataclasses import replace
from pathlib import Path
from string import Template

from parsers.paste import parse_paste

FOLDER = Path(__file__).with_name("sample_texts")


def text_of(name):
    """The text of this name in sample_texts/."""
    return (FOLDER / f"{name}.txt").read_text()


DISKINFO = Template(text_of("diskinfo"))
SMARTCTL_ATA = Template(text_of("smartctl_ata"))
SMARTCTL_NVME = Template(text_of("smartctl_nvme"))
SMARTCTL_SCSI = Template(text_of("smartctl_scsi"))
SMARTCTL_JSON = Template(text_of("smartctl_json"))
FIO_TEXT = Template(text_of("fio_text"))
ALL = {
    "diskinfo": DISKINFO,
    "ata": SMARTCTL_ATA,
    "nvme": SMARTCTL_NVME,
    "scsi": SMARTCTL_SCSI,
    "json": SMARTCTL_JSON,
    "fio": FIO_TEXT,
}


def identified(template, serial="EXS2006600AB77", wwn="5001438aabbccdd0", **names):
    """The text with these identifiers; `wwn` is 16 hexadecimal digits."""
    return template.substitute(
        {
            "serial": serial,
            "enclosure": wwn,
            "naa": f"{wwn[0]} {wwn[1:7]} {wwn[7:]}",
            "eui": f"{wwn[:6]} {wwn[6:]}",
            "oui": int(wwn[1:7], 16),
            "number": int(wwn[7:], 16),
            "user": "root",
            "host": "filer",
            **names,
        }
    )


def stored(paste):
    """The paste without what relates it to the text that was sent: the same for a stored text that is read again."""
    return replace(paste, source_lines=(), left_out_lines=())


def parse(text):
    return parse_paste(text, unit_key=b"key")


def only(text):
    """The one reading of a text."""
    (reading,) = parse(text).readings
    return reading


def codes(paste):
    """Those of its notices."""
    return [notice.code for notice in paste.warnings]


def places(paste):
    """The codes of its notices, each with its line."""
    return [(notice.code, notice.line) for notice in paste.warnings]


def read(text):
    """The paste of a text, whose stored text states the same when it is read again."""
    paste = parse(text)
    again = parse_paste(paste.text, unit_key=b"another", unit_digests=paste.unit_digests)
    assert not paste.text or stored(again) == stored(paste), text
    return paste
