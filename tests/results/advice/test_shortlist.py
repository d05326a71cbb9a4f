"""The choice of a capacity, refusals and relaxations."""

from dataclasses import replace
from decimal import Decimal

from results.advice.criteria import Criterion, Need
from results.advice.link import Claimed, Link, Throughput
from results.advice.shortlist import (
    CandidateProduct,
    by_price,
    choose,
    find_near_misses,
    judge_option,
    refuse,
    relax,
)
from results.core.drive_names import DriveName
from tests.results.advice.options import Seen, make_option

LINK = Link(Decimal(10))
FAST, SLOW = (Throughput(claims=[Claimed(rate, "Intel")]) for rate in (2000, 800))
NEED = Need(
    link=LINK,
    mib_s=LINK.mib_s,
    gb_a_day=Decimal(100),
    budget=Decimal(300),
    slot="u2",
    protections=frozenset({"yes"}),
)


def fitting(**values):
    return make_option(**{"throughput": FAST, "form_factors": "U.2", **values})


def candidates(options):
    """A product for each name, with these options."""
    return [
        CandidateProduct(number, DriveName(name), found)
        for number, (name, found) in enumerate(options.items())
    ]


def candidate(*options, name="S1"):
    return candidates({name: options})[0]


def names_by_price(options, need):
    found = [
        (candidate, judge_option(candidate.options[0], need))
        for candidate in candidates({name: [option] for name, option in options.items()})
    ]
    return [candidate.name.short for candidate, _ in by_price(found, need)]


def near_misses(options, criterion, most=9):
    """The names, and the sentence of the first."""
    found = find_near_misses(candidates(options), NEED, criterion, most=most)
    return [miss.candidate.name.short for miss in found], found[0].reason.sentence


def stale(option):
    price = Seen(option.price.amount, age="2 years ago", is_fresh=False)
    return replace(option, price=price)


def test_the_cheapest_capacity_that_meets_all_is_chosen():
    small = fitting(price=10, capacity_bytes=10**10)
    worn = fitting(price=20, written_bytes=10**13)
    cheap, dear = fitting(price=30), fitting(price=40)
    assert choose([small, worn, dear, cheap], NEED).option is cheap


def test_recent_price_takes_precedence_over_an_old_one():
    recent, old = fitting(price=200), stale(fitting(price=50))
    assert choose([old, recent], NEED).option is recent


def test_known_figures_take_precedence_over_a_low_price():
    known, unknown = fitting(price=200), fitting(price=50, written_bytes=None)
    assert choose([unknown, known], NEED).option is known
    chosen = choose([unknown], NEED)
    assert (chosen.failed, chosen.unknown, chosen.fits) == (frozenset(), {Criterion.LIFE}, False)


def test_nothing_is_chosen_where_all_fail():
    assert choose([fitting(price=400)], NEED) is None


def test_lists_are_sorted_by_price_with_unknown_ones_last():
    need = replace(NEED, budget=None)
    options = {
        "unknown": fitting(price=None),
        "old": stale(fitting(price=10)),
        "dear": fitting(price=90),
        "cheap": fitting(price=20),
    }
    assert names_by_price(options, need) == ["cheap", "dear", "old", "unknown"]


def test_prices_of_two_years_take_precedence_over_older_ones():
    recent, old = (
        replace(fitting(), price=Seen(Decimal(price), is_fresh=False, is_recent=is_recent))
        for price, is_recent in ((200, True), (50, False))
    )
    assert choose([old, recent], NEED).option is recent


def test_near_misses_are_only_too_slow_and_the_nearest_come_first():
    def miss(mb_s, **values):
        return fitting(throughput=Throughput(claims=[Claimed(mb_s, "Intel")]), **values)

    options = {
        "far": [miss(200)],
        "near": [miss(700), miss(1100)],
        "unpriced": [miss(1200, price=None)],
        "dear": [miss(1200, price=900)],
        "fits": [miss(1100), fitting()],
        "half": [miss(700)],
        "old": [miss(1200, launch_year=2010)],
    }
    sentence = "Falls short of 10 GbE: 1,049 of 1,192 MiB/s claimed for this capacity (Intel)"
    assert near_misses(options, Criterion.SPEED) == (["near", "half", "unpriced"], sentence)
    assert near_misses({"far": options["far"]}, Criterion.SPEED)[0] == ["far"]
    assert near_misses(options, Criterion.SPEED, most=1)[0] == ["near"]


def test_near_misses_by_size_say_what_was_needed_and_what_the_drive_has():
    assert NEED.log_bytes == 17_179_869_184  # what ZFS lets the log take
    options = {
        "fits": [fitting(capacity_bytes=16 * 10**9), fitting()],
        "half": [fitting(capacity_bytes=9 * 10**9)],
        "near": [fitting(capacity_bytes=16 * 10**9)],
        "tiny": [fitting(capacity_bytes=4 * 10**9)],
        "slow, too": [fitting(capacity_bytes=16 * 10**9, throughput=SLOW)],
    }
    sentence = "Too small: 16 GB, and the log needs at most 17.2 GB"
    assert near_misses(options, Criterion.SIZE) == (["near", "half"], sentence)


