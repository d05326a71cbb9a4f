import json
from contextlib import suppress

import pytest

from results.core.redis import link
from results.core.turns import LARGE_BYTES, RETRY_AFTER_S, turn
from tests import pastes
from tests.results.conftest import forget_keys

pytestmark = pytest.mark.django_db
LONG = json.dumps({"text": pastes.FIRST_PASTE + "x" * LARGE_BYTES})


@pytest.fixture(autouse=True)
def three_processes(settings):
    settings.WEB_PROCESSES = 3


def test_one_fewer_than_processes_have_a_turn():
    with turn("a") as first, turn("a") as second, turn("a") as third, turn("b") as other:
        assert (first, second, third, other) == (True, True, False, True)


def test_a_turn_is_held_longer_for_what_queued_behind_it(settings):
    settings.TURN_REST = 10**6
    for expected in (True, True, False):
        with turn("a") as is_granted:
            assert is_granted is expected


def test_a_turn_that_took_too_long_is_over(redis):
    with turn("a"):
        forget_keys(redis)  # as Redis does after LONGEST_TURN_S
    assert link.call(lambda redis: redis.ping())  # nothing takes Redis for unavailable


def test_a_turn_ends_when_it_fails():
    for _ in range(3):
        with suppress(ValueError), turn("a") as is_granted:
            assert is_granted
            raise ValueError


def test_a_single_process_has_its_turn(settings):
    settings.WEB_PROCESSES = 1
    with turn("a") as first, turn("a") as second:
        assert (first, second) == (True, False)


@pytest.mark.usefixtures("redis_away")
def test_everything_is_granted_without_redis():
    with turn("a") as first, turn("a") as second, turn("a") as third:
        assert (first, second, third) == (True, True, True)


@pytest.mark.parametrize("path", ["/account/login/", "/account/signup/", "/search/", "/api/v1/claims/"])
def test_no_other_view_takes_a_long_body_or_a_turn(client, settings, path):
    settings.WEB_PROCESSES = 1
    for method in ("POST", "GET"):
        answer = client.generic(method, path, LONG, content_type="text/plain")
        assert answer.status_code in {405, 413}
        assert len(answer.content) < 10_000
        with turn("large body") as is_granted:
            assert is_granted


@pytest.mark.parametrize(
    "path",
    [
        *("/api/v1/parse/", "/api/v1/check/", "/api/v1/drives/check/", "/api/v1/submissions/"),
        *("/check/", "/submit/", "/used-drive/"),
    ],
)
def test_a_long_text_is_refused_while_others_have_all_turns_and_a_short_one_is_not(client, settings, path):
    settings.WEB_PROCESSES = 1
    with turn("large body"):
        if path.startswith("/api/"):
            answer = client.post(path, LONG, content_type="application/json")
            assert answer.json()["code"] == "busy"
        else:
            answer = client.post(path, {"text": "x" * LARGE_BYTES, "action": "preview"})
        assert (answer.status_code, answer["Retry-After"]) == (429, str(RETRY_AFTER_S))
        assert "Other long texts are being read" in answer.text
        assert client.post(path, {"text": "x", "action": "preview"}).status_code != 429
    assert client.get("/submit/").status_code == 200
