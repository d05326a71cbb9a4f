import pytest
from django.urls import NoReverseMatch, reverse

from results.addresses import address


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
