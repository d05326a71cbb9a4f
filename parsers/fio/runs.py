"""Takes the lines of a block apart into runs of fio: the text of each, and its JSON document.

`--output-format=normal,json` prints a run twice, the JSON between the set-up and the result of the text: both are
one run. A document that is broken or cut leaves its lines to the text, in which they state nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from parsers.base.format import ParseError
from parsers.base.readings import Block, FioReading, Notice
from parsers.fio.job_file import Asked
from parsers.fio.json import FigureError, Places, decode_json, read_document
from parsers.fio.lines import kind_of, read_row_head
from parsers.fio.snapshots import Progress, progress_of
from parsers.fio.text import TextRun

DOCUMENT_KEY = '"fio version"'
JOB_KEY = '"jobname"'
DEPTH_KEY = '"iodepth"'
MOST_DOCUMENTS = 200  # a paste of more is no paste of a person


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON document: the index of its first line, that of the first line behind it, and what it states.

    Of one that can't be read `last` is the last line that can be its own.
    """

    first: int
    end: int
    reading: FioReading | None
    notice: Notice | None = None
    last: int = 0
    progress: Progress | None = None

    def goes_on_from(self, earlier: "Document | None") -> bool:
        """Say whether this is a later snapshot of the run that the other document is of."""
        if earlier is None or earlier.progress is None or self.progress is None:
            return False
        return self.progress.goes_on_from(earlier.progress)


@dataclass(slots=True)
class Run:
    """One run of fio: what its text states, what its document states, or both."""

    text: TextRun = field(default_factory=TextRun)
    document: Document | None = None

    def has_result(self) -> bool:
        return self.document is not None or bool(self.text.rows)

    def is_followed_by(self, line: str) -> bool:
        """Say whether the line is of the next run: a set-up, or a result that can't be of this one."""
        kind = kind_of(line) if self.has_result() else None
        if kind != "head":
            return kind == "setup"
        reading = self.document.reading if self.document else None
        head = read_row_head(line)
        if reading is None or head is None:
            return self.text.is_ended and (head is None or not self.text.has_row_of(head))
        return head.name not in {job.name for job in reading.jobs}


def split_runs(block: Block, asked: Asked) -> list[Run]:
    """Return the runs of the block in their order; the last one of a paste may hold no result."""
    documents = {document.first: document for document in _documents(block, asked)}
    runs = [Run()]
    behind = 0
    for index, line in enumerate(block.lines):
        document = documents.get(index)
        if document is not None:
            if runs[-1].has_result() and not document.goes_on_from(runs[-1].document):
                runs.append(Run())
            runs[-1].document = document
            behind = document.end
        stripped = line.strip()
        if stripped and index >= behind:
            if runs[-1].is_followed_by(stripped):
                runs.append(Run())
            runs[-1].text.feed(stripped, block.numbers[index])
    return runs


def _documents(block: Block, asked: Asked) -> Iterator[Document]:
    keys = [index for index, line in enumerate(block.lines) if DOCUMENT_KEY in line]
    if len(keys) > MOST_DOCUMENTS:
        raise ParseError(
            f"more than {MOST_DOCUMENTS} JSON documents of fio: paste fewer at a time",
            code="too_many_runs",
            line_number=block.numbers[keys[MOST_DOCUMENTS]],
        )
    firsts = [_first_line(block, index) for index in keys]
    for first, end in pairwise([*firsts, len(block.lines)]):
        yield _read(block, asked, first=first, end=end)


def _first_line(block: Block, key: int) -> int:
    """Return the line of the bracket that opens the document: that of its first key, or the one above."""
    is_above = "{" not in block.lines[key].partition(DOCUMENT_KEY)[0] and key > 0
    return key - 1 if is_above and block.lines[key - 1].rstrip().endswith("{") else key


def _read(block: Block, asked: Asked, *, first: int, end: int) -> Document:
    before_key, key, rest = "\n".join(block.lines[first:end]).partition(DOCUMENT_KEY)
    key_line = first + before_key.count("\n")
    # a paste that begins below the bracket, or with other text in front of it, says the same
    text = "{".ljust(len(before_key.rpartition("\n")[2])) + key + rest
    try:
        return _read_text(text, block, asked, first=first, key_line=key_line)
    except ParseError as error:
        line = error.find_line(text) if isinstance(error, FigureError) else error.line_number
        number = block.numbers[key_line + (line or 1) - 1]
        last = next((at for at in range(end - 1, first, -1) if block.lines[at].strip()), first)
        return Document(first, first, None, Notice(error.code, str(error), number), last=last)


def _read_text(text: str, block: Block, asked: Asked, *, first: int, key_line: int) -> Document:
    decoded, text = decode_json(text)
    last = key_line + text.count("\n", 0, decoded.end)
    jobs = _job_lines(block, range(first, last + 1))
    places = Places(block.numbers[first], block.numbers[last], jobs)
    reading = read_document(decoded.value, asked.above(places.first), places, is_cut=decoded.is_cut)
    end = first if decoded.is_cut else last + 1
    return Document(first, end, reading, progress=progress_of(decoded.value))


def _job_lines(block: Block, indices: range) -> list[tuple[int, int | None]]:
    """Return where each job begins and where its depth is stated: among its own options, or the global ones."""
    found: list[tuple[int, int | None]] = []
    shared: int | None = None
    for index in indices:
        line, number = block.lines[index], block.numbers[index]
        if JOB_KEY in line:
            found.append((number, shared))
        if DEPTH_KEY in line and found:
            found[-1] = (found[-1][0], number)
        elif DEPTH_KEY in line:
            shared = number
    return found
