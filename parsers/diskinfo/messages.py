"""diskinfo's error messages, with advice on them."""

import re

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import Notice
from parsers.base.vocabulary import read_lines
from parsers.text.tool_lines import fio_line_kind

# Also within a row of the table: "\t 0.5 kbytes: diskinfo: Sync write error: Bad file descriptor".
ERROR = re.compile(r"(?:[^\n]{0,40}?[ :])?diskinfo: (?P<message>.{1,300})")
USAGE = re.compile(r"usage: diskinfo \[-(?P<flags>[A-Za-z]{1,20})\]")
# A part of the message, the code, the advice; the first that fits.
ADVICE = [
    line.replace("{how_to_measure}", HOW_TO_MEASURE).split("\t")
    for line in read_lines(__file__, "advice.txt")
]


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
