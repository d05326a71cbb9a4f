"""fio's options: what they mean, and what command lines and job files state.

Source: fio's HOWTO and its parse.c (`__get_mult_bytes`), options.c and init.c (`__parse_jobs_ini`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice, pairwise, repeat, takewhile
from typing import NamedTuple

from parsers.base.format import Block
from parsers.base.readings import FioJob
from parsers.base.shell import words_after
from parsers.base.target import Target, node_of, paths_of, target_of
from parsers.base.units import bytes_of_size_option
from parsers.fio.load import LOAD_OPTIONS
from parsers.fio.words import FLAGS
from parsers.privacy.masks import MASK
from parsers.text.remarks import without_words

# One I/O is all that these engines can have in flight, whatever iodepth is: fio caps it with a note.
SYNCHRONOUS_ENGINES = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})

DISK_SHARE = 0.1  # of the writes of the busiest disk; less is what a system writes beside a benchmark
FLUSHES_PER_WRITE = Decimal("0.95")

Options = Mapping[str, str]

_SECTION = re.compile(rf"\[((?:{MASK.pattern}|[^\[\]/]){{1,100}})\]")
_OPTION = re.compile(r"([a-z]\w{0,40})(?:\s*=\s*(.*))?")
_COMMENT = re.compile(r"[;#]")
# options that fio's output omits; all others of a job file are in the output, as fio interpreted them
UNPRINTED_OPTIONS = LOAD_OPTIONS | {
    "sync", "fsync", "fdatasync", "sync_file_range", "filename", "directory",
}  # fmt: skip
_DRIVE = re.compile(r"\A([A-Za-z])\\:")  # of Windows, its colon escaped
MAX_SECTIONS = 200  # nobody pastes more by hand


def write_block_size(options: Options) -> int | None:
    """Return the one block size of the writes in bytes; None if mixed or not stated.

    `bs=4k,8k` are the sizes of reads and writes; an empty place means that side's default.
    """
    if "bsrange" in options or "bssplit" in options or "bs" not in options:
        return None
    sides = options["bs"].split(",")
    return bytes_of_size_option(sides[1] if len(sides) > 1 else sides[0])


def agrees(options: Options, rw: str | None, block_size: int | None, ioengine: str | None) -> bool:
    """Whether options are consistent with what a job's output states."""
    direction = options.get("rw") or options.get("readwrite") or ""
    engine = options.get("ioengine", "").partition(":")[0]
    return (
        (not rw or not direction or _directions(rw) == _directions(direction))
        and block_size in (None, write_block_size(options) or block_size)
        and (not ioengine or engine in ("", ioengine))
    )


def _directions(rw: str) -> tuple[bool, bool]:
    return "read" in rw or "rw" in rw, "write" in rw or "rw" in rw


def integer_option(options: Options, name: str) -> int | None:
    """Return the option as a number, or None where it is not stated or not one."""
    text = options.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 12 else None


def makes_every_write_durable(options: Options) -> bool:
    """Say whether each write is flushed: O_SYNC, O_DSYNC, or a flush after each.

    `ioengine=sync` is plain write(2), `direct=1` skips only the page cache, `end_fsync` flushes once.
    """
    opened_sync = options.get("sync", "").strip() in {"1", "sync", "dsync"}
    return opened_sync or 1 in (integer_option(options, "fsync"), integer_option(options, "fdatasync"))


def in_flight(job: FioJob) -> int | None:
    """Return how many writes a job has in flight; one for a synchronous engine."""
    return 1 if job.ioengine in SYNCHRONOUS_ENGINES else job.iodepth


def flushes_are_durable(options: Options) -> bool:
    """Say whether what fio counts as a flush can be one.

    sync_file_range(2) doesn't flush the disk's cache.
    """
    return "sync_file_range" not in options


def is_flush_per_write(writes: int | Decimal, flushes: int | Decimal) -> bool:
    """Say whether there was a flush per write, except for the last of each job."""
    return writes > 0 and flushes >= writes * FLUSHES_PER_WRITE


def written_path(options: Options) -> str | None:
    """Return the file or the device that a job writes, or None where it is not stated."""
    directory = _DRIVE.sub(r"\1:", options.get("directory", ""))
    filename = _DRIVE.sub(r"\1:", options.get("filename", ""))
    if not directory:
        return filename or None
    separator = "\\" if "\\" in directory or directory.endswith(":") else "/"
    name = filename or options.get("name")
    return f"{directory.rstrip(separator)}{separator}{name}" if name else None


def target_of_jobs(jobs: Iterable[Options]) -> Target:
    """Return what these jobs write to, given all their options.

    Of several targets, the first that is no device. Without a file name fio creates a file in its working directory.
    """
    for options in jobs:
        path = written_path(options)
        target = Target.FILE if path is None else target_of(path)
        if target is not Target.DEVICE:
            return target
    return Target.DEVICE


