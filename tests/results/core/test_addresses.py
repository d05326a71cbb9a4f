import pytest
from django.urls import NoReverseMatch, reverse

from results.core.links import address, with_query


@pytest.mark.parametrize("name", ["home", "leaderboard", "compare", "about", "guide-lifetime", "oembed"])
def test_a_page_of_its_own_has_the_address_that_django_gives_it(name):
    assert address(name) == address(name) == reverse(name)


@pytest.mark.parametrize(
    "name", ["device", "device-badge", "product", "result", "result-chart", "leaderboard-export"]
)
@pytest.mark.parametrize("slug", ["p4800x-280-gb", "Zz_9-", "SLUG"])
def test_so_has_one_of_many(name, slug):
    assert address(name, slug) == address(name, slug) == reverse(name, args=[slug])


def test_a_name_that_there_is_not_is_refused():
    with pytest.raises(NoReverseMatch):
        address("no-such-page")


def test_a_query_has_the_parameters_that_say_something_in_the_order_given():
    asked = {"q": "a&b/c d", "class": "", "devices": "one,two", "page": "2"}
    assert (
        with_query("/x/", **asked) == with_query("/x/", **asked) == "/x/?q=a%26b%2Fc+d&devices=one,two&page=2"
    )


def test_an_address_without_parameters_has_no_question_mark():
    assert with_query("/x/", q="") == "/x/"
