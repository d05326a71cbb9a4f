from results.ranking.tiers import tier_text, tiers_of


def test_an_interval_has_the_tiers_that_it_touches(subtests):
    for low, high, text, keys in [
        (10, 29.9, "excellent", ["excellent"]),
        (30, 99, "very good", ["very_good"]),
        (20, 30, "very good or excellent", ["excellent", "very_good"]),
        (50, 400, "slow to very good", ["very_good", "good", "slow"]),
        (1000, 9000, "helps hard disks only", ["little_gain"]),
        (200, 2000, "good at best, may help hard disks only", ["good", "slow", "little_gain"]),
    ]:
        with subtests.test(low=low):
            assert (tier_text(low, high), [tier.key for tier in tiers_of(low, high)]) == (text, keys)
