"""Questions are found by the words that people type, and each answer is short and has its sources."""

import re

from results.advice.questions import QUESTIONS, find_questions


def first(text):
    return next((question.key for question in find_questions(text)), None)


def test_questions_as_typed_find_their_answer(subtests):
    for text, key in [
        ("is a UPS enough?", "ups"),
        ("mirror the SLOG?", "mirror"),
        ("SLOG failed, what now?", "failed"),
        ("partition one Optane for SLOG and L2ARC?", "partition"),
        ("special vdev or SLOG?", "special"),
        ("does samba use a slog", "smb"),
        ("sync=disabled", "disabled"),
        ("slog not used", "unused"),
        ("slog vs l2arc", "l2arc"),
        ("optane discontinued", "optane"),
        ("how big", "size"),
        ("970 evo", "consumer"),
    ]:
        with subtests.test(text):
            assert first(text) == key


def test_names_of_drives_and_fillers_find_no_question():
    for text in ("", "slog", "what is it", "P1600X-118", "SSDPED1D280GA", "micron 7450 max", "?"):
        assert find_questions(text) == []


def test_every_answer_is_short_and_has_a_source():
    for question in QUESTIONS:
        assert len(re.findall(r"[.!?](?: |$)", question.answer)) <= 5, question.key
        assert question.sources, question.key
    assert len({question.key for question in QUESTIONS}) == len(QUESTIONS)
