from itertools import product

import pytest

from results.advice.need import QUESTIONS, Loss, Pool, Sync, Verdict, Without, decide


def test_first_decisive_answer_is_the_verdict(subtests):
    for answers, verdict in [
        (("no", "", "", ""), Verdict.NOT_SYNC),
        (("no", "fast", "forbidden", "disks"), Verdict.NOT_SYNC),
        (("unknown", "", "", ""), Verdict.FIND_OUT),
        (("yes", "slow", "", ""), Verdict.FIX_THE_PATH),
        (("yes", "untried", "", ""), Verdict.TRY_WITHOUT),
        (("yes", "fast", "allowed", ""), Verdict.ALLOW_THE_LOSS),
        (("yes", "fast", "forbidden", "disks"), Verdict.YES),
        (("yes", "fast", "forbidden", "unprotected"), Verdict.YES),
        (("yes", "fast", "forbidden", "protected"), Verdict.HARDLY),
    ]:
        with subtests.test(answers=answers):
            sync, without, loss, pool = answers
            assert decide(sync, without=without, loss=loss, pool=pool) is verdict


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        (("", "", "", ""), "sync"),
        (("yes", "", "", ""), "without"),
        (("yes", "fast", "forbidden", ""), "pool"),
    ],
)
def test_undecided_answers_return_the_next_question(answers, question):
    sync, without, loss, pool = answers
    assert decide(sync, without=without, loss=loss, pool=pool) == question


def test_every_combination_of_answers_has_an_outcome():
    for sync, without, loss, pool in product(Sync, Without, Loss, Pool):
        assert decide(sync, without=without, loss=loss, pool=pool) in set(Verdict)
    assert QUESTIONS == ("sync", "without", "loss", "pool")
