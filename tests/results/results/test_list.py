import pytest

from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_a_submission_of_many_runs_is_folded(client):
    first = make_result(20, device__model_name="many")
    for position in range(2, 7):
        make_result(20, device=first.device, submission=first.submission, position=position)
    make_result(20, device__model_name="other")
    response = client.get("/results/")
    assert [row["subject"].split()[0] for row in response.context["rows"]] == [
        "other",
        "many",
        "many",
        "many",
    ]
    url = f"/results/?submission={first.submission.public_id}"
    assert f'<a href="{url}">3 more of this submission</a>' in response.text
    alone = client.get(url)
    assert len(alone.context["rows"]) == 6
    assert "Only the runs of one submission." in alone.text


def test_the_list_says_why_a_result_is_not_ranked_or_waits(client):
    waits = {"code": "exceeds_link", "effect": "waits", "message": "Faster than the link."}
    make_result(20, device__model_name="ranked")
    make_result(20, device__model_name="unranked", not_ranked_reason="Whole ticks.")
    make_result(20, device__model_name="waiting", not_ranked_reason="Faster than the link.", flags=[waits])
    make_result(20, device__model_name="held", submission__state="held", not_ranked_reason="held")
    rank_everything()
    response = client.get("/results/")
    assert {row["subject"].split()[0]: row["state"] for row in response.context["rows"]} == {
        "ranked": "",
        "unranked": "not ranked: Whole ticks.",
        "waiting": "waiting: Faster than the link.",
    }
    assert "not ranked: Whole ticks." in response.text
