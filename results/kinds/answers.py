"""What senders state beside a text, which no tool printed: answers to the questions of a kind, and timings.

The preview asks them. Answers are stored with the submission by the line at which a run begins, so that they survive
a reread; those to ALL hold for every run that has none of its own.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Self

from parsers.privacy.masks import hide
from results.core.reader import read_in_time

ALL = "all"
LINE, TIMING = "line-{}", "timing-{}"  # of a run: where it begins, or which of the stated timings it is
MAX_TIMINGS = 50
MAX_ANSWERS = 100
LONGEST_ANSWER = 100
_ABOUT = re.compile(r"all|(?:line|timing)-[1-9][0-9]{0,6}")

LookUp = Callable[[Collection[str]], tuple[Mapping[str, str], Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that few texts say about a run: its key, its label, and how an answer is checked.

    `clean` returns the answer as it is stored, or raises ValueError with a sentence. `look_up` is for all answers of
    a paste at once: it returns what is stored for them, and sentences about the others. `choices` are offered as a
    list; without any, the answer is typed; if it `is_free`, in the sender's own words. `is_of_paste` asks once, not
    for every run.
    """

    key: str
    label: str
    _: KW_ONLY
    choices: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    is_of_paste: bool = False
    is_free: bool = False
    clean: Callable[[str], str] | None = None
    look_up: LookUp | None = None

    def cleaned(self, answer: str) -> str:
        text = " ".join(answer.split())
        if len(text) > LONGEST_ANSWER:
            raise ValueError(f"At most {LONGEST_ANSWER} characters.")
        if self.clean is not None:
            return self.clean(text) if text else ""
        if text and not self.look_up and text not in self.choices:
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
class SenderAnswers:
    """The answers by what they are about (ALL, LINE, TIMING) and by question, and the timings as typed."""

    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    timings: tuple[str, ...] = ()

    def about(self, *names: str) -> dict[str, str]:
        """The answers about a run, by question: those under the last name that has one."""
        found: dict[str, str] = {}
        for name in (ALL, *names):
            found |= {key: value for key, value in self.answers.get(name, {}).items() if value}
        return found

    def answers_to(self, keys: Collection[str]) -> set[str]:
        """All answers to these questions."""
        return {answer[key] for answer in self.answers.values() for key in keys if answer.get(key)}

    def with_lines(self, moved: Mapping[int | None, int | None]) -> Self:
        """The same with the answers about other lines: from a key of `moved` to its value."""
        names = {LINE.format(old): LINE.format(new) for old, new in moved.items()}
        answers = {
            names.get(name, name): given
            for name, given in self.answers.items()
            if name in names or not name.startswith(LINE.format(""))
        }
        return replace(self, answers=answers)

    def hiding(self, identifiers: Mapping[str, str], free: Collection[str] = ()) -> Self:
        """The same without identifiers of the text in what was typed freely: timings, and answers by these keys.

        Raises ReadingError.
        """
        places = [(name, key) for name, given in self.answers.items() for key in given if key in free]
        typed = [*(self.answers[name][key] for name, key in places), *self.timings]
        if not (typed and identifiers):
            return self
        hidden = read_in_time(hide, "\n".join(typed), identifiers).split("\n")
        answers = {name: dict(given) for name, given in self.answers.items()}
        for (name, key), value in zip(places, hidden, strict=False):
            answers[name][key] = value
        return replace(self, answers=answers, timings=tuple(hidden[len(places) :]))

    def beyond(self, last_line: int) -> list[str]:
        """What answers are about but doesn't exist: lines after the last one, timings that aren't stated."""
        last = {LINE: last_line, TIMING: len(self.timings)}
        numbered = (name.rpartition("-") for name in self.answers if name != ALL)
        return ["-".join((of, number)) for of, _, number in numbered if int(number) > last[of + "-{}"]]

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


NO_ANSWERS = SenderAnswers()


def check_size(given: Mapping[str, object]) -> None:
    """Raise ValueError, with a sentence, for more answers than anybody needs, whatever they are."""
    if sum((len(value) if isinstance(value, Mapping) else 0) or 1 for value in given.values()) > MAX_ANSWERS:
        raise ValueError(f"At most {MAX_ANSWERS} answers. Use “all” for what is true of every run.")


def clean_answers(
    given: Mapping[str, Mapping[str, str]], questions: Iterable[Question]
) -> tuple[dict[str, dict[str, str]], dict[tuple[str, str], str]]:
    """The answers as they are stored, and what is wrong with the others, by what they are about and by question."""
    known = {question.key: question for question in questions}
    answers: dict[str, dict[str, str]] = {}
    faults: dict[tuple[str, str], str] = {}
    allowed = f" Allowed: {', '.join(known)}."  # said once
    for name, other in given.items():
        for key, value in other.items():
            if not _ABOUT.fullmatch(name):
                faults[name, key] = (
                    "Answers must be about “all”, a line such as “line-12”, or a timing such as “timing-1”."
                )
                continue
            if key not in known:
                faults[name, key] = f"There is no such question.{allowed}"
                allowed = ""
                continue
            try:
                answer = known[key].cleaned(value)
            except ValueError as error:
                faults[name, key] = str(error)
                continue
            if answer:
                answers.setdefault(name, {})[key] = answer
    _look_up(answers, faults, known)
    return answers, faults


def _look_up(
    answers: dict[str, dict[str, str]], faults: dict[tuple[str, str], str], known: Mapping[str, Question]
) -> None:
    """Replace the answers to questions with a `look_up` by what is stored, each function called once."""
    by_lookup: dict[LookUp, list[tuple[str, str]]] = {}
    for name, given in answers.items():
        for key in given:
            if look_up := known[key].look_up:
                by_lookup.setdefault(look_up, []).append((name, key))
    for look_up, places in by_lookup.items():
        found, unknown = look_up({answers[name][key] for name, key in places})
        for name, key in places:
            answer = answers[name].pop(key)
            if answer in found:
                answers[name][key] = found[answer]
            else:
                faults[name, key] = unknown[answer]
