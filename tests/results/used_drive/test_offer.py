"""A drive that a listing only names: found by the search, judged by its figures and price, at an address to share."""

import html

import pytest

from results.models import Device, Submission
from tests.factories import make_price, make_product, make_protected_product, make_result, rank_everything
from tests.page import Page, text_of
from tests.results.used_drive.shown import drives, only, prices, verdict

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]

GB, TB = 10**9, 10**12


@pytest.fixture
def product():
    """400 GB rated for 1,000 TB and 800 GB for 2,000 TB, with prices of the former."""
    ratings = [
        {"capacity_bytes": 400 * GB, "written_bytes": 1000 * TB},
        {"capacity_bytes": 800 * GB, "written_bytes": 2000 * TB},
    ]
    made = make_protected_product(
        name="P3700",
        slug="aldera-p3700",
        patterns=["^ALDERA SSDP"],
        interface="PCIe 3.0 x4 NVMe",
        endurance_tbw=ratings,
        endurance_source_url="https://a.example/",
    )
    make_price(made, price=200, capacity_bytes=400 * GB, condition="new", seen_on="2024-06-01")
    make_price(made, price=50, capacity_bytes=400 * GB, condition="used", seen_on="2024-05")
    return made


def check(client, model, **fields):
    return client.get("/used-drive/", {"model": model, **fields})


def test_an_offer_is_answered_in_one_sentence(client, product):
    drive = only(check(client, "P3700", capacity="400 GB", wear="12 % used", price="40", gb_per_day="100"))
    assert verdict(drive) == (
        "info",
        "Good buy: no red flags, protected against power loss with 24.1 years of life left at 100 GB a day, and $40"
        " is 20 % less than a used one cost ($50, seen 30 days ago).",
    )
    assert drive.facts == drive.facts | {
        "Power-on hours": "not stated; ask for smartctl -x",
        "Wear": "12 %",
        "Life left": "about 880 TB of writes: its rating and the wear that the drive reports",
        "At your writes": "lasts 24.1 years at 100 GB a day",
        "Cost of its remaining life": "$0.045 per TB of writes left",
    }
    assert [price.partition("$0")[2] for price in prices(drive)] == [
        ".057 per TB of writes left",
        ".200 per TB of its rating",
    ]


def test_the_search_finds_the_drive_by_any_of_its_names(client, product):
    make_result(
        20, device__model_name="ALDERA SSDP400G4", device__capacity_bytes=400 * GB, device__product=product
    )
    rank_everything()
    for name in (
        "P3700 400GB",
        "aldera p3700 400 gb",
        "P3700 400",
        "ALDERA SSDP400G4",
        "aldera ssdp400g4 400 GB",
        "ALDERA SSDP400G4X",
        "SSDP400G4",
    ):
        drive = only(check(client, name, wear="12"))
        assert ("Aldera P3700" in drive.links, len(prices(drive))) == (True, 2), name
        assert drive.facts["Life left"].startswith("about 880 TB"), name
    assert ": NVMe SSD, rank 1" in only(check(client, "ALDERA SSDP400G4")).text


def test_without_a_capacity_all_of_the_product_are_considered(client, product):
    response = check(client, "P3700", wear="50 %", price="40", gb_per_day="100")
    drive = only(response)
    assert drive.facts["Life left"].startswith("about 500 TB (400 GB) to 1 PB (800 GB) of writes")
    assert drive.facts["At your writes"] == "lasts 13.7 to 27.4 years, by capacity, at 100 GB a day"
    assert drive.facts["Asking price"] == "$40: fill in the capacity to compare it"
    assert verdict(drive)[1].endswith("with at least 13.7 years of life left at 100 GB a day.")
    links = Page(response).links
    assert "800 GB" in links
    drive = only(response := client.get(links["400 GB"]))
    assert (drive.headings[0], "Which capacity" in response.text) == ("P3700 400 GB", False)
    assert drive.facts["Cost of its remaining life"].startswith("$0.080 ")


def test_life_left_is_not_unknown_where_the_rating_is(client, product):
    drive = only(check(client, "P3700 800 GB"))
    assert drive.facts["Life left"].startswith("at most 2 PB of writes, as rated")
    assert verdict(drive)[1] == (
        "Protected against power loss, but ask about its wear first (it’s rated for 2 PB of writes)."
    )
    for written, words in (
        ("2.5 PB", "Don’t buy it: its rating is used up."),
        ("1.6 PB", "Too worn for a log: 80 % of its rated writes are used up."),
    ):
        assert verdict(only(check(client, "P3700 800 GB", written=written))) == ("bad", words)


