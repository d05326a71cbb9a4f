"""`python -m parsers [FILE | -]`: print what a paste states as one JSON object.

Exit status 0 with at least one reading, 1 with none, 2 for a usage error or an unreadable file.
"""

import argparse
import dataclasses
import json
import os
import secrets
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from parsers.base.readings import Notice, PairedDevice, ParsedPaste, Reading
from parsers.paste import parse_paste

# Fields of readings for pairing and classifying that are not printed.
HIDDEN = (
    "serial", "is_usb", "device_type", "transport_protocol", "printed_class", "has_flash", "stated_target",
    "missing_jobs", "protection_fault", "protection_evidence", "flush_path", "targets", "hosts", "slot", "times_ms",
    "values",
)  # fmt: skip
LINES = ("first_line", "last_line", "line")
ROWS = ("points", "jobs", "rows", "buckets")
HIDDEN_IN_ROWS = ("line", "setup_line", "data", "percentage_random", "block_align", "flush_off")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m parsers", description="Print what a paste says.")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the paste; - is standard input")
    options = parser.parse_args(arguments)
    try:
        raw = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        sys.stderr.write(f"{parser.prog}: {options.file}: {error.strerror}\n")
        return 2
    paste = parse_paste(raw, unit_key=unit_key())
    sys.stdout.buffer.write(to_json(paste).encode() + b"\n")
    return 0 if paste.readings else 1


def unit_key() -> bytes:
    """Return the key of the digests; without one set, a random key of this run."""
    return os.environb.get(b"SLOGDB_UNIT_KEY") or secrets.token_bytes(32)


def to_json(paste: ParsedPaste) -> str:
    """The paste in the form defined by the JSON contract; its lines are those of the text that was given."""
    return json.dumps(
        {
            "parser_version": paste.parser_version,
            "readings": [_with_sent_lines(as_record(reading), paste) for reading in paste.readings],
            "devices": [as_record(device) for device in paste.devices],
            "warnings": [_with_sent_lines(as_record(warning), paste) for warning in paste.warnings],
            "text": paste.text,
        },
        ensure_ascii=False,
        default=as_json,
        indent=1,
    )


def as_record(value: Reading | PairedDevice | Notice) -> dict[str, object]:
    record = dataclasses.asdict(value)
    kind = record.pop("kind", None)
    if others := record.pop("also_smartctl", ()):
        record["smartctl"] = [record["smartctl"], *others]
    record = {name: item for name, item in record.items() if name not in HIDDEN}
    for rows in ROWS:
        for row in record[rows] if isinstance(record.get(rows), tuple) else ():
            if not isinstance(row, dict):
                continue
            for name in HIDDEN_IN_ROWS:
                row.pop(name, None)
            row |= row.pop("figures", {})
    return record if kind is None else {"kind": kind, **record}


def _with_sent_lines(record: dict[str, Any], paste: ParsedPaste) -> dict[str, Any]:
    return {name: paste.sent_line(value) if name in LINES else value for name, value in record.items()}


def as_json(value: object) -> float | str:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"no JSON form for {type(value).__name__}")


if __name__ == "__main__":
    sys.exit(main())
