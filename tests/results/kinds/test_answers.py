import pytest

from results.kinds.answers import MAX_ANSWERS, NO_ANSWERS, SenderAnswers, check_size


def test_identifiers_are_hidden_in_what_was_typed_freely_and_nowhere_else():
    told = SenderAnswers(
        {"all": {"drives": "one EX123AB", "sync": "EX123AB"}, "line-3": {"drives": "EX123ABC, EX123AB"}},
        ("EX123AB took 3 s", "boot took 5 s"),
    )
    assert told.hiding({"EX123AB": "[serial-1]"}, {"drives"}) == SenderAnswers(
        {
            "all": {"drives": "one [serial-1]", "sync": "EX123AB"},
            "line-3": {"drives": "EX123ABC, [serial-1]"},
        },
        ("[serial-1] took 3 s", "boot took 5 s"),
    )
    assert NO_ANSWERS.hiding({"EX123AB": "[serial-1]"}, {"drives"}) == NO_ANSWERS


def test_answers_about_what_is_not_there_are_named():
    told = SenderAnswers(
        {name: {} for name in ("all", "line-12", "line-13", "timing-1", "timing-2")}, ("boot took 5 s",)
    )
    assert told.beyond(12) == ["line-13", "timing-2"]


@pytest.mark.parametrize(
    "given",
    [
        {"all": dict.fromkeys(range(MAX_ANSWERS + 1), "")},
        {f"line-{number}": {"sync": "always"} for number in range(MAX_ANSWERS + 1)},
        {f"line-{number}": 7 for number in range(MAX_ANSWERS + 1)},
        {f"line-{number}": {} for number in range(MAX_ANSWERS + 1)},
    ],
)
def test_more_answers_than_anybody_needs_are_refused(given):
    with pytest.raises(ValueError, match="At most 100 answers"):
        check_size(given)
    check_size(dict(list(given.items())[:MAX_ANSWERS]) if len(given) > 1 else {"all": {}})
