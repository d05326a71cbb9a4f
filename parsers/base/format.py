"""The one exception of the parsers."""


class ParseError(Exception):
    """A line that speaks of a field and can't be read as one.

    `code` is stable and meant for programs, `line_number` counts from 1 in the paste as it was received
    (None where no single line is at fault), the message is a sentence for the person who pasted.
    """

    def __init__(self, message: str, *, code: str = "unreadable", line_number: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.line_number = line_number