def test_too_little_life_at_one_of_the_capacities_is_to_check(client, product):
    assert verdict(only(check(client, "P3700", written="1.5 PB"))) == (
        "warn",
        "Protected against power loss, but its rating is used up if it has 400 GB.",
    )
    for gb_a_day, left in (("1000", "2.7 years"), ("5000", "6 months")):
        tone, words = verdict(only(check(client, "P3700", wear="0", gb_per_day=gb_a_day)))
        assert tone == "warn", gb_a_day
        assert f"but only {left} of life left" in words, gb_a_day
        assert words.endswith(" GB a day if it has 400 GB."), gb_a_day


def test_years_left_decide_the_verdict(client, product):
    for gb_a_day, tone, words in (
        (
            "100",
            "info",
            "Looks good: no red flags, protected against power loss with 27.4 years of life left",
        ),
        ("1000", "warn", "Protected against power loss, but only 2.7 years of life left at 1,000 GB a day."),
        ("5000", "bad", "Too worn: only 6 months of life left at 5,000 GB a day."),
        (
            "10",
            "info",
            "Looks good: no red flags, protected against power loss with over 50 years of life left",
        ),
    ):
        shown_tone, text = verdict(only(check(client, "P3700 400 GB", wear="0", gb_per_day=gb_a_day)))
        assert (shown_tone, text[: len(words)]) == (tone, words), gb_a_day


def test_the_asking_price_is_compared_with_used_ones_and_may_not_be_close_to_a_new_one(client, product):
    for price, tone, words in (
        ("50", "info", "about what a used one cost ($50, seen 30 days ago)"),
        ("60", "info", "20 % more than a used one cost"),
        ("63", "warn", "26 % more than a used one cost"),
        (
            "150",
            "warn",
            "3.0 times what a used one cost ($50, seen 30 days ago) and close to the last new price",
        ),
        ("40 EUR", "info", "we haven’t seen a price in EUR"),
    ):
        drive = only(check(client, "P3700 400 GB", wear="0", price=price))
        assert verdict(drive)[0] == tone, price
        assert f": {words}" in drive.facts["Asking price"], price
    product.prices.filter(condition="used").delete()
    for price, tone, compared in (
        ("140", "info", "no recent used price to compare: a new one cost $200, seen 29 days ago"),
        ("141", "warn", "close to the last new price ($200, seen 29 days ago)"),
        ("201", "warn", "more than the last new price ($200, seen 29 days ago)"),
    ):
        drive = only(check(client, "P3700 400 GB", wear="0", price=price))
        asked = drive.facts["Asking price"]
        assert (verdict(drive)[0], asked) == (tone, f"${price}: {compared}"), price
        assert "Good buy" not in drive.text, price
    assert verdict(drive)[1].endswith(f"left, but $201 is {compared}.")


def test_a_price_close_to_the_last_new_one_is_not_good_and_an_old_used_one_is_named(client, product):
    product.prices.filter(condition="used").update(
        seen_on="2020-01-01", condition="", seller_kind="marketplace"
    )
    drive = only(check(client, "P3700 400 GB", wear="0", price="172"))
    assert verdict(drive) == (
        "warn",
        "Protected against power loss with about 1 PB of writes left, but $172 is close to the last new price ($200, "
        "seen 29 days ago); one cost $50, condition not stated, last seen 4 years ago.",
    )


def test_a_new_price_long_after_the_launch_is_called_a_marketplace_listing(client, product):
    product.launch_year = 2014
    product.save()
    drive = only(check(client, "P3700 400 GB", wear="0", price="172"))
    assert "the last new price ($200, probably a marketplace listing, seen 29 days ago)" in verdict(drive)[1]


def test_a_used_price_above_that_of_a_new_one_is_no_measure(client, product):
    product.prices.filter(condition="new").update(price=45)
    drive = only(check(client, "P3700 400 GB", wear="0", price="43"))
    assert drive.facts["Asking price"].endswith("and close to the last new price ($45, seen 29 days ago)")
    assert verdict(drive)[0] == "warn"


def test_an_old_price_is_shown_and_says_nothing(client, product):
    product.prices.update(seen_on="2020-01-01")
    drive = only(check(client, "P3700 400 GB", wear="0", price="10"))
    assert verdict(drive)[1] == (
        "Looks good: no red flags, protected against power loss with about 1 PB of writes left."
    )
    assert drive.facts["Asking price"] == (
        "$10: no recent used price to compare: a used one cost $50, last seen 4 years ago, and a new one cost $200, "
        "last seen 4 years ago"
    )


def test_prices_of_another_capacity_are_not_compared(client, product):
    for name, capacity_bytes in (
        ("P3700 400 GB", 800 * GB),
        ("ALDERA SSDP400G4", 800 * GB),
        ("P3700 400 GB", None),  # of the line: it may be any of its capacities
    ):
        product.prices.update(capacity_bytes=capacity_bytes)
        drive = only(check(client, name, wear="0", price="10"))
        assert drive.facts["Asking price"] == "$10: we haven’t seen a price for this drive", name


