"""From a text as it was pasted to the lines that the tools printed, each with its number in the paste."""

from dataclasses import dataclass

from parsers.text.decode import check_line_count
from parsers.text.decorations import strip_decorations
from parsers.text.traced import Traced
from parsers.text.transport import undo_transport
from parsers.text.wrapped_commands import join_commands
from parsers.text.wrapping import join_wrapped, split_run_together


@dataclass(frozen=True, slots=True)
class CleanText:
    """The lines that the tools printed; `numbers[i]` is the line of the paste, from 1, where `lines[i]` starts."""

    traced: Traced
    lines: list[str]
    numbers: list[int]


def clean(text: str) -> Traced:
    """The text without quoting, markup, escapes and wrapping. Raises ParseError for too many lines."""
    plain = undo_transport(text)
    check_line_count(plain.text)
    plain = split_run_together(strip_decorations(plain))
    check_line_count(plain.text)
    return join_commands(join_wrapped(plain))


def clean_lines(cleaned: Traced, source: str) -> CleanText:
    """The lines of a cleaned text, without blanks at their ends; `source` is the text that was cleaned."""
    lines = list(map(str.rstrip, cleaned.text.split("\n")))
    numbers = cleaned.source_lines(source) if cleaned.is_changed else list(range(1, len(lines) + 1))
    return CleanText(cleaned, lines, numbers)
