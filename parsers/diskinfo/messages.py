"""diskinfo's error messages, with advice on them."""

import re

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import Notice
from parsers.text.tool_lines import fio_line_kind

# Also within a row of the table: "\t 0.5 kbytes: diskinfo: Sync write error: Bad file descriptor".
ERROR = re.compile(r"(?:[^\n]{0,40}?[ :])?diskinfo: (?P<message>.{1,300})")
USAGE = re.compile(r"usage: diskinfo \[-(?P<flags>[A-Za-z]{1,20})\]")
# A part of the message, the code, the advice; the first that fits.
ADVICE = (
    (
        "-S require also -w",
        "needs_write_flag",
        f"diskinfo -S writes to the device and also needs -w. {HOW_TO_MEASURE}",
    ),
    (
        "Operation not permitted",
        "device_in_use",
        "the device is in use, mounted or part of a pool: diskinfo -wS destroys data, so test an unused device",
    ),
    ("Permission denied", "needs_root", "diskinfo needs root: run it with sudo, or as root"),
    (
        "Bad file descriptor",
        "needs_full_path",
        f"diskinfo could not write: name the device by its full path, as in /dev/nvd0. {HOW_TO_MEASURE}",
    ),
    (
        "No such file or directory",
        "no_such_device",
        "there is no such device: geom disk list shows their names",
    ),
    ("Device busy", "device_in_use", "the device is in use: test an unused one"),
    (
        "illegal option",
        "too_old",
        "this diskinfo has no synchronous write test: it came with FreeBSD 11.2 and FreeNAS 11.0",
    ),
    (
        "not found",
        "no_diskinfo",
        "this system has no diskinfo (it is FreeBSD's): on Linux and TrueNAS SCALE measure with fio instead",
    ),
)


def is_error(line: str) -> bool:
    """Whether a line is an error message of diskinfo."""
    if "diskinfo" not in line:
        return False
    is_message = ERROR.match(line) is not None or is_usage(line)
    return is_message and fio_line_kind(line.strip()) is None  # a job may be named diskinfo


def is_usage(line: str) -> bool:
    """Whether a line is diskinfo's usage, printed below any mistake in the call."""
    return USAGE.match(line.strip()) is not None


def explain_error(line: str, number: int) -> Notice:
    """What the message means and what to do."""
    match = ERROR.match(line)
    if match is None:
        return Notice("usage", f"diskinfo only printed its usage. {HOW_TO_MEASURE}", number)
    message = match["message"].strip()
    for part, code, advice in ADVICE:
        if part in message:
            return Notice(code, advice, number)
    return Notice("tool_error", f"diskinfo stopped with an error: {message[:120]}", number)