def test_the_asking_price_is_compared_with_the_middle_price_of_the_year(client, product):
    for price, seen_on in ((70, "2024-03"), (90, "2024-04")):
        make_price(product, price=price, capacity_bytes=400 * GB, condition="used", seen_on=seen_on)
    drive = only(check(client, "P3700 400 GB", wear="0", price="70"))
    assert drive.facts["Asking price"] == (
        "$70: about what a used one cost ($70, middle of 3 prices, seen 2 months ago)"
    )
    assert "newest $50" in drive.facts["400 GB, used"]
    on_product = Page(client.get("/products/aldera-p3700/")).text
    assert "$70 for 400 GB Used, seen 2 months ago" in on_product
    assert "Middle of 3 prices, 2024-03 to 2024-05; newest $50" in on_product


def test_a_condition_that_no_page_stated_is_not_claimed(client, product):
    product.prices.filter(condition="used").update(condition="", seller_kind="marketplace")
    drive = only(check(client, "P3700 400 GB", wear="0", price="50"))
    assert drive.facts["Asking price"] == (
        "$50: about what one cost ($50, condition not stated, seen 30 days ago)"
    )


def test_more_written_than_the_link_carries_is_a_red_flag(client, product):
    drive = only(check(client, "P3700 400 GB", written="602 TB", hours="2"))
    assert [text_of(finding) for finding in drive.root.find(".//ul[@class='remarks']")] == [
        "Check The power-on hours may have been reset: 602 TB in 2 h is more than PCIe 3.0 x4 can carry."
    ]
    assert verdict(drive)[1].endswith("but there is something to check below.")


def test_an_ambiguous_name_is_asked_back(client, product):
    make_product(name="P3700 Plus", slug="aldera-p3700-plus")
    response = check(client, "aldera p37", wear="12", price="40")
    assert drives(response) == []
    choices = Page(response).part("answer")
    assert "Which of these is it?" in choices.text
    assert set(choices.links) == {"Aldera P3700", "Aldera P3700 Plus"}
    drive = only(client.get(choices.links["Aldera P3700 Plus"]))
    assert "Aldera P3700 Plus" in drive.links
    assert (drive.facts["Wear"], drive.facts["Asking price"][:4]) == ("12 %", "$40:")


def test_an_unknown_name_is_checked_with_similar_ones_beside_it(client, product):
    response = check(client, "Alderra P3700 Ultra", wear="10", written="100 TB")
    drive = only(response)
    assert drive.facts["Life left"].startswith("about 900 TB")
    answer = Page(response).part("answer")
    assert "We don’t know a drive by that name. Did you mean one of these? Aldera P3700" in answer.text
    assert "Aldera P3700" not in drive.links


def test_the_form_leads_to_an_address_that_can_be_shared(client, product):
    sent = {"text": "", "model": "P3700 400 GB", "wear": "12 % used", "hours": "", "price": "$40"}
    response = client.post("/used-drive/", sent)
    assert (response.status_code, response["Location"]) == (
        302,
        "/used-drive/?model=P3700+400+GB&wear=12+%25+used&price=%2440#answer",
    )
    response = client.get(response["Location"])
    assert only(response).facts["Asking price"].startswith("$40:")
    assert 'value="12 % used"' in response.text


def test_bad_figures_are_named_with_their_fields_and_kept(client, product):
    sent = {"model": "P3700", "wear": "140", "price": "-1", "hours": "0", "gb_per_day": "0"}
    for response in (check(client, **sent), client.post("/used-drive/", sent)):
        assert response.status_code == 400
        page = Page(response)
        assert {name for name, field in page.fields.items() if field.error} == sent.keys() - {"model"}
        assert page.fields["wear"].value == "140"
        assert page.links["Wear"] == "#id_wear"


def test_nothing_of_an_offer_is_stored_and_addresses_take_no_output(client, product):
    devices = Device.objects.count()
    response = check(client, "NOBODY KNOWS 1", text="Model Number: SECRET")
    assert "no-store" in response["Cache-Control"]
    assert "SECRET" not in response.text
    assert (Submission.objects.count(), Device.objects.count()) == (0, devices)


def test_hostile_values_are_shown_as_text(client, product):
    evil = '"><script>alert(1)</script>'
    for fields in ({"model": evil}, {"model": "P3700", "wear": evil}, {"model": "P3700", "product": evil}):
        response = check(client, **fields)
        assert "<script>alert" not in response.text, fields
    assert html.escape(evil) in check(client, evil).text
    assert check(client, "a\0b")["Location"] == "/used-drive/?model=ab"


def test_an_offer_takes_few_queries(client, product, django_assert_max_num_queries):
    make_result(
        20, device__model_name="ALDERA SSDP400G4", device__capacity_bytes=400 * GB, device__product=product
    )
    rank_everything()
    for name, most in (("P3700 400 GB", 14), ("ALDERA SSDP400G4", 14), ("Alderra P3701 Ultra 12", 20)):
        check(client, name)
        with django_assert_max_num_queries(most):
            check(client, name)
