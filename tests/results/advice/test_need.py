from itertools import product

from results.advice.need import QUESTIONS, Loss, PoolMedium, Special, Sync, Verdict, Without, decide


def test_first_decisive_answer_is_the_verdict(subtests):
    for answers, verdict in [
        (("no",), Verdict.NOT_SYNC),
        (("no", "fast", "forbidden", "disks", "newer"), Verdict.NOT_SYNC),
        (("unknown",), Verdict.FIND_OUT),
        (("yes", "slow"), Verdict.FIX_THE_PATH),
        (("yes", "untried"), Verdict.TRY_WITHOUT),
        (("yes", "fast", "allowed"), Verdict.ALLOW_THE_LOSS),
        (("yes", "fast", "forbidden", "protected"), Verdict.HARDLY),
        (("yes", "fast", "forbidden", "disks", "newer"), Verdict.SPECIAL_IS_LOG),
        (("yes", "fast", "forbidden", "disks", "none"), Verdict.YES),
        (("yes", "fast", "forbidden", "unprotected", "older"), Verdict.YES),
        (("yes", "fast", "forbidden", "disks", "unknown"), Verdict.YES),
    ]:
        with subtests.test(answers=answers):
            assert decide(**dict(zip(QUESTIONS, answers, strict=False))) is verdict


def test_undecided_answers_return_the_next_question(subtests):
    for answers, question in [
        (("",), "sync"),
        (("yes",), "without"),
        (("yes", "fast", "forbidden"), "pool"),
        (("yes", "fast", "forbidden", "disks"), "special"),
    ]:
        with subtests.test(answers=answers):
            assert decide(**dict(zip(QUESTIONS, answers, strict=False))) == question


def test_every_combination_of_answers_has_an_outcome():
    for answers in product(Sync, Without, Loss, PoolMedium, Special):
        assert decide(**dict(zip(QUESTIONS, answers, strict=True))) in set(Verdict)
