"""Whether a device keeps up with a link: measured, on paper, not known, or not at all."""

from decimal import Decimal

import pytest

from results.advice.fit import Fit
from results.advice.link import (
    LINKS,
    Bus,
    Claimed,
    Link,
    Reached,
    Throughput,
    check_link,
    explain_link,
    fastest_links,
)

TEN = Link(Decimal(10))
TOGETHER = Reached(883.1, 2**12, 5)
ALONE = Reached(1653.4, 2**17)
OF_BLOG = Claimed(1500, "a reviewer", source="blog.example")
LINE = [Claimed(2000, "Intel", "up to")]
JUDGED = {"Keeps": Fit.YES, "Falls": Fit.NO, "Not": Fit.UNKNOWN}  # by a sentence's first word
CASES = {
    "what reaches the rate passes": (
        Throughput(measured=ALONE, line_claims=LINE),
        "Keeps up with 10 GbE: at least 1,653 MiB/s measured (128 KiB, 1 writer)",
    ),
    "a measurement passes whatever is claimed": (
        Throughput(measured=ALONE, claims=[Claimed(500, "Intel")]),
        "Keeps up with 10 GbE: at least 1,653 MiB/s measured (128 KiB, 1 writer)",
    ),
    "a lower bound below the rate rules nothing out": (
        Throughput(measured=TOGETHER),
        "Not known to keep up with 10 GbE (1,192 MiB/s): at least 883 MiB/s measured (4 KiB, 5 writers)",
    ),
    "a claim for the capacity passes on paper": (
        Throughput(measured=TOGETHER, claims=[Claimed(1500, "a reviewer")], line_claims=LINE),
        "Keeps up with 10 GbE on paper: 1,431 MiB/s claimed for this capacity (a reviewer)",
    ),
    "a claim that nobody else confirms is called one source": (
        Throughput(claims=[OF_BLOG]),
        "Keeps up with 10 GbE on paper: 1,431 MiB/s claimed for this capacity (a reviewer, one source)",
    ),
    "the same site twice is one source": (
        Throughput(claims=[OF_BLOG, OF_BLOG._replace(mb_s=1600)]),
        "Keeps up with 10 GbE on paper: 1,431 MiB/s claimed for this capacity (a reviewer, one source)",
    ),
    "two sites are two sources": (
        Throughput(claims=[OF_BLOG, Claimed(1600, "a shop", source="shop.example")]),
        "Keeps up with 10 GbE on paper: 1,431 MiB/s claimed for this capacity (a reviewer)",
    ),
    "the highest claim for the capacity rules out": (
        Throughput(claims=[Claimed(900, "Intel"), Claimed(1050, "a reviewer")], line_claims=LINE),
        "Falls short of 10 GbE: 1,001 of 1,192 MiB/s claimed for this capacity (a reviewer)",
    ),
    "claims on both sides of the rate settle nothing": (
        Throughput(claims=[Claimed(900, "Intel"), Claimed(1500, "a reviewer")]),
        "Not known to keep up with 10 GbE (1,192 MiB/s): 858 MiB/s claimed for this capacity (Intel)",
    ),
    "a claim for the line never passes": (
        Throughput(measured=TOGETHER, line_claims=LINE),
        (
            "Not known to keep up with 10 GbE (1,192 MiB/s): at least 883 MiB/s measured (4 KiB, 5 writers); "
            "up to 1,907 MiB/s (largest model, Intel)"
        ),
    ),
    "a claim for the line rules out": (
        Throughput(line_claims=[Claimed(520, "a reviewer")]),
        "Falls short of 10 GbE: 496 of 1,192 MiB/s claimed for the largest model (a reviewer)",
    ),
    "a claim that a measurement exceeds rules nothing out": (
        Throughput(measured=TOGETHER, line_claims=[Claimed(520, "Intel")]),
        (
            "Not known to keep up with 10 GbE (1,192 MiB/s): at least 883 MiB/s measured (4 KiB, 5 writers); "
            "up to 496 MiB/s (largest model, Intel)"
        ),
    ),
    "the interface rules out": (
        Throughput(line_claims=LINE, bus=Bus("SATA 6 Gb/s", 572)),
        "Falls short of 10 GbE: SATA 6 Gb/s carries at most 572 of 1,192 MiB/s",
    ),
    "nothing is known": (
        Throughput(),
        "Not known to keep up with 10 GbE (1,192 MiB/s): throughput neither measured nor claimed",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_link_is_judged_by_what_is_measured_claimed_and_limited(case):
    known, sentence = CASES[case]
    check = check_link(known, TEN.mib_s)
    assert explain_link(known, TEN.mib_s, TEN.ethernet) == sentence
    assert (check.fit, check.is_on_paper) == (JUDGED[sentence.split()[0]], "on paper" in sentence)


def test_a_link_needs_its_full_rate_as_it_is_shown():
    rates = [check_link(Throughput(measured=Reached(rate)), TEN.mib_s).fit for rate in (1191.4, 1191.6, 1193)]
    assert rates == [Fit.UNKNOWN, Fit.YES, Fit.YES]
    link = LINKS[0]
    for rate in (118.4, 118.6, 119.2):
        sentence = explain_link(Throughput(measured=Reached(rate)), link.mib_s, link.ethernet)
        assert ("(119 MiB/s): at least 119" in sentence) is False, rate


def test_a_claim_about_an_unprotected_cache_only_rules_out():
    cached = Throughput(claims=[Claimed(3000, "Intel")], line_claims=LINE, is_cached=True)
    assert explain_link(cached, TEN.mib_s, TEN.ethernet) == (
        "Not known to keep up with 10 GbE (1,192 MiB/s): throughput neither measured nor claimed"
    )
    assert (cached.facts, cached.mib_s, fastest_links(cached).on_paper) == ([], None, None)
    slow = Throughput(claims=[Claimed(900, "Intel")], is_cached=True)
    assert check_link(slow, TEN.mib_s).fit is Fit.NO


def test_the_fastest_link_is_the_last_that_is_kept_up_with(subtests):
    for known, measured, on_paper, following in [
        (Throughput(), None, None, "1 GbE"),
        (Throughput(measured=Reached(118)), None, None, "1 GbE"),
        (Throughput(measured=Reached(119)), "1 GbE", None, "2.5 GbE"),
        (Throughput(measured=TOGETHER), "5 GbE", None, "10 GbE"),
        (Throughput(measured=TOGETHER, claims=[Claimed(1500, "Intel")]), "5 GbE", "10 GbE", "25 GbE"),
        (Throughput(claims=[Claimed(1500, "Intel")]), None, "10 GbE", "25 GbE"),
        (Throughput(measured=Reached(12_000)), "100 GbE", None, None),
    ]:
        with subtests.test(known=known):
            carried = fastest_links(known)
            named = (carried.measured, carried.on_paper, carried.next_link)
            assert tuple(link and link.ethernet for link in named) == (measured, on_paper, following)


def test_every_link_has_the_rate_of_its_name():
    assert [round(link.mib_s * 2**20 * 8 / 1e9, 6) for link in LINKS] == [1, 2.5, 5, 10, 25, 40, 100]