def several_targets(jobs: Iterable[tuple[int | None, Options]]) -> tuple[str, ...]:
    """Return what jobs write, by their groups and options, where it isn't one device or the files of one folder.

    Files of one folder are of one file system, but only files that were written one after another can be compared:
    those of one job, or of one group, share the time. Jobs without a file name write files named after them.
    """
    written: dict[str, None] = {}
    folders: dict[str, None] = {}
    in_group: defaultdict[int | None, set[str]] = defaultdict(set)
    for group, options in jobs:
        paths = paths_of(options.get("filename")) or [""]
        for folder in paths_of(options.get("directory")) or [""]:
            for path in paths:
                full = f"{folder.rstrip('/')}/{path}" if folder else path
                if path:
                    in_group[group].add(full)
                if full:
                    is_file = bool(folder) or target_of(full) is Target.FILE
                    written[full] = None
                    folders[full.rpartition("/")[0] if is_file else full] = None
    several = len(folders) > 1 or any(len(paths) > 1 for paths in in_group.values())
    return tuple(written) if several and len(written) > 1 else ()


def written_disks(writes: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Return the disks that fio's disk statistics show a good part of the writes on, where they are several."""
    counts = {f"/dev/{name}": count for name, count in writes}
    max_count = max(counts.values(), default=0)
    found = [name for name, count in counts.items() if count >= max_count * DISK_SHARE and count]
    nodes = {node_of(name) for name in found}
    return tuple(found) if len(nodes) > 1 and None not in nodes else ()


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The options of a fio command: the shared ones, and those of each job.

    Shared are those before the first `--name`.
    """

    shared: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, dict[str, str]] = field(default_factory=dict)

    def options_for(self, job_name: str | None) -> dict[str, str]:
        """Return the options that the command gives that job.

        A single job is also returned if the result names none, or if a shell assembled its name ("slog-$bs").
        """
        options = self.jobs.get(job_name or "")
        if options is None and len(self.jobs) == 1:
            name, only = next(iter(self.jobs.items()))
            options = only if job_name is None or "$" in name else None
        return self.shared | (options or {})

    def shows_options_of(self, job_name: str | None) -> bool:
        """Say whether the command or a job file shows what is to be known of that job."""
        return self.states_all_of(job_name) or (job_name or "") in self.jobs

    def states_all_of(self, job_name: str | None) -> bool:
        """Say whether the command line states all options of that job."""
        return "name" in self.options_for(job_name)


def read_command_line(command: str | None) -> CommandLine:
    """Return the options that a shell line gives to fio; none if it isn't fio's."""
    line = CommandLine()
    options = line.shared
    words = words_after(command, "fio")
    for word, following in pairwise([*words, "-"]):
        if not word.startswith("-"):
            continue
        name, is_assigned, value = word.lstrip("-").partition("=")
        if not is_assigned and not following.startswith("-"):
            value = following
        if name == "name" and value != "global":
            options = line.jobs.setdefault(value, {})
        is_another = name == "filename" and "filename" in options  # fio writes both
        options[name] = f"{options[name]}:{value}" if is_another else value
    return line


class JobLine(NamedTuple):
    """A line of a job file: its index, and the section or the option that it states, if any."""

    at: int
    section: str | None
    option: tuple[str, str | None] | None


def job_files(lines: Iterable[str]) -> Iterator[list[JobLine]]:
    """Yield the lines of each job file, from a section on; empty ones and comments state nothing.

    One line in a row may be anything else: what stands for a remark, if that isn't kept.
    """
    file: list[JobLine] = []
    for at, line in enumerate(lines):
        if not (file or line.lstrip().startswith("[")):
            continue
        text = without_words(_COMMENT.split(line.strip(), maxsplit=1)[0].rstrip())
        section = None if MASK.fullmatch(text) else _SECTION.fullmatch(text)
        option = _OPTION.fullmatch(text)
        is_behind_gap = bool(file) and file[-1].at < at - 1
        if section or (file and (option or not text) and (not is_behind_gap or "=" in text or text in FLAGS)):
            stated = (option[1], option[2]) if option else None
            file.append(JobLine(at, section[1] if section else None, stated))
        elif is_behind_gap:
            yield file
            file = []
    if file:
        yield file


@dataclass(frozen=True, slots=True)
class JobSection:
    """A job of a job file: its first line (0: above the block) and its options.

    The options include the global ones.
    """

    number: int
    name: str
    options: dict[str, str]


class StatedOptions:
    """The options that the job files of a block state."""

    def __init__(self, block: Block) -> None:
        has_jobs = any(read_command_line(command).jobs for command in block.commands)
        above = () if has_jobs else block.above  # a command with jobs was given no job file
        numbers = (*repeat(0, len(above)), *block.numbers)
        self._sections = list(islice(self._read_sections((*above, *block.lines), numbers), MAX_SECTIONS))

    def _read_sections(self, lines: Sequence[str], numbers: Sequence[int]) -> Iterator[JobSection]:
        for file in job_files(lines):
            shared: dict[str, str] = {}
            options = shared
            for line in file:
                if line.section == "global":
                    options = shared
                elif line.section is not None:
                    options = dict(shared)
                    yield JobSection(numbers[line.at], line.section, options)  # its options come in below
                elif line.option is not None and line.option[0] in UNPRINTED_OPTIONS:
                    options[line.option[0]] = line.option[1] or ""

    def above(self, number: int, command: CommandLine | None = None) -> CommandLine:
        """Return the options that a command and the job files above the line state.

        Of two sections with the same name the lower one counts.
        """
        command = command or CommandLine()
        sections = takewhile(lambda section: section.number < number, self._sections)
        jobs = {section.name: command.shared | section.options for section in sections}
        return CommandLine(command.shared, command.jobs | jobs)
