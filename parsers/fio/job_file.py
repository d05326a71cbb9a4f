"""fio's job files, pasted above a result: what their sections ask for, along with the command line.

Source: fio's init.c (`__parse_jobs_ini`): a section takes the options of the `[global]` ones above it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, repeat, takewhile

from parsers.base.readings import Block
from parsers.fio.options import CommandLine, read_command_line

SECTION = re.compile(r"\[([^\[\]/]{1,100})\]")
OPTION = re.compile(r"([a-z]\w{0,40})(?:\s*=\s*(.*))?")
COMMENT = re.compile(r"[;#]")
# what fio's output leaves out; whatever else a job file asks for, the output states as fio took it
KEPT = frozenset({"sync", "fsync", "fdatasync", "sync_file_range", "direct", "filename", "directory"})
MOST_SECTIONS = 200  # a paste of more is no paste of a person


@dataclass(frozen=True, slots=True)
class Section:
    """A job of a job file: the line it begins on (0 above the block), and its options with the global ones."""

    number: int
    name: str
    options: dict[str, str]


class Asked:
    """What the command line of a block, and the job files above its results, ask of the jobs."""

    def __init__(self, block: Block) -> None:
        self._command = read_command_line(block.command)
        above = zip(repeat(0), block.above)
        # a command with jobs of its own was given no job file
        lines = chain(() if self._command.jobs else above, zip(block.numbers, block.lines, strict=True))
        self._sections = list(islice(_sections(lines, self._command.shared), MOST_SECTIONS))

    def above(self, number: int) -> CommandLine:
        """Return what is asked for above the line; of two sections of one name the lower one counts."""
        sections = takewhile(lambda section: section.number < number, self._sections)
        jobs = {section.name: section.options for section in sections}
        return CommandLine(self._command.shared, self._command.jobs | jobs)


def _sections(lines: Iterable[tuple[int, str]], defaults: Mapping[str, str]) -> Iterator[Section]:
    shared = dict(defaults)
    options: dict[str, str] | None = None  # of the section that the lines are in
    for number, line in lines:
        text = line.strip()
        if options is None and not text.startswith("["):
            continue
        text = COMMENT.split(text, maxsplit=1)[0].rstrip()
        section, option = SECTION.fullmatch(text), OPTION.fullmatch(text)
        if section is not None and section[1] == "global":
            options = shared
        elif section is not None:
            options = dict(shared)
            yield Section(number, section[1], options)  # its options come in below
        elif options is not None and option is not None:
            if option[1] in KEPT:
                options[option[1]] = option[2] or ""
        elif text:  # the file has ended
            shared, options = dict(defaults), None
