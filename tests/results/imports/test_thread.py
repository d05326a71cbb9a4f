from datetime import date

import pytest

from results.imports.bulk import import_texts
from results.imports.thread import begin_import, examine
from results.imports.thread_html import read_thread
from results.models import AuditEntry, ImportBatch, Result, Submission
from tests import pastes, threads
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def bring_in(html=threads.THREAD):
    """Import the posts with a run."""
    thread = read_thread(html)
    batch = begin_import(thread.title, thread.address, make_member(is_staff=True))
    texts = [post.kept for post in examine(thread.posts, thread.address) if post.kept]
    list(import_texts(texts, batch))


def test_each_result_keeps_its_author_its_day_and_its_post_and_no_serial_number():
    bring_in()
    paste = Submission.objects.order_by("pk").first()
    assert (paste.forum_handle, paste.posted_on, paste.source_url) == (
        "ann",
        date(2019, 3, 4),
        "https://forum.example.org/threads/slog.20/post-1",
    )
    assert (paste.needs_review, paste.claim_digest, paste.batch) == (False, "", ImportBatch.objects.get())
    assert Result.objects.order_by("pk").first().measured_on is None  # a post is of another day than its run
    assert AuditEntry.objects.get().action == "imported"
    assert pastes.SERIAL not in str(list(Submission.objects.values()))


def test_two_results_of_one_author_without_a_serial_number_are_one_units():
    def mine(number, latency_us):
        text = pastes.diskinfo([latency_us] * 15, ident="")
        return threads.post("ann", threads.code(text), number=number)

    bring_in(threads.page(mine(1, 30.0), mine(2, 31.0)))
    assert Result.objects.count() == 2
    assert Result.objects.values("ranking_unit").distinct().count() == 1
