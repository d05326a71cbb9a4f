import pytest

from results.ranking.tiers import TIERS, tier_text, tiers_of


def test_tiers_follow_each_other_without_gap():
    assert [tier.range_text for tier in TIERS] == [
        "under 30.0 µs",
        "30.0 to under 100 µs",
        "100 to under 300 µs",
        "300 to under 1,000 µs",
        "1,000 µs and more",
    ]


@pytest.mark.parametrize(
    ("low", "high", "text", "keys"),
    [
        (10, 29.9, "excellent", ["excellent"]),
        (30, 99, "very good", ["very_good"]),
        (20, 30, "very good or excellent", ["excellent", "very_good"]),
        (50, 400, "slow to very good", ["very_good", "good", "slow"]),
        (1000, 9000, "little gain", ["little_gain"]),
    ],
)
def test_an_interval_has_the_tiers_that_it_touches(low, high, text, keys):
    assert (tier_text(low, high), [tier.key for tier in tiers_of(low, high)]) == (text, keys)
