import pytest

from results.advice.need import Verdict
from results.guide.need import VERDICTS

pytestmark = pytest.mark.django_db

URL = "/guide/do-i-need-one/"


def verdict(client, **answers):
    return client.get(URL, answers).context["answer"].verdict


def test_before_any_answer_nothing_is_decided(client):
    assert client.get(URL).context["answer"] is None


def test_slow_without_sync_means_fix_the_path_first(client):
    response = client.get(URL, {"sync": "yes", "without": "slow"})
    assert response.context["answer"].verdict == "fix_the_path"
    assert "the HBA’s firmware didn’t match its driver" in response.text


def test_the_next_question_is_named(client):
    answer = client.get(URL, {"sync": "yes", "without": "fast"}).context["answer"]
    assert answer.text == "Not decided yet. Next: 3. May the last seconds be lost?"


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
    assert [verdict(client, **one) for one in answers] == [one.value for one in Verdict] == list(VERDICTS)
    for one in answers:
        assert "so far, a SLOG looks useful" not in client.get(URL, one).text


def test_invalid_answer_is_named(client):
    response = client.get(URL, {"sync": "perhaps"})
    assert (response.status_code, response.context["answer"]) == (400, None)
    assert "perhaps is not one of the available choices" in response.text


def test_question_has_one_canonical_url(client):
    response = client.get(f"{URL}?pool=&sync=yes")
    assert response["Location"] == f"{URL}?sync=yes"
