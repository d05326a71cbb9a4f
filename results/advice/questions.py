"""Questions about log devices as people type them, each answered in a few sentences: results/data/questions.csv."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, NamedTuple, TypeVar

from results.advice.log_size import log_size
from results.advice.openzfs import facts
from results.core.formats import format_capacity
from results.core.lines import DATA, FileLine, LineError, read_lines

T = TypeVar("T")

_FILLERS = """
a an and are as at be but by can do does for from get have how i if in is it its just me my need of on one or should
so than that the their there this to use vs was what when where which who why will with work would you your
"""  # words that say nothing about a question
_SUBJECT = "device devices drive drives log logs slog slogs ssd ssds zfs zil"  # of all questions and pages
MIN_SHARE = 0.5  # of a text's words that a question has to have
SHORT_SENTENCE = 40  # characters
MIN_SHARE_OF_NAMES = 0.6  # of texts with a digit, which names of drives have


class Source(NamedTuple):
    """Where a statement can be checked."""

    label: str
    url: str


def read_source(cell: str) -> Source:
    """A link, written like `[smb.conf(5)](https://…)`, or a fact about OpenZFS, with its release."""
    if link := re.fullmatch(r"\[(.+)\]\((\S+)\)", cell):
        return Source(*link.groups())
    if cell not in facts():
        raise LineError(f"{cell!r} is neither a link nor a fact of openzfs.csv")
    fact = facts()[cell]
    return Source(f"{fact.source}, {fact.in_release}", fact.url)


@dataclass(frozen=True, slots=True)
class Question(FileLine):
    """A question with its answer; `key` is its anchor, `words` are further words that people use for it.

    In the file, an answer may name facts about OpenZFS, like `{direct.releases}`, and the size of a log.
    """

    key: str
    text: str
    words: str
    answer: str  # five sentences at most
    sources: Annotated[tuple[Source, ...], read_source]


def _read_questions() -> tuple[Question, ...]:
    sizes = {f"log_of_{link}_gbe": format_capacity(log_size(Decimal(link)).needed) for link in (1, 10)}
    lines = read_lines(DATA / "questions.csv", Question)
    return tuple(replace(line, answer=line.answer.format(**facts(), **sizes)) for _, line in lines)


QUESTIONS = _read_questions()


def find_questions(text: str) -> list[Question]:
    """The questions that have most of a text's words, best first; none for fillers and the subject only."""
    return match_words(text, QUESTIONS, lambda question: (question.text, question.words))


def first_sentences(answer: str) -> str:
    """How an answer begins: its first sentence, with the next after one as short as "No."."""
    first, _, further = answer.partition(". ")
    if not further:
        return answer
    return f"{first}. {first_sentences(further)}" if len(first) < SHORT_SENTENCE else f"{first}."


def match_words(
    text: str,
    among: Iterable[T],
    texts_of: Callable[[T], tuple[str, str]],
    *,
    is_subject_enough: bool = False,
) -> list[T]:
    """Those that have most of a text's words in their title and further text, the most similar title first."""
    words = words_of(text)
    asked_words = words - set(_FILLERS.split())
    asked_words = asked_words - set(_SUBJECT.split()) or (asked_words if is_subject_enough else set())
    least = MIN_SHARE_OF_NAMES if re.search(r"\d", text) else MIN_SHARE
    found: list[tuple[float, float, T]] = []
    for entry in among:
        title, further = map(words_of, texts_of(entry))
        share = len(asked_words & (title | further)) / max(len(asked_words), 1)
        if share >= least:
            found.append((share, len(words & title) / len(words | title), entry))
    return [entry for *_, entry in sorted(found, key=lambda row: row[:2], reverse=True)]


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9](?:[a-z0-9.=]*[a-z0-9])?", text.lower()))
