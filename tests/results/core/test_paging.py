import pytest

from results.core.paging import PAGE_SIZE
from results.models import AuditEntry
from results.models.choices import Action
from tests.factories import make_submission
from tests.page import Page

pytestmark = pytest.mark.django_db


def links(client, url, page):
    shown = Page(client.get(url, {"page": page}))
    assert f"Page {page} of 3" in shown.text
    return [(link.get("rel"), link.get("href")[-1], link.text) for link in shown.root.xpath(".//a[@rel]")]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("/moderation/", ("Previous", "Next")),  # the weightiest first
        ("/moderation/log/", ("Newer", "Older")),
        ("/account/results/", ("Newer", "Older")),
    ],
)
def test_pager_links_keep_the_order(client, moderator, url, words):
    for _ in range(2 * PAGE_SIZE + 1):
        make_submission(owner=moderator, needs_review=True)
        AuditEntry.objects.create(
            actor_id=moderator.pk, actor_name="Ann", action=Action.PINNED, device="gone", reason="so"
        )
    before, after = words
    assert links(client, url, 1) == [("next", "2", after)]
    assert links(client, url, 2) == [("prev", "1", before), ("next", "3", after)]
    assert links(client, url, 3) == [("prev", "2", before)]
