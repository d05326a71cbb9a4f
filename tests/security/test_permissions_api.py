"""The same matrix for the API, where a key identifies who sends the request, and for what."""

from collections.abc import Iterator

import orjson
import pytest
from django.db import transaction

from results.models import Result, Submission
from tests.addresses import Route, every_route
from tests.security.matrix import METHODS, api_permissions
from tests.security.world import World

OPENS_NOTHING = {"revoked": 401, "expired": 401, "guessed": 401, "banned": 403}
REFUSED = {401, 403, 404, 405}


def faults(world: World, route: Route) -> Iterator[str]:
    path, row = route.path(world.values(route)), api_permissions(route)
    for method in METHODS:
        for key, header in world.keys.items():
            with transaction.atomic():
                status = world.clients["anonymous"].generic(method, path, b"", **header).status_code
                transaction.set_rollback(True)
            may = key in row.get(method, ())
            is_expected = method not in row or may or status == OPENS_NOTHING.get(key, status)
            if status >= 500 or may != (status not in REFUSED) or not is_expected:
                yield f"{route.name}: {method} with key {key!r} gave {status}"


def test_key_access_matches_the_permission_matrix(world):
    routes = [route for route in every_route() if route.is_endpoint]
    found = [fault for route in routes for fault in faults(world, route)]
    assert not found, "\n".join(found)


def test_a_session_does_not_authenticate_api_requests(world):
    for path in ("/api/v1/me/", "/api/v1/me/submissions/"):
        assert world.clients["admin"].get(path).status_code == 401
    assert (
        world.clients["owner"].delete(f"/api/v1/submissions/{world.submission.public_id}/").status_code == 401
    )


@pytest.mark.parametrize("key", ["none", "reads", "other", "revoked", "expired", "banned"])
def test_nobody_changes_the_result_of_another(world, key):
    header, public_id = world.keys[key], world.submission.public_id
    client, before = world.clients["anonymous"], Result.objects.filter(device=world.device).values().get()
    client.post(f"/api/v1/submissions/{public_id}/withdraw/", **header)
    client.delete(f"/api/v1/submissions/{public_id}/", **header)
    client.patch(f"/api/v1/results/{public_id}/", b'{"notes": "mine"}', "application/json", **header)
    assert Result.objects.filter(device=world.device).values().get() == before
    assert Submission.objects.get(pk=world.submission.pk).state == "published"


def test_no_field_that_a_request_lacks_is_taken(world):
    sent = {"notes": "in a bay", "is_ranked": False, "zil_latency_us": 1, "latency_us": [1], "owner": 1}
    path = f"/api/v1/results/{world.submission.public_id}/"
    before = Result.objects.filter(device=world.device).values("is_ranked", "metrics", "latency_us").get()
    world.clients["anonymous"].patch(path, orjson.dumps(sent), "application/json", **world.keys["submits"])
    assert (
        Result.objects.filter(device=world.device).values("is_ranked", "metrics", "latency_us").get()
        == before
    )
