from datetime import date

import pytest

from results.core.paging import PAGE_SIZE
from results.models import Result
from tests.factories import make_device, make_result
from tests.page import Page

pytestmark = pytest.mark.django_db


def listed(page):
    """The links to the results, in their order."""
    return Page(page).root.xpath(".//tbody//th/a[1]")


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
    assert [link.text.removesuffix(" 480 GB") for link in listed(page)] == order


def test_pages_of_results_follow_that_order(client):
    device = make_device()
    days = [12, 11] + [10] * 2 * PAGE_SIZE
    for day in reversed(days):
        make_result(device=device, submission__posted_on=date(2014, 10, day))
    found, url = [], "/results/"
    while url:
        page = client.get(url)
        found += [link.get("href") for link in listed(page)]
        url = Page(page).links.get("Older")
    day_of = dict(Result.objects.values_list("public_id", "submission__posted_on__day"))
    assert [day_of[address.split("/")[2]] for address in found] == days
    assert len(set(found)) == len(days)


def test_older_and_newer_runs_of_a_submission_are_only_its_own(client):
    make_result(device__model_name="other")
    first = make_result(device__model_name="many")
    for position in range(2, PAGE_SIZE + 2):
        make_result(
            device=first.device,
            submission=first.submission,
            position=position,
            public_id=f"{first.public_id}-{position}",
        )
    page = client.get(f"/results/?submission={first.submission.public_id}&class=nvme")
    older = client.get(Page(page).links["Older"])
    newest = client.get(Page(older).links["Newest"])
    every = client.get(Page(page).links["Without NVMe SSD"])  # its chip takes the class away
    for listing, count in ((page, PAGE_SIZE), (older, 1), (newest, PAGE_SIZE), (every, PAGE_SIZE)):
        assert "Only the runs of one submission." in listing.text
        assert len(listed(listing)) == count
    assert Page(page).fields["submission"].value == first.submission.public_id
