from datetime import date

import pytest

from results.models import Result
from tests.factories import make_device, make_result

pytestmark = pytest.mark.django_db


def test_results_are_ordered_by_the_day_of_their_publication(client):
    for name, values in {
        "sent": {},
        "recent": {"submission__survey_id": "a", "submission__posted_on": date(2022, 5, 27)},
        "old": {"submission__survey_id": "b", "submission__posted_on": date(2014, 10, 10)},
        "undated": {"submission__survey_id": "c"},
        "post": {"submission__posted_on": date(2019, 1, 18)},
        "sent later": {},
    }.items():
        make_result(device__model_name=name, **values)
    order = ["sent later", "sent", "recent", "post", "old", "undated"]
    page = client.get("/results/")
    assert [row["subject"].removesuffix(" 480 GB") for row in page.context["rows"]] == order


def test_pages_of_results_follow_that_order(client, monkeypatch):
    monkeypatch.setattr("results.results.list_page.PAGE_SIZE", 2)
    device = make_device()
    for day in (11, 10, 10, 10, 12):
        make_result(device=device, submission__posted_on=date(2014, 10, day))
    found, url = [], "/results/"
    while url:
        page = client.get(url)
        found += [row["url"] for row in page.context["rows"]]
        url = page.context["older_url"]
    days = dict(Result.objects.values_list("public_id", "submission__posted_on__day"))
    assert [days[one.split("/")[2]] for one in found] == [12, 11, 10, 10, 10]
    assert len(set(found)) == 5
