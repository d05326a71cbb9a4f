"""Each flag has one effect, and every flag that the code raises is in the table."""

import re
from pathlib import Path

import pytest

from results.kinds.flags import EFFECTS, FLAGS, Effect, Flag, why_not_ranked

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


@pytest.mark.django_db
def test_the_method_page_lists_every_flag_under_its_effect(client):
    page = client.get("/about/").content.decode()
    parts = re.split(r"<h3>(Waiting for a moderator|Not ranked|Noted)</h3>", page)
    shown = dict(zip(parts[1::2], parts[2::2], strict=True))
    labels = {Effect.WAITS: "Waiting for a moderator", Effect.NOT_RANKED: "Not ranked", Effect.NOTED: "Noted"}
    for code, effect in EFFECTS.items():
        assert f"<code>{code}</code>" in shown[labels[effect]]
