"""What fio's job options and units mean: block sizes, what makes a write durable, options of a command line.

Source: fio's HOWTO and its parse.c (`__get_mult_bytes`), options.c and init.c.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import dropwhile, islice, pairwise, takewhile

from parsers.base.readings import FioJob
from parsers.base.target import Target, target_of

# parse.c reads "k", "kb" and "ki" as 1024 and only "kib" as 1000 (`kb_base=1024`, the default, turns SI round).
SIZE_OPTION = re.compile(r"(?P<count>[0-9]{1,12})(?P<unit>[kmg]?)(?P<binary>ib)?(?:b|i)?", re.IGNORECASE)
POWER = {"": 0, "k": 1, "m": 2, "g": 3}

# One I/O is all that these engines can have in flight, whatever iodepth says: fio caps it with a note.
SYNCHRONOUS_ENGINES = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})

FLUSHES_PER_WRITE = Decimal("0.95")

SHELL_MARKS = "();<>|&"
SHELL_SYNTAX = re.compile(
    r"[();<>|&\"'\\#]"
)  # what makes more of a line than words between blanks; shlex is slow
LONGEST_COMMAND = 8000  # characters

Options = Mapping[str, str]


def size_option_bytes(text: str) -> int | None:
    """Return the bytes that an option such as "4k" stands for, or None where it is not one size."""
    match = SIZE_OPTION.fullmatch(text.strip())
    if match is None:
        return None
    unit: int = (1000 if match["binary"] else 1024) ** POWER[match["unit"].lower()]
    return int(match["count"]) * unit


def write_block_size(options: Options) -> int | None:
    """Return the one block size of the writes in bytes, or None where it is mixed or not stated.

    `bs=4k,8k` are the sizes of reads and writes; an empty place means that side's default.
    """
    if "bsrange" in options or "bssplit" in options or "bs" not in options:
        return None
    sides = options["bs"].split(",")
    return size_option_bytes(sides[1] if len(sides) > 1 else sides[0])


def whole_number(options: Options, name: str) -> int | None:
    """Return the option as a number, or None where it is not stated or not one."""
    text = options.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 12 else None


def flag(options: Options, name: str) -> bool | None:
    """Return a yes/no option, or None where it is not stated."""
    number = whole_number(options, name)
    return None if number is None else number > 0


def makes_every_write_durable(options: Options) -> bool:
    """Say whether each write is flushed: O_SYNC, O_DSYNC, or a flush after every single write.

    `ioengine=sync` is plain write(2), `direct=1` skips only the page cache, `end_fsync` flushes once.
    """
    opened_sync = options.get("sync", "").strip() in {"1", "sync", "dsync"}
    return opened_sync or 1 in (whole_number(options, "fsync"), whole_number(options, "fdatasync"))


def in_flight(job: FioJob) -> int | None:
    """Return how many writes a job keeps in flight; a synchronous engine never more than one."""
    return 1 if job.ioengine in SYNCHRONOUS_ENGINES else job.iodepth


def flushes_are_durable(options: Options) -> bool:
    """Say whether what fio counts as a flush can be one: sync_file_range(2) leaves the disk's cache alone."""
    return "sync_file_range" not in options


def is_flush_per_write(writes: int | Decimal, flushes: int | Decimal) -> bool:
    """Say whether the flushes counted are one a write, but for the last write of each job."""
    return writes > 0 and flushes >= writes * FLUSHES_PER_WRITE


def written_path(options: Options) -> str | None:
    """Return the file or the device that a job writes, or None where it is not stated."""
    directory, filename = options.get("directory", ""), options.get("filename", "")
    return f"{directory.rstrip('/')}/{filename or options.get('name', '')}" if directory else filename or None


def target_of_jobs(jobs: Iterable[Options]) -> Target:
    """Return what these jobs write to, each given with all its options; of several the first that is no device.

    Without a file name fio makes a file in the folder that it was started in.
    """
    for options in jobs:
        path = written_path(options)
        target = Target.FILE if path is None else target_of(path)
        if target is not Target.DEVICE:
            return target
    return Target.DEVICE


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The options of a fio command: those before the first `--name`, and those of each job."""

    shared: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, dict[str, str]] = field(default_factory=dict)

    def options_for(self, job_name: str | None) -> dict[str, str]:
        """Return what the command asks of that job.

        A lone job is meant where the result names none, and where a shell put its name together ("slog-$bs").
        """
        options = self.jobs.get(job_name or "")
        if options is None and len(self.jobs) == 1:
            name, only = next(iter(self.jobs.items()))
            options = only if job_name is None or "$" in name else None
        return self.shared | (options or {})

    def states_all_of(self, job_name: str | None) -> bool:
        """Say whether all options of that job are known: it was asked for on the command line."""
        return "name" in self.options_for(job_name)


def read_command_line(command: str | None) -> CommandLine:
    """Return the options that a shell line gives to fio; empty where it does not call fio."""
    line = CommandLine()
    options = line.shared
    words = _words_after_fio((command or "")[:LONGEST_COMMAND])
    for word, following in pairwise([*words, "-"]):
        if not word.startswith("-"):
            continue
        name, is_assigned, value = word.lstrip("-").partition("=")
        if not is_assigned and not following.startswith("-"):
            value = following
        if name == "name" and value != "global":
            options = line.jobs.setdefault(value, {})
        options[name] = value
    return line


def _shell_words(command: str) -> list[str]:
    shell = shlex.shlex(command, posix=True, punctuation_chars=True)
    shell.whitespace_split = True
    try:
        return list(shell)
    except ValueError:  # a quotation that the paste cut off
        return command.split()


def _words_after_fio(command: str) -> list[str]:
    """Return the words between `fio` and the end of its command: a semicolon, a pipe, a redirection."""
    words = _shell_words(command) if SHELL_SYNTAX.search(command) else command.split()
    behind = dropwhile(lambda word: word.rpartition("/")[2] != "fio", words)
    return list(takewhile(lambda word: word.strip(SHELL_MARKS), islice(behind, 1, None)))
