from results.web.flags import flag_rows, is_held, why_not_ranked

NOTED = {"code": "timer_tick", "effect": "noted", "message": "Whole ticks."}
HELD = {"code": "cached_disk", "effect": "held", "message": "Sooner than a platter turns."}


def test_every_flag_says_what_it_does():
    assert [(row["label"], row["message"]) for row in flag_rows([NOTED, HELD])] == [
        ("Noted", "Whole ticks."),
        ("Kept out of the ranking until a person has looked", "Sooner than a platter turns."),
    ]


def test_a_result_waits_when_one_flag_says_so():
    assert (is_held([NOTED]), is_held([NOTED, HELD]), is_held([])) == (False, True, False)


def test_no_reason_is_said_twice():
    assert why_not_ranked("Sooner than a platter turns.", [NOTED, HELD]) == [
        "Sooner than a platter turns.",
        "Whole ticks.",
    ]
    assert why_not_ranked("", []) == []
