"""Patterns are compiled when a text first needs them: here all of them are."""

from itertools import chain

import pytest

from parsers.privacy.devices import ANSWER_RULES
from parsers.privacy.pools import POOL_ANSWERS
from parsers.privacy.rules import at_word
from parsers.privacy.sites import TABLES
from parsers.privacy.table import JSON_RULES
from parsers.privacy.users import USER_ANSWERS

VALUES = ("v", "rest", "wrapped")  # how names of groups begin that are values
RULES = (*chain(*TABLES), *ANSWER_RULES, *POOL_ANSWERS, *USER_ANSWERS, *JSON_RULES)


def test_every_pattern_is_valid_and_has_a_value():
    patterns = {rule.fits: rule.pattern for rule in RULES}
    assert len(patterns) > 1000
    without = [fits for fits, pattern in patterns.items() if not any(map(is_value, pattern.groupindex))]
    assert without == []


def is_value(group):
    return group.startswith(VALUES)


def test_a_pattern_is_compiled_once():
    rule = at_word("host", "zz", fits=r"zz(?P<v1>\w+)")
    assert rule.pattern is rule.pattern


@pytest.mark.parametrize("text", ["a\nzz1", "zz1\na"])
def test_signs_of_line_ends_fit_at_each_line(text):
    assert at_word("host", "zz", fits=r"^zz(?P<v1>\d)$").pattern.search(text)
