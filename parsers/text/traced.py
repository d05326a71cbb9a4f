"""An edited text that knows where each of its characters came from."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable

Edit = tuple[int, int, str]  # from, to, and the replacement


class Traced:
    """An edited text; `source_span` maps a stretch of it to the unedited text."""

    __slots__ = ("_before", "_source_ends", "_source_starts", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._before: Traced | None = None
        # piece by piece: where it starts here, where it starts in the text before, and, for one that was
        # put in, where the replaced stretch ends there (0: copied)
        self._starts = array("I")
        self._source_starts = array("I")
        self._source_ends = array("I")

    @property
    def is_changed(self) -> bool:
        """Whether anything was changed at all."""
        return self._before is not None

    def masked(self, text: str) -> "Traced":
        """The text with masks put in, by itself."""
        return Traced(text)

    def replaced(self, text: str) -> "Traced":
        """Return the text with other characters in the same places."""
        if len(text) != len(self.text):
            raise ValueError("the text has another length")
        changed = Traced(text)
        changed._before = self
        changed._add(0, 0, 0)
        return changed

    def edit(self, edits: Iterable[Edit]) -> "Traced":
        """The text with the edits done; they come in order and don't overlap."""
        changed = Traced("")
        changed._before = self
        parts: list[str] = []
        done = length = 0
        for start, end, replacement in edits:
            if start > done:
                changed._add(length, done, 0)
                parts.append(self.text[done:start])
                length += start - done
            if replacement:
                changed._add(length, start, max(end, 1))
                parts.append(replacement)
                length += len(replacement)
            done = end
        if done == 0 and not parts:
            return self
        changed._add(length, done, 0)
        parts.append(self.text[done:])
        changed.text = "".join(parts)
        return changed

    def _add(self, start: int, source_start: int, source_end: int) -> None:
        self._starts.append(start)
        self._source_starts.append(source_start)
        self._source_ends.append(source_end)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the unedited text that `text[start:end]` came from."""
        if self._before is None:
            return start, end
        first, _ = self._piece_span(start)
        _, last = self._piece_span(max(end - 1, start))
        return self._before.source_span(first, max(last, first))

    def _piece_span(self, position: int) -> tuple[int, int]:
        """Return where one character was before the last edits."""
        piece = bisect_right(self._starts, position) - 1
        source = self._source_starts[piece]
        if self._source_ends[piece]:
            return source, self._source_ends[piece]
        place = source + position - self._starts[piece]
        return place, place + 1

    def source_lines(self, source: str) -> list[int]:
        """Return the line number in `source`, from 1, of each line of the edited text."""
        breaks = array("I")
        position = source.find("\n")
        while position >= 0:
            breaks.append(position)
            position = source.find("\n", position + 1)
        numbers = []
        start = 0
        for line in self.text.split("\n"):
            place, _ = self.source_span(start, start + 1) if start < len(self.text) else (len(source), 0)
            numbers.append(bisect_right(breaks, place - 1) + 1 if place else 1)
            start += len(line) + 1
        return numbers


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that come in order; of two that overlap, the first covers both."""
    parts: list[str] = []
    done = 0
    for start, end, replacement in edits:
        if start >= done:
            parts += (text[done:start], replacement)
        done = max(done, end)
    parts.append(text[done:])
    return "".join(parts)
