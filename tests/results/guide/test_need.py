import pytest

from results.advice.need import Verdict
from results.guide.need import VERDICTS
from tests.page import Page

pytestmark = pytest.mark.django_db

URL = "/guide/do-i-need-one/"


def verdict(client, **answers):
    return Page(client.get(URL, answers)).part("verdict").text


def test_slow_without_sync_means_fix_the_path_first(client):
    response = client.get(URL, {"sync": "yes", "without": "slow"})
    assert "the HBA’s firmware didn’t match its driver" in response.text


def test_the_next_question_is_named(client):
    page = Page(client.get(URL, {"sync": "yes", "without": "fast"}))
    assert "Not decided yet. Next: 3. May the last seconds be lost?" in page.text


def test_every_verdict_has_its_text_and_advice(client):
    answers = [
        {"sync": "no"},
        {"sync": "unknown"},
        {"sync": "yes", "without": "slow"},
        {"sync": "yes", "without": "untried"},
        {"sync": "yes", "without": "fast", "loss": "allowed"},
        {"sync": "yes", "without": "fast", "loss": "forbidden", "pool": "protected"},
        {"sync": "yes", "without": "fast", "loss": "forbidden", "pool": "disks", "special": "newer"},
        {"sync": "yes", "without": "fast", "loss": "forbidden", "pool": "disks", "special": "older"},
    ]
    assert list(VERDICTS) == list(Verdict)
    assert [verdict(client, **answer) for answer in answers] == [text for _, text in VERDICTS.values()]
    for answer in answers:
        assert "so far, a SLOG looks useful" not in client.get(URL, answer).text


def test_question_has_one_canonical_url(client):
    response = client.get(f"{URL}?pool=&sync=yes")
    assert response["Location"] == f"{URL}?sync=yes"
