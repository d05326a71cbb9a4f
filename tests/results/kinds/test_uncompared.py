"""Descriptions of a pool and its load, which are no benchmark: alone they are refused."""

import re
from html import unescape

import pytest

from results.models import Submission
from tests import pastes
from tests.parsers.test_keep import SAMPLES

pytestmark = pytest.mark.django_db
DESCRIPTIONS = ("zpool",)


def send(client, text, action="publish"):
    return client.post("/submit/", {"text": text, "action": action})


def flat(response):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", response.text.partition("<main")[2])))


@pytest.mark.parametrize("tool", DESCRIPTIONS)
def test_a_description_alone_is_refused(client, tool):
    response = send(client, SAMPLES[tool])
    assert (response.status_code, Submission.objects.exists()) == (422, False)
    assert "We found no benchmark, only a description of the pool" in flat(response)


@pytest.mark.parametrize("tool", DESCRIPTIONS)
def test_a_run_beside_it_is_published_as_it_is_alone(client, tool):
    answer = client.post(
        "/api/v1/submissions/", pastes.diskinfo() + SAMPLES[tool], content_type="text/plain"
    ).json()
    assert len(answer["results"]) == 1
    assert answer["left_out"] == []
