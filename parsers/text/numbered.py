"""An edited text that knows which line of the unedited text each of its lines came from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Edit = tuple[int, int, str]  # from, to, and the replacement


@dataclass(frozen=True, slots=True)
class Numbered:
    """A text; `numbers[i]` is the line of the unedited text, from 1, of its line i: where its first character was."""

    text: str
    numbers: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "Numbered":
        """A text that isn't edited yet."""
        return cls(text, range(1, text.count("\n") + 2))

    def replaced(self, text: str) -> "Numbered":
        """The text with other characters in the same lines."""
        return Numbered(text, self.numbers)

    def edit(self, edits: Iterable[Edit]) -> "Numbered":
        """The text with the edits done; they come in order."""
        text, parts, numbers = self.text, [""], [self.numbers[0]]
        done = line = 0
        for first, last, replacement in edits:
            start = max(first, done)
            end = max(last, start)
            parts += filter(None, (text[done:start], replacement))
            if begun := text.count("\n", done, start):
                numbers += self.numbers[line + 1 : line + 1 + begun]
                line += begun
            removed, added = text.count("\n", start, end), replacement.count("\n")
            if removed or added:
                numbers += [self.numbers[line]] * added
                line += removed
                if parts[-1][-1:] in ("", "\n"):  # the line begins behind the edit
                    numbers[-1] = self.numbers[line]
            done = end
        if not done and len(parts) == 1:
            return self
        numbers += self.numbers[line + 1 :]
        return Numbered("".join(parts) + text[done:], numbers)