def test_a_dimm_is_to_check_unless_one_is_asked_for():
    dimm = fitting(form_factors="DIMM", interface="DDR-T (DIMM slot)")
    assert judge_option(dimm, replace(NEED, slot="")).unknown == {Criterion.FORM_FACTOR}
    assert judge_option(dimm, replace(NEED, slot="dimm")).fits
    assert judge_option(fitting(), replace(NEED, slot="")).fits


def test_refusal_has_the_most_important_reason(subtests):
    for values, criterion in [
        ({"plp": "no", "throughput": SLOW, "price": 900}, Criterion.PROTECTION),
        ({"throughput": SLOW, "price": 900}, Criterion.SPEED),
        ({"capacity_bytes": 10**10, "written_bytes": 10}, Criterion.SIZE),
        ({"written_bytes": 10}, Criterion.LIFE),
        ({"form_factors": "M.2", "price": 900}, Criterion.FORM_FACTOR),
        ({"price": 900}, Criterion.PRICE),
    ]:
        with subtests.test(values=values):
            refusal = refuse(candidate(fitting(**values), name="Aldera S1"), NEED)
            assert refusal.reason.criterion == criterion


def test_product_that_may_fit_is_not_refused():
    assert refuse(candidate(fitting(price=900), fitting()), NEED) is None
    assert refuse(candidate(fitting(written_bytes=None)), NEED) is None


def test_a_single_constraint_is_relaxed_as_far_as_it_takes(subtests):
    for values, criterion, sentence, changes in [
        ({"price": 349.5}, "price", "Raise the budget to $350: Aldera S1 100 GB", {"budget": "350"}),
        (
            {"form_factors": "M.2"},
            "form_factor",
            "Choose a form factor other than U.2: Aldera S1 100 GB (M.2)",
            {"form_factor": ""},
        ),
        ({"written_bytes": 10**14}, "life", "Plan for 2.7 years: Aldera S1 100 GB", {"years": "2.7"}),
        (
            {"throughput": SLOW},
            "speed",
            "Settle for 762 MiB/s instead of 1,192 MiB/s: Aldera S1 100 GB",
            {"link_gbit": "", "link_share": "", "mib_s": "762"},
        ),
        (
            {"capacity_bytes": 15 * 10**9},
            "speed",
            "Settle for 953 MiB/s instead of 1,192 MiB/s: Aldera S1 15 GB",
            {"link_gbit": "", "link_share": "", "mib_s": "953"},
        ),
    ]:
        with subtests.test(values=values):
            (found,) = relax([candidate(fitting(**values), name="Aldera S1")], NEED)
            assert (found.criterion, found.sentence, found.changes) == (criterion, sentence, changes)


def test_one_device_instead_of_a_mirror_comes_first():
    need = replace(NEED, is_mirror=True)
    first, second = relax([candidate(fitting(price=200))], need)
    assert first.sentence == "Buy one instead of a mirror: S1 100 GB for $200"
    assert second.sentence == "Raise the budget to $400: S1 100 GB"


def test_the_other_condition_is_suggested_within_the_budget():
    need = replace(NEED, offer="used")
    for price, is_recent, sentences in (
        (250, True, ["Buy new instead of used: S1 100 GB for $250"]),
        (250, False, ["Buy new instead of used: S1 100 GB for $250, seen 1 month ago"]),
        (350, True, []),
    ):
        other = Seen(Decimal(price), is_recent=is_recent)
        found = relax([candidate(fitting(price=None, other_price=other))], need)
        assert [suggestion.sentence for suggestion in found] == sentences, (price, is_recent)
    found, *_ = relax([candidate(fitting(price=900, other_price=other))], need)
    assert found.changes != {"condition": ""}


def test_a_budget_is_raised_for_a_price_of_today_if_there_is_one():
    old = Seen(Decimal(310), is_fresh=False, is_recent=False, age="5 years ago")
    products = candidates({"S0": [replace(fitting(), price=old)], "S1": [fitting(price=400)]})
    (found,) = relax(products, NEED)
    assert found.sentence == "Raise the budget to $400: S1 100 GB"
    (found,) = relax(products[:1], NEED)
    assert found.sentence == "Raise the budget to $310: S0 100 GB (price last seen 5 years ago)"


def test_last_choices_come_last_and_without_a_price_the_smallest_first():
    options = {
        "old": fitting(launch_year=2011, price=10),
        "large": fitting(price=None, capacity_bytes=1920 * 10**9),
        "small": fitting(price=None),
        "priced": fitting(price=300),
    }
    assert names_by_price(options, NEED) == ["priced", "small", "large", "old"]


def test_product_with_two_failures_or_unknowns_is_no_relaxation():
    twice = fitting(price=900, form_factors="M.2")
    unknown = fitting(price=900, written_bytes=None)
    assert relax([candidate(twice, unknown)], NEED) == []


def test_unprotected_products_are_never_suggested():
    assert relax([candidate(fitting(plp="no"))], NEED) == []


def test_nearest_of_several_relaxations_is_named():
    (found,) = relax(candidates({f"S{price}": [fitting(price=price)] for price in (500, 310, 900)}), NEED)
    assert found.candidate.name.short == "S310"
