"""What senders state beside a text, which no tool printed: answers to the questions of a kind, and timings.

The preview asks them. Answers are stored with the submission by the line at which a run begins, so that they survive
a reread; those to ALL hold for every run that has none of its own.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from parsers.privacy.free_text import mask_free_text
from parsers.privacy.masks import hide

ALL = "all"
LINE, TIMING = "line-{}", "timing-{}"  # of a run: where it begins, or which of the stated timings it is
MOST_TIMINGS = 50
LONGEST_ANSWER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that few texts say about a run: its key, its label, and how an answer is checked.

    `clean` returns the answer as it is stored, or raises ValueError with a sentence. `choices` are offered as a list;
    without any, the answer is typed; if it `is_free`, in the sender's own words. `is_of_paste` asks once, not for
    every run.
    """

    key: str
    label: str
    choices: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    is_of_paste: bool = False
    is_free: bool = False
    clean: Callable[[str], str] | None = None

    def cleaned(self, answer: str) -> str:
        text = " ".join(answer.split())
        if len(text) > LONGEST_ANSWER:
            raise ValueError(f"At most {LONGEST_ANSWER} characters.")
        if self.clean is not None:
            return self.clean(text) if text else ""
        if text and text not in self.choices:
            raise ValueError(f"None of {', '.join(self.choices)}.")
        return text


def whole_number(least: int, most: int) -> Callable[[str], str]:
    """Make the check of an answer that is a number."""

    def clean(text: str) -> str:
        if not re.fullmatch("[0-9]{1,6}", text) or not least <= int(text) <= most:
            raise ValueError(f"Enter a whole number from {least} to {most:,}.")
        return str(int(text))

    return clean


@dataclass(frozen=True, slots=True)
class Told:
    """The answers by what they are about (ALL, LINE, TIMING) and by question, and the timings as typed."""

    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    timings: tuple[str, ...] = ()

    def about(self, *names: str) -> dict[str, str]:
        """The answers about a run, by question: those under the last name that has one."""
        found: dict[str, str] = {}
        for name in (ALL, *names):
            found |= {key: value for key, value in self.answers.get(name, {}).items() if value}
        return found

    def with_lines(self, moved: Mapping[int | None, int | None]) -> Self:
        """The same with the answers about other lines: from a key of `moved` to its value."""
        names = {LINE.format(old): LINE.format(new) for old, new in moved.items()}
        kept = (name for name in self.answers if name in names or not _is_line(name))
        return replace(self, answers={names.get(name, name): self.answers[name] for name in kept})

    def hiding(self, identifiers: Mapping[str, str], free: Collection[str] = ()) -> Self:
        """The same without identifiers of the text in what was typed freely: timings, and answers by these keys."""
        answers = {
            name: {key: hide(one, identifiers) if key in free else one for key, one in given.items()}
            for name, given in self.answers.items()
        }
        return replace(self, answers=answers, timings=tuple(hide(one, identifiers) for one in self.timings))

    @property
    def stored(self) -> dict[str, Any]:
        """The shape of Submission.told; empty if nothing was stated."""
        answers = {
            name: {key: value for key, value in given.items() if value}
            for name, given in self.answers.items()
        }
        answers = {name: given for name, given in answers.items() if given}
        return {
            **({"answers": answers} if answers else {}),
            **({"timings": list(self.timings)} if self.timings else {}),
        }

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        return cls(stored.get("answers", {}), tuple(stored.get("timings", ())))


NOTHING_TOLD = Told()


def _is_line(name: str) -> bool:
    return name.startswith(LINE.format(""))


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a box of timings, with identifiers masked as in a note."""
    return tuple(" ".join(mask_free_text(line).split()) for line in text.strip().splitlines())


def clean_answers(
    given: Mapping[str, Mapping[str, str]], questions: Iterable[Question]
) -> tuple[dict[str, dict[str, str]], dict[tuple[str, str], str]]:
    """The answers as they are stored, and what is wrong with the others, by what they are about and by question."""
    known = {one.key: one for one in questions}
    answers: dict[str, dict[str, str]] = {}
    faults: dict[tuple[str, str], str] = {}
    for name, one in given.items():
        for key, value in one.items():
            if key not in known:
                faults[name, key] = f"There is no such question. Allowed: {', '.join(known)}."
                continue
            try:
                answer = known[key].cleaned(value)
            except ValueError as error:
                faults[name, key] = str(error)
                continue
            if answer:
                answers.setdefault(name, {})[key] = answer
    return answers, faults
