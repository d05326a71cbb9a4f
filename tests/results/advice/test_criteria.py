"""How each criterion is met, with its sentence."""

from dataclasses import replace
from decimal import Decimal

import pytest

from results.advice.criteria import (
    Criterion,
    Measured,
    Need,
    describe,
    explain,
    explain_one,
    judge,
    uncertainties,
)
from results.advice.fit import Fit
from results.advice.link import Claimed, Link, Reached, Throughput
from results.advice.protection import PROTECTIONS
from results.models.choices import Plp
from tests.results.advice.options import Seen, make_option

TEN = Link(Decimal(10))
TEN_GBE = Need(link=TEN, mib_s=TEN.mib_s)


def found(criterion, need, **values):
    return explain_one(make_option(**values), need, criterion)


def test_claim_that_passes_is_a_doubt():
    on_paper = Throughput(claims=[Claimed(1500, "Intel", "64 kB")])
    finding = found(Criterion.SPEED, TEN_GBE, throughput=on_paper)
    assert (finding.fit, finding.check) == (
        Fit.YES,
        "the throughput is a claim (“64 kB”), not measured sync writes",
    )
    unknown = found(Criterion.SPEED, TEN_GBE)
    assert (unknown.fit, unknown.check) == (Fit.UNKNOWN, "check the throughput")


def test_known_throughput_is_stated_even_if_none_is_needed():
    known = Throughput(measured=Reached(404, 2**12), line_claims=[Claimed(2000, "Intel")])
    assert found(Criterion.SPEED, Need(), throughput=known).sentence == (
        "At least 404 MiB/s measured (4 KiB, 1 writer); up to 1,907 MiB/s (largest model, Intel)"
    )


def test_endurance_is_counted_in_years(subtests):
    for need, written, fit, sentence in [
        (Need(gb_a_day=Decimal(500)), 2 * 10**15, Fit.YES, "Lasts 11 years at 500 GB a day"),
        (Need(gb_a_day=Decimal(500)), 4 * 10**14, Fit.NO, "Lasts 2.2 years at 500 GB a day, not 5"),
        (Need(gb_a_day=Decimal("0.5")), 10**15, Fit.YES, "Lasts over 50 years at 0.5 GB a day"),
        (Need(gb_a_day=Decimal(500)), None, Fit.UNKNOWN, "Endurance unknown"),
        (Need(), 10**15, Fit.YES, "Rated for 1,000 TB of writes: 548 GB a day for 5 years"),
        (Need(years=Decimal(1)), 10**15, Fit.YES, "Rated for 1,000 TB of writes: 2,740 GB a day for 1 year"),
    ]:
        with subtests.test(need=need, written=written):
            finding = found(Criterion.LIFE, need, written_bytes=written)
            assert (finding.fit, finding.sentence) == (fit, sentence)
    derived = {"written_bytes": 4380 * 10**12, "written_from_dwpd": Decimal("3.00")}
    assert [
        found(Criterion.LIFE, need, **derived).sentence for need in (Need(), Need(gb_a_day=Decimal(1000)))
    ] == [
        "Rated for 4,380 TB of writes (from 3 drive writes a day): 2,400 GB a day for 5 years",
        "Lasts 12 years at 1,000 GB a day (from 3 drive writes a day)",
    ]


def test_what_the_largest_model_is_rated_for_rules_out_and_never_passes():
    for gb_a_day, fit, sentence in (
        (100, Fit.NO, "Lasts at most 3.5 years at 100 GB a day, by the largest model’s rating, not 5"),
        (
            10,
            Fit.UNKNOWN,
            "Endurance unknown: at most 35 years at 10 GB a day, by the largest model’s rating",
        ),
    ):
        need = Need(gb_a_day=Decimal(gb_a_day))
        values = {"written_bytes": None, "written_most": 127 * 10**12}
        finding = found(Criterion.LIFE, need, **values)
        assert (finding.fit, finding.sentence) == (fit, sentence)
        assert judge(make_option(**values), need) == {Criterion.LIFE: fit}


def test_a_price_in_the_other_condition_stands_beside_a_missing_one():
    option = make_option(None, other_price=Seen(Decimal(146)))
    finding = explain_one(option, Need(offer="used"), Criterion.PRICE)
    assert finding.sentence == (
        "No known used price in USD; $146 new, seen 1 month ago. Used ones usually sell below that: search eBay"
    )


