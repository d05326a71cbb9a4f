"""Ten questions of somebody who has just arrived, written before the pages: each answer is two clicks away."""

import pytest

from results.core.addresses import address
from tests.page import Page

pytestmark = pytest.mark.django_db
# What is asked, the page that answers it, and words of the answer
TEN = (
    ("Do I need a SLOG at all?", "/guide/do-i-need-one/", "They wait: NFS from a hypervisor"),
    ("How large does it have to be?", "/guide/how-big/", "Transaction group"),
    ("Which one should I buy?", "/guide/what-makes-a-good-one/", "Fast flushes"),
    ("Does my consumer SSD lose data in a power cut?", "/guide/safety/", "capacitor"),
    ("How long will it last?", "/guide/how-long-does-it-last/", "TBW"),
    ("Does SMB use a SLOG?", "/guide/who-sends-sync-writes/", "strict sync"),
    ("Does a special vdev replace it in OpenZFS 2.4?", "/guide/what-changed-by-2026/", "pull request 17505"),
    ("What happens if it fails?", "/guide/questions/", "zpool replace"),
    ("Are its writes random?", "/guide/access-patterns/", "With five, 36 % are"),
    ("How do I measure mine?", "/guide/how-the-test-works/", "diskinfo -wS"),
)


def test_each_answer_is_two_clicks_from_any_page(client, subtests):
    guide = address("guide")
    assert guide in Page(client.get("/"), "body").links.values()
    pages = Page(client.get(guide)).links.values()
    for question, path, words in TEN:
        with subtests.test(question):
            assert path in pages
            assert words in Page(client.get(path)).text
