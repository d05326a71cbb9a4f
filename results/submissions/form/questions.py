"""What the preview asks a sender: what the text doesn't say, for all runs and run by run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from parsers.base.readings import Notice
from results.kinds.answers import ALL, Question
from results.kinds.registry import KINDS, kind_of
from results.submissions.intake.receive import Preview

OTHER_FIELDS = 20  # of the form, and a few more
Given = Mapping[str, Mapping[str, str]]
Faults = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class QuestionField:
    """A question as a field of the form; without options the answer is typed."""

    name: str
    question: Question
    value: str
    fault: str
    unstated: str  # what an empty answer means

    @property
    def options(self) -> dict[str, str]:
        return {"": self.unstated, **self.question.choices} if self.question.choices else {}


@dataclass(frozen=True, slots=True)
class Questions:
    """The fields about all runs, and those about each, in the order of the runs."""

    for_all: Sequence[QuestionField]
    by_run: Sequence[Sequence[QuestionField]]
    are_of_several: bool  # more than one run has questions
    has_faults: bool


def find_questions(preview: Preview, *, given: Given, faults: Faults) -> Questions:
    """What the text answers isn't asked.

    A single run has no fields of its own: those for all are about it. Neither do runs whose fields would exceed the
    limit of a form.
    """
    runs = preview.found.runs
    unanswered = [
        [question for question in kind_of(run.method).questions if question.key not in run.answered]
        for run in runs
    ]
    for_all = {question.key: question for questions in unanswered for question in questions}.values()
    are_of_several = sum(map(bool, unanswered)) > 1
    by_run: list[list[QuestionField]] = []
    left = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - OTHER_FIELDS - len(for_all)
    for run, questions in zip(runs, unanswered, strict=True):
        for_run = (
            [question for question in questions if not question.is_of_paste]
            if are_of_several and run.answers_key
            else []
        )
        left -= len(for_run)
        by_run.append(_fields(run.answers_key, for_run, given, faults) if left >= 0 else [])
    return Questions(_fields(ALL, for_all, given, faults), by_run, are_of_several, bool(faults))


def questions_for_refused(notices: Iterable[Notice], *, given: Given, faults: Faults) -> list[QuestionField]:
    """The fields about all runs, if a run was refused that answers of its sender can make a result."""
    codes = {notice.code for notice in notices}
    questions = [
        question
        for kind in KINDS.values()
        if kind.questions_if_refused & codes
        for question in kind.questions
    ]
    return _fields(ALL, questions, given, faults)


def _fields(about: str, questions: Iterable[Question], given: Given, faults: Faults) -> list[QuestionField]:
    answers = given.get(about, {})
    unstated = "not stated" if about == ALL else "as for all runs"
    return [
        QuestionField(
            f"told-{about}-{question.key}",
            question,
            answers.get(question.key, ""),
            faults.get((about, question.key), ""),
            unstated,
        )
        for question in questions
    ]