def test_a_share_of_the_link_is_needed():
    need = Need(link=TEN, share=Decimal(50), mib_s=TEN.mib_s / 2)
    assert describe(need) == ["50 % of 10 GbE (596 MiB/s)"]
    assert need.log_bytes == 9_375_000_000 < TEN_GBE.log_bytes  # half of what arrives, below ZFS's limit
    known = Throughput(measured=Reached(883.1, 2**12, 5))
    assert found(Criterion.SPEED, need, throughput=known).sentence == (
        "Keeps up with 50 % of 10 GbE: at least 883 MiB/s measured (4 KiB, 5 writers)"
    )


@pytest.mark.parametrize(
    ("values", "is_last"),
    [
        ({}, False),
        ({"protection_key": "unsafe"}, True),
        ({"launch_year": 2011}, True),
        ({"launch_year": 2012}, False),
        ({"throughput": Throughput(claims=[Claimed(45, "Intel")])}, True),
        ({"throughput": Throughput(claims=[Claimed(110, "Intel")])}, False),
        ({"throughput": Throughput(measured=Reached(33.7), line_claims=[Claimed(460, "Intel")])}, False),
    ],
)
def test_some_are_never_among_the_first(values, is_last):
    assert make_option(**values).is_last_choice is is_last


def test_price_is_for_all_devices_bought(subtests):
    for need, price, fit, sentence in [
        (Need(), Seen(Decimal(74), "used", "used", "14 months ago"), Fit.YES, "$74 used, seen 14 months ago"),
        (
            Need(budget=Decimal(200), is_mirror=True),
            Seen(Decimal("99.90")),
            Fit.YES,
            "2 × $99.90 = $199.80 new, seen 1 month ago",
        ),
        (
            Need(budget=Decimal(199), is_mirror=True),
            Seen(Decimal(100)),
            Fit.NO,
            "2 × $100 = $200 new, seen 1 month ago: $1 over budget",
        ),
        (Need(budget=Decimal(9)), None, Fit.UNKNOWN, "No known price in USD"),
        (Need(currency="CHF", offer="used"), None, Fit.UNKNOWN, "No known used price in CHF"),
    ]:
        with subtests.test(need=need):
            finding = explain_one(replace(make_option(), price=price), need, Criterion.PRICE)
            assert (finding.fit, finding.sentence) == (fit, sentence)


def test_the_log_is_three_transaction_groups_of_the_link(subtests):
    for capacity, fit, sentence in [
        (10**11, Fit.YES, "Big enough: 100 GB, and the log needs at most 17.2 GB"),
        (16 * 10**9, Fit.NO, "Too small: 16 GB, and the log needs at most 17.2 GB"),
        (None, Fit.UNKNOWN, "Capacity unknown: the log needs at most 17.2 GB"),
    ]:
        with subtests.test(capacity=capacity):
            finding = found(Criterion.SIZE, TEN_GBE, capacity_bytes=capacity)
            assert (finding.fit, finding.sentence) == (fit, sentence)


def test_rate_in_mib_s_needs_as_much_log_as_its_link():
    assert Need(mib_s=TEN.mib_s).log_bytes == pytest.approx(TEN_GBE.log_bytes)


@pytest.mark.parametrize("plp", Plp.values)
def test_every_protection_value_has_a_sentence(plp):
    finding = found(Criterion.PROTECTION, Need(), plp=plp)
    assert finding.sentence == PROTECTIONS[plp].sentence
    assert (finding.fit is Fit.YES) == (plp in {Plp.YES, Plp.BY_DESIGN})


def test_only_required_protection_rules_a_product_out():
    unsafe = make_option(plp="no")
    assert judge(unsafe, Need()) == {}
    assert judge(unsafe, Need(protections=frozenset({"yes"}))) == {Criterion.PROTECTION: Fit.NO}


def test_empty_need_rules_nothing_out():
    bare = make_option(price=None, plp="unknown", capacity_bytes=None, written_bytes=None)
    assert judge(bare, Need()) == {}
    assert [reason.sentence for reason in explain(bare, Need())] == [
        "No source says whether it is protected against power loss",
        "No known price in USD",
    ]


def test_uncertainties_name_what_was_not_measured():
    doubted = make_option(measured=Measured(1, "too few results for a recommendation"))
    assert uncertainties(make_option(), Need()) == ["no ranked result at this capacity"]
    assert uncertainties(doubted, Need(system="Linux"), ["FreeBSD"]) == [
        "too few results for a recommendation",
        "not measured on Linux",
    ]


def test_need_is_described_briefly():
    need = Need(
        link=TEN, mib_s=TEN.mib_s, gb_a_day=Decimal(500), is_mirror=True, budget=Decimal(300), slot="u2"
    )
    assert describe(need) == [
        "10 GbE (1,192 MiB/s)",
        "500 GB a day for 5 years",
        "a mirror of two",
        "up to $300",
        "U.2",
    ]
