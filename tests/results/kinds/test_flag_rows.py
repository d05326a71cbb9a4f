from results.kinds.flags import flag_rows, is_waiting, ranking_state, reasons_shown

NOTED = {"code": "far_from_others", "effect": "noted", "message": "Far from the others."}
NOT_RANKED = {"code": "timer_tick", "effect": "not_ranked", "message": "Whole ticks."}
WAITS = {"code": "cached_disk", "effect": "waits", "message": "Sooner than a platter turns."}


def test_every_flag_states_its_effect():
    assert [(row.label, row.message) for row in flag_rows([NOTED, NOT_RANKED, WAITS])] == [
        ("Noted", "Far from the others."),
        ("Not ranked", "Whole ticks."),
        ("Waiting for a moderator", "Sooner than a platter turns."),
    ]


def test_a_result_waits_only_when_a_moderator_could_rank_it(subtests):
    for reason, flags, expected in [
        ("", [NOTED], "ranked"),
        (WAITS["message"], [NOTED, WAITS], "waiting"),
        (NOT_RANKED["message"], [NOT_RANKED, WAITS], "not ranked"),
        ("The run was cut short.", [], "not ranked"),
    ]:
        with subtests.test(reason=reason):
            assert ranking_state(reason, flags) == expected
            assert is_waiting(reason, flags) == (expected == "waiting")


def test_no_reason_is_repeated():
    assert reasons_shown("Sooner than a platter turns.", [NOTED, WAITS]) == [
        "Sooner than a platter turns.",
        "Far from the others.",
    ]
    assert reasons_shown("", []) == []
