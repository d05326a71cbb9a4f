"""What the preview asks a sender: what the text doesn't say, for all runs and run by run."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings

from parsers.base.readings import Notice
from results.kinds.envelope import Run
from results.kinds.registry import KINDS, kind_of
from results.kinds.told import ALL, Question
from results.submissions.intake.receive import Preview

OTHER_FIELDS = 20  # of the form, and a few more
Given = Mapping[str, Mapping[str, str]]
Faults = Mapping[tuple[str, str], str]


def questions_context(preview: Preview, *, given: Given, faults: Faults) -> dict[str, Any]:
    """The fields of templates/results/submissions/questions.html: for all runs, and for each in their order.

    What the text answers isn't asked. A single run has no fields of its own: those for all are about it. Neither do
    runs whose fields would exceed the limit of a form.
    """
    runs = preview.found.runs
    asked = [_asked(run) for run in runs]
    for_all = {one.key: one for questions in asked for one in questions}.values()
    is_several = sum(map(bool, asked)) > 1
    asked_by_run: list[list[dict[str, Any]]] = []
    left = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - OTHER_FIELDS - len(for_all)
    for run, questions in zip(runs, asked, strict=True):
        of_run = [one for one in questions if not one.is_of_paste] if is_several and run.told_as else []
        left -= len(of_run)
        asked_by_run.append(_fields(run.told_as, of_run, given, faults) if left >= 0 else [])
    return {
        "asked": _fields(ALL, for_all, given, faults),
        "is_asked_of_several": is_several,
        "asked_by_run": asked_by_run,
    }


def asked_of_refused(notices: Iterable[Notice], *, given: Given, faults: Faults) -> list[dict[str, Any]]:
    """The fields about all runs, if a run was refused that answers of its sender can make a result."""
    codes = {notice.code for notice in notices}
    questions = [one for kind in KINDS.values() if kind.asks_if_refused & codes for one in kind.asks]
    return _fields(ALL, questions, given, faults)


def _asked(run: Run) -> list[Question]:
    return [one for one in kind_of(run.method).asks if one.key not in run.answered]


def _fields(about: str, questions: Iterable[Question], given: Given, faults: Faults) -> list[dict[str, Any]]:
    answers = given.get(about, {})
    unstated = "not stated" if about == ALL else "as for all runs"
    return [
        {
            "name": f"told-{about}-{one.key}",
            "label": one.label,
            "hint": one.hint,
            "value": answers.get(one.key, ""),
            "options": [
                {"value": value, "label": label, "is_chosen": value == answers.get(one.key, "")}
                for value, label in {"": unstated, **one.choices}.items()
            ]
            if one.choices
            else [],
            "fault": faults.get((about, one.key), ""),
        }
        for one in questions
    ]
