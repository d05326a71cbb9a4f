"""Each flag has one effect, and every flag that the code raises is in the table."""

import re
from pathlib import Path

from results.kinds.flags import EFFECTS, FLAGS, Flag, why_not_ranked

RAISED = re.compile(r'Flag\(\s*"(\w+)"')
NOTED, NOT_RANKED, WAITS = (
    Flag("no_serial", "No serial."),
    Flag("timer_tick", "A tick."),
    Flag("exceeds_link", "Fast."),
)


def test_every_flag_has_one_row_and_a_sentence():
    assert len(EFFECTS) == sum(map(len, FLAGS.values()))
    assert all(meaning.endswith(".") for meanings in FLAGS.values() for meaning in meanings.values())


def test_only_flags_of_the_table_are_raised():
    sources = [path for folder in ("kinds", "submissions") for path in Path("results", folder).rglob("*.py")]
    raised = {code for source in sources for code in RAISED.findall(source.read_text())}
    assert raised
    assert raised <= EFFECTS.keys()


def test_approval_overrides_only_waiting_flags(subtests):
    for flags, is_approved, expected in [
        ([NOTED], False, ""),
        ([NOTED, NOT_RANKED, WAITS], False, "A tick."),
        ([NOT_RANKED], True, "A tick."),
        ([WAITS], False, "Fast."),
        ([WAITS], True, ""),
    ]:
        with subtests.test(flags=flags, is_approved=is_approved):
            assert why_not_ranked(flags, is_approved=is_approved) == expected
