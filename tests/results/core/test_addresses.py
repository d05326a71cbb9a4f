import pytest
from django.urls import NoReverseMatch, reverse

from results.core.addresses import address, with_query


@pytest.mark.parametrize("name", ["home", "leaderboard", "compare", "about", "guide-lifetime", "oembed"])
def test_the_url_of_a_single_page_matches_reverse(name):
    assert address(name) == address(name) == reverse(name)


def test_the_url_of_an_object_page_matches_reverse(subtests):
    for name in ["device", "device-badge", "product", "result", "result-chart", "leaderboard-export"]:
        for slug in ["p4800x-280-gb", "Zz_9-", "SLUG"]:
            with subtests.test(name=name, slug=slug):
                assert address(name, slug) == address(name, slug) == reverse(name, args=[slug])


def test_an_unknown_url_name_is_refused():
    with pytest.raises(NoReverseMatch):
        address("no-such-page")


def test_a_query_has_the_nonempty_parameters_in_order():
    parameters = {"q": "a&b/c d", "class": "", "devices": "one,two", "page": "2"}
    url = "/x/?q=a%26b%2Fc+d&devices=one,two&page=2"
    assert with_query("/x/", **parameters) == with_query("/x/", **parameters) == url


def test_an_address_without_parameters_has_no_question_mark():
    assert with_query("/x/", q="") == "/x/"
