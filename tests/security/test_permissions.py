"""The matrix of every address, every method and every kind of visitor, and what belongs to one of them only."""

from collections.abc import Iterator, Sequence
from http.cookies import SimpleCookie

import pytest
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase

from results.accounts.api import OwnSubmissionList
from results.api.views import Endpoint
from results.models import ApiKey, PriceReport, Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.addresses import Route, every_route
from tests.security.matrix import (
    API,
    AUDIENCES,
    LIBRARY_DOORS,
    METHODS,
    OPEN_FORMS,
    OPEN_PAGES,
    OTHER_AUDIENCES,
    PUBLIC,
    READ_ONLY,
    SIGNED_IN,
    Row,
    api_permissions,
    is_library_page,
    permissions,
)
from tests.security.world import ACTORS, World

DOORS = ("/account/login/", "/admin/login/", "/account/reauthenticate/", "/account/2fa/reauthenticate/")
NEEDS_PARAMETERS = {
    "export-file",
    "compare-chart",
    "compare-preview",
    "account-result",
}  # a 404 without their parameters
TAKEN = {403, 404, 405}
# Whoever sends the request, and whatever the response: also Django's and the library's pages, redirects and refusals.
NEVER_STORED = ("/account/", "/admin/", "/moderation/", "/operator/")


def is_let_in(response: HttpResponseBase) -> bool:
    """Whether the view served the request: it neither refused it nor redirected to a login page."""
    if response.status_code in TAKEN:
        return False
    where = response.get("Location", "")
    return not (where == "/admin/" or where.startswith(DOORS))


def send_request(world: World, actor: str, method: str, path: str) -> HttpResponseBase:
    """The response; its changes are rolled back, so that the next request finds the same site."""
    client = world.clients[actor]
    cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    with transaction.atomic():
        response = client.generic(method, path, b"", content_type="application/x-www-form-urlencoded")
        transaction.set_rollback(True)
    client.cookies = cookies
    if response.streaming:
        b"".join(response)  # so that the client closes it
    return response


def actors_to_try(route: Route, method: str, row: Row, number: int) -> Sequence[str]:
    """Who sends the request: equal visitors take turns; where a page distinguishes members, all of them.

    Members are equal where all of them may, and in the admin if they aren't moderators. Other methods are tried with
    the fewest and the most permissions.
    """
    nobodies = ("anonymous", "owner", "other")
    if method in {"GET", "POST"}:
        if route.area == "admin":
            return (nobodies[number % 3], "moderator", "admin")
        if row.get(method, PUBLIC) in {PUBLIC, SIGNED_IN}:
            return ("anonymous", SIGNED_IN[number % 4])
        return ACTORS
    return ("anonymous", "admin" if route.is_for_staff else "owner")


def faults(world: World, route: Route, row: Row, number: int) -> Iterator[str]:
    path = route.path(world.values(route))
    for method in METHODS:
        for actor in actors_to_try(route, method, row, number):
            if _is_free(route) and actor in row.get(method, ()) and method not in {"GET", "POST"}:
                continue  # who may do all there, as the library has it
            response = send_request(world, actor, method, path)
            outcome = f"{route.name}: {method} as {actor} gave {response.status_code}"
            if path.startswith(NEVER_STORED) and "no-store" not in response.get("Cache-Control", ""):
                yield f"{outcome} and may be stored"
            if response.status_code >= 500:
                yield outcome
            elif is_let_in(response) and actor not in row.get(method, ()):
                yield f"{outcome} and must not"
            elif not is_let_in(response) and actor in row.get(method, ()) and not _is_free(route):
                yield f"{outcome} and should be let in"


def _is_free(route: Route) -> bool:
    """Of the library's pages and the admin's, a 404 or 405 is theirs to say."""
    return route.area == "admin" or is_library_page(route) or route.name in NEEDS_PARAMETERS


def test_every_page_declares_the_audience_of_its_area():
    pages = [route for route in every_route() if not route.is_endpoint and not _is_free(route)]
    declared = {route.name: route.audience for route in pages}
    assert declared == {
        route.name: OTHER_AUDIENCES.get(route.name, AUDIENCES.get(route.area)) for route in pages
    }


def test_every_exception_has_an_address():
    exceptions = {
        *OPEN_FORMS,
        *READ_ONLY,
        *LIBRARY_DOORS,
        *OTHER_AUDIENCES,
        *API,
        *NEEDS_PARAMETERS,
        *OPEN_PAGES,
    }
    assert exceptions - {route.name for route in every_route()} == set()


def test_a_view_that_declares_nothing_lets_nobody_in():
    assert permissions(Route("new-page", "new/", HttpResponse)) == {}
    assert api_permissions(Route("api-new", "api/v1/new/", Endpoint.as_view())) == {}
    assert api_permissions(Route("api-new", "api/v1/new/", OwnSubmissionList.as_view())) == {}


@pytest.mark.parametrize("area", ["", "account", "moderation", "admin", "api"])
def test_access_matches_the_permission_matrix(world, settings, area):
    settings.USERSESSIONS_TRACK_ACTIVITY = False  # four queries a request, none of a permission
    routes = [route for route in every_route() if route.area == area and not route.is_endpoint]
    found = [
        fault
        for number, route in enumerate(routes)
        for fault in faults(world, route, permissions(route), number)
    ]
    assert not found, "\n".join(found)


def test_a_key_is_revoked_by_its_owner(world):
    key = ApiKey.objects.filter(owner=world.owner, revoked_at__isnull=True).first()
    for actor in ("anonymous", "other", "moderator", "admin"):
        world.clients[actor].post(f"/account/keys/{key.pk}/revoke/")
        key.refresh_from_db()
        assert key.revoked_at is None, actor
    world.clients["owner"].post(f"/account/keys/{key.pk}/revoke/")
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_a_price_is_deleted_by_its_reporter(world):
    report = PriceReport.objects.get(reporter=world.owner)
    for actor in ("anonymous", "other", "moderator", "admin", "owner"):
        assert PriceReport.objects.filter(pk=report.pk).exists(), actor
        world.clients[actor].post(f"/account/prices/{report.pk}/delete/")
    assert not PriceReport.objects.filter(pk=report.pk).exists()


def test_a_claimed_submission_cannot_be_claimed_again(world):
    received = receive_submission(pastes.diskinfo(ident="ABCD1234"), Sender(sender_digest="net"))
    sent = {"token": received.claim_token}
    world.clients["anonymous"].post("/account/claim/", sent)
    assert Submission.objects.get(pk=received.submission.pk).owner is None
    for actor in ("owner", "other"):
        world.clients[actor].post("/account/claim/", sent)
        assert Submission.objects.get(pk=received.submission.pk).owner == world.owner


def test_a_moderator_cannot_decide_about_their_own_results(world):
    received = receive_submission(pastes.diskinfo(ident="ABCD1234"), Sender(owner=world.members["moderator"]))
    sent = {"action": "approved", "reason": "it is mine"}
    response = world.clients["moderator"].post(f"/moderation/{received.submission.public_id}/", sent)
    assert "You can&#x27;t moderate your own results." in response.text


def test_forms_ignore_unknown_fields(world):
    sent = {"display_name": "Ann", "is_staff": "on", "is_superuser": "on", "email": "root@example.org"}
    world.clients["other"].post("/account/", {**sent, "banned_at": "", "password": "x", "id": "1"})
    other = world.members["other"]
    email = other.email
    other.refresh_from_db()
    assert (other.display_name, other.is_staff, other.is_superuser, other.email) == (
        "Ann",
        False,
        False,
        email,
    )
