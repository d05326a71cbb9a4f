import pytest

from tests.factories import make_result, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db


def test_a_submission_of_many_runs_is_folded(client):
    first = make_result(20, device__model_name="many")
    for position in range(2, 7):
        make_result(20, device=first.device, submission=first.submission, position=position)
    make_result(20, device__model_name="other")
    response = client.get("/results/")
    assert [row[0].split()[0] for row in Page(response).tables[0][1:]] == [
        "other",
        "many",
        "many",
        "many",
        "3",
    ]
    url = f"/results/?submission={first.submission.public_id}"
    assert f'<a href="{url}">3 more of this submission</a>' in response.text
    alone = client.get(url)
    assert len(Page(alone).rows()) == 6
    assert "Only the runs of one submission." in alone.text


def test_the_list_says_why_a_result_is_not_ranked_or_waits(client):
    waits = {"code": "exceeds_link", "effect": "waits", "message": "Faster than the link."}
    make_result(20, device__model_name="ranked")
    make_result(20, device__model_name="unranked", not_ranked_reason="Whole ticks.")
    make_result(20, device__model_name="waiting", not_ranked_reason="Faster than the link.", flags=[waits])
    make_result(20, device__model_name="held", submission__state="held", not_ranked_reason="held")
    rank_everything()
    response = client.get("/results/")
    assert {
        row["Device or pool"].split()[0]: row["What was measured"].partition(" -wS")[2]
        for row in Page(response).rows()
    } == {
        "ranked": "",
        "unranked": ", not ranked: Whole ticks.",
        "waiting": ", waiting: Faster than the link.",
    }
