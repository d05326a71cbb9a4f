"""Every address with parameters that it doesn't take: nothing is rendered there, so nothing is stored for it."""

from urllib.parse import urlencode, urlsplit

import pytest
from django.http import QueryDict

from results.core.parameters import DECLARED
from results.core.public import IS_PUBLIC, MARK
from results.core.security.rate_limits import IS_COUNTED
from tests.addresses import Route, differing_routes, every_route

MAX_BYTES = 64 * 1024
UNKNOWN = {
    "one of another site": "utm_source=forum",
    "one without a value": "fbclid=",
    "a hundred times the same": "&".join(["zz=1"] * 100),
    "three hundred": "&".join(f"p{number}=1" for number in range(300)),
    "more than Django reads": "&".join(f"p{number}=1" for number in range(1500)),
}
# Read with any parameters: forms with a session's token, which are never stored, and what says how the site is.
UNDECLARED = {"submit", "report", "healthz", "readyz"}


def readable() -> list[Route]:
    """What anybody may read."""
    return [route for route in every_route() if route.is_open and route.name not in UNDECLARED]


def plural(route: Route) -> set[str]:
    if route.is_endpoint:
        return route.view.cls().plural_parameters()
    return set(getattr(route.view, DECLARED).plural)


def test_every_page_declares_its_parameters_and_every_read_is_counted_or_a_file():
    files = {"export-file", "security-txt", "submitter"}  # written beforehand, or a few constant lines
    by_the_api = {"leaderboard-csv", "sustained-csv", "workload-csv"}  # its lists, which count them
    for route in readable():
        assert route.is_endpoint or hasattr(route.view, DECLARED), route.name
        is_counted = route.is_endpoint or hasattr(route.view, IS_COUNTED)
        assert is_counted or route.name in files | by_the_api, route.name
    for route in every_route():
        if hasattr(route.view, IS_PUBLIC):
            assert route.is_endpoint or hasattr(route.view, DECLARED), route.name


@pytest.mark.parametrize("query", UNKNOWN.values(), ids=list(UNKNOWN))
def test_nothing_is_rendered_with_a_parameter_that_is_not_declared(world, query, subtests):
    client = world.clients["anonymous"]
    for route in readable():
        path = route.path(world.values(route))
        with subtests.test(path=path):
            response = client.get(f"{path}?{query}")
            assert_not_rendered(response)
            if response.status_code == 302:
                assert response["Location"] == path
                assert not path.endswith((".svg", ".png"))  # these refuse it
            else:
                assert response.status_code in {400, 401, 405}, path


@pytest.mark.parametrize("times", [2, 100])
def test_nothing_is_rendered_with_a_repeated_parameter(world, times, subtests):
    client = world.clients["anonymous"]
    for route in readable():
        path = route.path(world.values(route))
        for name in route.parameters:
            with subtests.test(path=path, name=name):
                values = ["1"] * times if name in plural(route) else [str(number) for number in range(times)]
                response = client.get(f"{path}?{urlencode([(name, value) for value in values])}")
                assert_not_rendered(response)
                if route.is_endpoint:
                    assert response.status_code in {400, 401}
                else:
                    assert (response.status_code, response["Location"]) == (
                        302,
                        f"{path}?{name}={values[-1]}",
                    )


def test_nothing_is_rendered_with_a_parameter_without_a_value(world, subtests):
    """On pages, whose forms send them; the API takes some as unset."""
    client = world.clients["anonymous"]
    for route in readable():
        if route.is_endpoint:
            continue
        path = route.path(world.values(route))
        for name in route.parameters:
            with subtests.test(path=path, name=name):
                response = client.get(f"{path}?{name}=")
                assert (response.status_code, response["Location"]) == (302, path)


def assert_not_rendered(response):
    assert response.status_code != 200
    assert MARK not in response
    assert len(response.getvalue()) <= MAX_BYTES


def test_other_addresses_have_no_fault(world, subtests):
    for route in differing_routes():
        if not route.is_open or route.name in UNDECLARED:
            actor = "anonymous" if route.is_open else "admin"
            path = route.path(world.values(route))
            for query in UNKNOWN.values():
                with subtests.test(path=path, query=query[:40]):
                    response = world.clients[actor].get(f"{path}?{query}")
                    response.getvalue()  # of a stream: it is closed at its end
                    assert response.status_code < 500


def test_repeated_values_of_one_parameter_become_a_list(world):
    client = world.clients["anonymous"]
    some = ["endurance_tbw", "price_per_gb"]
    response = client.get(f"/leaderboard.md?columns={some[0]}&columns={some[1]}&columns=&columns={some[0]}")
    assert (response.status_code, response["Location"]) == (302, f"/leaderboard.md?columns={','.join(some)}")
    assert client.get(response["Location"]).status_code == 200


def test_what_is_asked_for_is_kept_where_a_parameter_is_removed(world):
    client = world.clients["anonymous"]
    response = client.get("/leaderboard/?utm_source=x&class=sata_ssd&q=&view=table&view=list&hide=a%26b%20c")
    assert response.status_code == 302
    query = QueryDict(urlsplit(response["Location"]).query)
    assert query.dict() == {"class": "sata_ssd", "view": "list", "hide": "a&b c"}
    assert response["Access-Control-Allow-Origin"] == "*"


def test_an_address_too_long_to_redirect_to_is_a_bad_request(world):
    response = world.clients["anonymous"].get(
        f"/devices/{world.device.slug}/?hide={'x' * 20_000}&utm_source=x"
    )
    assert response.status_code == 400
    assert_not_rendered(response)


def test_an_image_names_what_it_takes(world):
    response = world.clients["anonymous"].get(f"/devices/{world.device.slug}/badge.svg?utm_source=x")
    assert (response.status_code, response.content) == (400, b"This image takes no parameters.\n")


def test_addresses_of_no_page_are_counted_among_the_reads(world, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"anonymous-read": (3, 60)}
    client = world.clients["anonymous"]
    answers = [client.get(f"/none-{number}/").status_code for number in range(5)]
    assert answers == [404, 404, 404, 429, 429]
